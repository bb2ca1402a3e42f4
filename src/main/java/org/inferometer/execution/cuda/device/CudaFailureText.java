package org.inferometer.execution.cuda.device;

import jcuda.driver.CUresult;
import org.inferometer.execution.ExecutorException;

/// The message when the driver fails during a run.
///
/// @param work the failed work: "Step 7"
public record CudaFailureText(CudaDevice device, String work, CudaFailure failure) {
    /// The message with advice; the cause has call and code for the log.
    public ExecutorException exception() {
        String where =
                work + " failed on GPU " + device.index() + " (" + device.name() + "): " + failure.getMessage() + ". ";
        return new ExecutorException(where + advice(), failure);
    }

    private String advice() {
        if (failure.outOfMemory()) {
            return "The device is out of memory; " + DeviceMemory.waysOut() + ".";
        }
        if (!failure.losesTheContext()) {
            return "The run ends and its record is kept. The next run starts a new process.";
        }
        return switch (failure.code()) {
            case CUresult.CUDA_ERROR_ECC_UNCORRECTABLE, CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_NO_DEVICE, CUresult.CUDA_ERROR_UNKNOWN ->
                "The device is lost for this process and the record is kept. The next run starts a new process. If that fails "
                        + "too, check nvidia-smi and the system log.";
            default ->
                "The device's context is lost and the record is kept. The next run starts a new process. If it happens "
                        + "again, report it with the engine, the options and driver CUDA " + device.driver().text()
                        + ".";
        };
    }
}
