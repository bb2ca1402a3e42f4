package org.inferometer.execution.cuda.device;

import jcuda.driver.CUresult;

/// A failed call of the CUDA driver.
public final class CudaFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    private CudaFailure(String call, int code) {
        super(call + " answered " + CUresult.stringFor(code) + " (" + code + ")");
        this.code = code;
    }

    /// Throws unless the code is success.
    public static void require(String call, int code) {
        if (code != CUresult.CUDA_SUCCESS) {
            throw new CudaFailure(call, code);
        }
    }

    int code() {
        return code;
    }

    public boolean outOfMemory() {
        return code == CUresult.CUDA_ERROR_OUT_OF_MEMORY;
    }

    /// Whether the device's context is unusable from now on.
    boolean losesTheContext() {
        return switch (code) {
            case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, CUresult.CUDA_ERROR_LAUNCH_FAILED,
                    CUresult.CUDA_ERROR_LAUNCH_TIMEOUT, CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
                    CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION, CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
                    CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE, CUresult.CUDA_ERROR_INVALID_PC,
                    CUresult.CUDA_ERROR_ASSERT, CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE, CUresult.CUDA_ERROR_NO_DEVICE,
                    CUresult.CUDA_ERROR_DEINITIALIZED, CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
                    CUresult.CUDA_ERROR_UNKNOWN ->
                true;
            default -> false;
        };
    }
}
