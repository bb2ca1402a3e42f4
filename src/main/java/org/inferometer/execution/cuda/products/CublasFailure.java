package org.inferometer.execution.cuda.products;

import java.util.Map;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaDevice;

/// A failed call of cuBLASLt.
public final class CublasFailure extends RuntimeException {
    static final int NOT_SUPPORTED = 15;

    private static final long serialVersionUID = 1L;
    private static final Map<Integer, String> STATUSES =
            Map.of(1, "NOT_INITIALIZED", 3, "ALLOC_FAILED", 7, "INVALID_VALUE", 8, "ARCH_MISMATCH", 11, "MAPPING_ERROR",
                    13, "EXECUTION_FAILED", 14, "INTERNAL_ERROR", NOT_SUPPORTED, "NOT_SUPPORTED", 16, "LICENSE_ERROR");

    private CublasFailure(String call, int status) {
        super(call + " answered " + text(status));
    }

    /// Throws unless the status is success.
    static void require(String call, int status) {
        if (status != 0) {
            throw new CublasFailure(call, status);
        }
    }

    /// As "CUBLAS_STATUS_NOT_SUPPORTED (15)".
    static String text(int status) {
        String name = STATUSES.get(status);
        return name == null ? "status " + status : "CUBLAS_STATUS_" + name + " (" + status + ")";
    }

    /// The message with the way out.
    ///
    /// @param work the failed work: "Step 7"
    public ExecutorException exception(String work, CudaDevice device) {
        return new ExecutorException(work + " failed on GPU " + device.index() + " (" + device.name() + "): "
                + getMessage() + "; compute with gemm=own.", this);
    }
}
