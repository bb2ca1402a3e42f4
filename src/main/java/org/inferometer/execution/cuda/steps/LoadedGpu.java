package org.inferometer.execution.cuda.steps;

import java.util.Optional;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.LaunchFunction;
import org.inferometer.execution.cuda.device.ModuleChoice;

/// A GPU with its loaded kernels. Loading may take seconds, so executors that are opened in turn share one.
///
/// @param gemm where cuBLASLt is looked for
/// @param launch the driver's function for launches with attributes; empty if the driver is too old
public record LoadedGpu(CudaDevice device, KernelModule module, GemmSetup gemm,
        Optional<LaunchFunction> launch) implements AutoCloseable {
    /// Opens a GPU, makes its context current, and loads the kernels.
    ///
    /// @throws ExecutorException if there is no driver or no such GPU, or either is too old
    /// @throws CudaFailure if a driver call fails
    public static LoadedGpu open(String choice) throws ExecutorException {
        CudaDevice device = CudaDevice.open(choice);
        try {
            return new LoadedGpu(device, KernelModule.load(device), GemmSetup.STANDARD, LaunchFunction.find());
        } catch (ExecutorException | RuntimeException refused) {
            device.close();
            throw refused;
        }
    }

    /// The same GPU with another way to cuBLASLt; one of both is closed.
    public LoadedGpu with(GemmSetup other) {
        return new LoadedGpu(device, module, other, launch);
    }

    /// The same GPU with another launch function; one of both is closed.
    public LoadedGpu with(Optional<LaunchFunction> other) {
        return new LoadedGpu(device, module, gemm, other);
    }

    /// The function for dependent launches, if driver and card can and the options ask for them.
    Optional<LaunchFunction> dependentLaunch(CudaOptions options) {
        return options.dependentLaunch() && module.choice() == ModuleChoice.WITH_DEPENDENT_LAUNCH ? launch
                : Optional.empty();
    }

    /// Requires the device's context to be current. Errors are ignored, because a lost device has released everything.
    @Override
    public void close() {
        module.close();
        device.close();
    }
}
