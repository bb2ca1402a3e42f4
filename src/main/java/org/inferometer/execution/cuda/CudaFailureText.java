package org.inferometer.execution.cuda;

import jcuda.driver.CUresult;
import org.inferometer.execution.ExecutorException;

/// The message when the driver fails during a run.
///
/// @param work the failed work: "Step 7"
record CudaFailureText(CudaDevice device, String work, CudaFailure failure) {
    /// The message with advice; the cause has call and code for the log.
    ExecutorException exception() {
        String where =
                work + " failed on GPU " + device.index() + " (" + device.name() + "): " + failure.getMessage() + ". ";
        return new ExecutorException(where + advice(), failure);
    }

    private String advice() {
        if (failure.outOfMemory()) {
            return "The device's memory is used up; " + DeviceMemory.waysOut() + ".";
        }
        if (!failure.losesTheContext()) {
            return "The run ends here and its record is kept; the next one starts in a fresh process.";
        }
        return switch (failure.code()) {
            case CUresult.CUDA_ERROR_ECC_UNCORRECTABLE, CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_NO_DEVICE, CUresult.CUDA_ERROR_UNKNOWN ->
                "The device is lost to this process; the record is kept and the next run starts in a fresh process. If that fails "
                        + "too, look at nvidia-smi and the system's log.";
            default ->
                "The device's context is lost; the record is kept and the next run starts in a fresh process. If it happens "
                        + "again, report it with the engine, the options and driver CUDA " + device.driver().text()
                        + ".";
        };
    }
}
