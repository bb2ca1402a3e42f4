package org.inferometer.execution.cuda.device;

import java.util.Map;
import jcuda.driver.CUresult;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaReport.DriverVersion;

/// A failed call of the CUDA driver or of cuBLASLt.
public sealed class CudaFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    private CudaFailure(String call, String answer, int code) {
        super(call + " answered " + answer);
        this.code = code;
    }

    /// Throws unless the code is success.
    public static void require(String call, int code) {
        if (code != CUresult.CUDA_SUCCESS) {
            throw new CudaFailure(call, CUresult.stringFor(code) + " (" + code + ")", code);
        }
    }

    public boolean outOfMemory() {
        return code == CUresult.CUDA_ERROR_OUT_OF_MEMORY;
    }

    /// What to do if an executor could not be opened, the end of a sentence.
    public String remedy() {
        return outOfMemory() ? DeviceMemory.waysOut() : "check nvidia-smi";
    }

    /// The failure during a run, with advice; the cause has call and code for the log.
    ///
    /// @param work the failed work: "Step 7"
    public ExecutorException during(String work, CudaDevice device) {
        return new ExecutorException(work + " failed on GPU " + device.index() + " (" + device.name() + "): "
                + getMessage() + advice(device.driver()), this);
    }

    String advice(DriverVersion driver) {
        if (outOfMemory()) {
            return ". The device is out of memory; " + DeviceMemory.waysOut() + ".";
        }
        return switch (code) {
            case CUresult.CUDA_ERROR_ECC_UNCORRECTABLE, CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_NO_DEVICE, CUresult.CUDA_ERROR_UNKNOWN ->
                ". The device is lost for this process and the record is kept. The next run starts a new process. If that fails "
                        + "too, check nvidia-smi and the system log.";
            case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, CUresult.CUDA_ERROR_LAUNCH_FAILED,
                    CUresult.CUDA_ERROR_LAUNCH_TIMEOUT, CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
                    CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION, CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
                    CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE, CUresult.CUDA_ERROR_INVALID_PC,
                    CUresult.CUDA_ERROR_ASSERT, CUresult.CUDA_ERROR_DEINITIALIZED,
                    CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED ->
                ". The device's context is lost and the record is kept. The next run starts a new process. If it happens "
                        + "again, report it with the engine, the options and driver CUDA " + driver.text() + ".";
            default -> ". The run ends and its record is kept. The next run starts a new process.";
        };
    }

    /// A failed call of cuBLASLt.
    public static final class OfCublas extends CudaFailure {
        public static final int NOT_SUPPORTED = 15;
        private static final long serialVersionUID = 1L;
        private static final Map<Integer, String> STATUSES = Map.of(1, "NOT_INITIALIZED", 3, "ALLOC_FAILED", 7,
                "INVALID_VALUE", 8, "ARCH_MISMATCH", 11, "MAPPING_ERROR", 13, "EXECUTION_FAILED", 14, "INTERNAL_ERROR",
                NOT_SUPPORTED, "NOT_SUPPORTED", 16, "LICENSE_ERROR");

        private OfCublas(String call, int status) {
            super(call, text(status), 0);
        }

        /// Throws unless the status is success.
        public static void require(String call, int status) {
            if (status != 0) {
                throw new OfCublas(call, status);
            }
        }

        /// As "CUBLAS_STATUS_NOT_SUPPORTED (15)".
        public static String text(int status) {
            String name = STATUSES.get(status);
            return name == null ? "status " + status : "CUBLAS_STATUS_" + name + " (" + status + ")";
        }

        @Override
        public String remedy() {
            return "compute with gemm=own";
        }

        @Override
        String advice(DriverVersion driver) {
            return "; " + remedy() + ".";
        }
    }
}
