package org.inferometer.execution.cuda.device;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaReport.DriverVersion;

/// One GPU with its primary context, retained until closed.
///
/// The context is current per thread: each thread calls [#makeCurrent] before its first call of the driver.
public final class CudaDevice implements AutoCloseable {
    private final CudaReport.Gpu found;
    private final CUdevice device;
    private final DriverVersion driver;
    private final CUcontext context = new CUcontext();
    private boolean open = true;

    private CudaDevice(CudaReport.Gpu found, CUdevice device, DriverVersion driver) {
        this.found = found;
        this.device = device;
        this.driver = driver;
    }

    /// Opens a GPU by its number in the driver's order, its UUID, or a unique start of its UUID.
    ///
    /// @throws ExecutorException if there is no driver or no such GPU
    /// @throws CudaFailure if a driver call fails
    public static CudaDevice open(String choice) throws ExecutorException {
        CudaReport report = new CudaDriverProbe().probe();
        if (!report.available()) {
            throw new ExecutorException("The cuda backend cannot be used: " + report.reason());
        }
        CudaReport.Gpu found = report.find(choice).orElse(null);
        if (found == null) {
            throw new ExecutorException(report.unknown(choice));
        }
        int[] number = new int[1];
        CudaFailure.require("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(number));
        CUdevice device = new CUdevice();
        CudaFailure.require("cuDeviceGet", JCudaDriver.cuDeviceGet(device, found.index()));
        CudaDevice opened = new CudaDevice(found, device, new DriverVersion(number[0]));
        CudaFailure.require("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(opened.context, device));
        opened.makeCurrent();
        return opened;
    }

    /// Makes the device's context current on the calling thread.
    public void makeCurrent() {
        CudaFailure.require("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    public int index() {
        return found.index();
    }

    public String name() {
        return found.name();
    }

    public String uuid() {
        return found.uuid();
    }

    public DriverVersion driver() {
        return driver;
    }

    /// Compute capability as 10 · major + minor: 89, 90, 100.
    public int computeCapability() {
        return 10 * attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                + attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    }

    public int multiprocessors() {
        return attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    }

    private int attribute(int attribute) {
        return CudaDriverProbe.attribute("cuDeviceGetAttribute", device, attribute);
    }

    /// Free memory.
    public long freeBytes() {
        long[] free = new long[1];
        long[] total = new long[1];
        CudaFailure.require("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
        return free[0];
    }

    /// Total memory.
    public long totalBytes() {
        return found.memoryBytes();
    }

    /// Releases the context; closing twice is allowed. A lost device has no context to release.
    @Override
    public void close() {
        if (open) {
            open = false;
            JCudaDriver.cuDevicePrimaryCtxRelease(device);
        }
    }
}
