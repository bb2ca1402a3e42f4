package org.inferometer.execution.cuda;

import org.inferometer.execution.ExecutorException;

/// A GPU with the kernels that it takes. Loading them may take the driver seconds, so whoever opens several executors one after the
/// other loads them once.
record LoadedGpu(CudaDevice device, KernelModule module) implements AutoCloseable {
    /// Opens a GPU and loads the kernels; its context is the calling thread's then.
    ///
    /// @throws ExecutorException when there is no driver or no such GPU, or either is too old
    /// @throws CudaFailure when the driver refuses
    static LoadedGpu open(String choice) throws ExecutorException {
        CudaDevice device = CudaDevice.open(choice);
        try {
            return new LoadedGpu(device, KernelModule.load(device));
        } catch (ExecutorException | RuntimeException refused) {
            device.close();
            throw refused;
        }
    }

    /// With the device's context current; of a lost device nothing is left, so the driver's answers do not matter.
    @Override
    public void close() {
        module.close();
        device.close();
    }
}
