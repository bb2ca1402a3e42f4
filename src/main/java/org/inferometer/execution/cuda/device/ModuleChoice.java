package org.inferometer.execution.cuda.device;

import java.util.List;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaReport.DriverVersion;

/// The shipped kernel modules.
public enum ModuleChoice {
    /// PTX 7.0 for compute capability 8.0 and newer. The PTX needs a CUDA 11.0 driver; JCuda's graph functions need
    /// 11.4.
    BASELINE("kernels-sm80.ptx", 80, DriverVersion.of(11, 4)),
    /// PTX 8.1 with hardware E4M3 conversions, for compute capability 8.9 and newer.
    WITH_E4M3("kernels-sm89.ptx", 89, DriverVersion.of(12, 1)),
    /// PTX 8.1 that waits within kernels, for dependent launches on compute capability 9.0 and newer. Drivers record these
    /// in graphs since CUDA 12.3.
    WITH_DEPENDENT_LAUNCH("kernels-sm90.ptx", 90, DriverVersion.of(12, 3)),
    /// PTX 8.1 with products of warpgroups alone, for compute capability 9.0 and no other. It is loaded beside one of the
    /// others.
    WARPGROUPS("kernels-sm90a.ptx", 90, DriverVersion.of(12, 1));

    private final String resource;
    private final int computeCapability;
    private final DriverVersion driver;

    ModuleChoice(String resource, int computeCapability, DriverVersion driver) {
        this.resource = resource;
        this.computeCapability = computeCapability;
        this.driver = driver;
    }

    /// The newest module that GPU and driver support.
    ///
    /// @throws ExecutorException if GPU or driver is too old
    static ModuleChoice of(String gpu, int computeCapability, DriverVersion driver) throws ExecutorException {
        if (computeCapability < BASELINE.computeCapability) {
            throw new ExecutorException(gpu + " has compute capability " + computeCapability / 10 + "."
                    + computeCapability % 10
                    + "; the kernels need 8.0 or newer (A100, RTX 30 and later). Use another GPU or the host backend.");
        }
        if (!driver.atLeast(BASELINE.driver)) {
            throw new ExecutorException("The NVIDIA driver supports CUDA " + driver.text() + "; the kernels need "
                    + BASELINE.driver.text() + " or newer. Install a newer driver, or use the host backend.");
        }
        return List
                .of(values()).reversed().stream().filter(each -> each != WARPGROUPS
                        && computeCapability >= each.computeCapability && driver.atLeast(each.driver))
                .findFirst().orElse(BASELINE);
    }

    /// Whether GPU and driver support products of warpgroups.
    public static boolean hasWarpgroups(int computeCapability, DriverVersion driver) {
        return computeCapability == WARPGROUPS.computeCapability && driver.atLeast(WARPGROUPS.driver);
    }

    /// @throws ExecutorException if GPU or driver does not support products of warpgroups
    static void requireWarpgroups(String gpu, int computeCapability, DriverVersion driver) throws ExecutorException {
        if (!hasWarpgroups(computeCapability, driver)) {
            throw new ExecutorException("gemm=wgmma needs compute capability 9.0 (H100, H200) and a driver for CUDA "
                    + WARPGROUPS.driver.text() + " or newer; " + gpu + " has " + computeCapability / 10 + "."
                    + computeCapability % 10 + ", its driver CUDA " + driver.text() + ". Use gemm=own or gemm=auto.");
        }
    }

    /// The compute capability that it was compiled for: "8.9".
    public String computeCapability() {
        return computeCapability / 10 + "." + computeCapability % 10;
    }

    public String resource() {
        return resource;
    }
}
