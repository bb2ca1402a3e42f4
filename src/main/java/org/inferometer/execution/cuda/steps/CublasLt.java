package org.inferometer.execution.cuda.steps;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.List;
import org.inferometer.execution.backend.NativeFunctions;
import org.inferometer.execution.cuda.device.CudaFailure;

/// The functions of cuBLASLt that the backend calls, and their constants (cuBLAS 12 and 13). Device addresses, handles and
/// host addresses are passed as numbers.
///
/// The library stays loaded until the process ends. Safe for several threads, each with its own handle.
public final class CublasLt {
    /// Opaque state of an algorithm; the first field of a heuristic result.
    static final int ALGORITHM_BYTES = 64;
    /// Algorithm, workspace size, status, waves, four reserved words.
    static final int HEURISTIC_BYTES = ALGORITHM_BYTES + Long.BYTES + 2 * Integer.BYTES + 4 * Integer.BYTES;
    static final int HEURISTIC_STATUS = ALGORITHM_BYTES + Long.BYTES;
    static final int REAL_32F = 0;
    static final int REAL_16BF = 14;
    static final int TRANSPOSED = 1;
    private static final int COMPUTE_32F = 68;
    private static final int DESCRIPTION_TRANSPOSE_A = 3;
    private static final int PREFERENCE_WORKSPACE_BYTES = 1;
    private static final int VERSION_PARTS = 3;
    private static final int MATMUL_ARGUMENTS = 16;
    private static final List<String> NEEDED = List.of("cublasLtGetProperty", "cublasLtCreate",
            "cublasLtMatmulDescCreate", "cublasLtMatmulDescSetAttribute", "cublasLtMatrixLayoutCreate",
            "cublasLtMatmulPreferenceCreate", "cublasLtMatmulPreferenceSetAttribute", "cublasLtMatmulAlgoGetHeuristic");

    private final NativeFunctions functions;
    private final MethodHandle matmul;
    private final String version;

    private CublasLt(NativeFunctions functions) {
        this.functions = functions;
        NEEDED.forEach(functions.symbols()::findOrThrow);
        matmul = functions.function("cublasLtMatmul", JAVA_INT,
                Collections.nCopies(MATMUL_ARGUMENTS, JAVA_LONG).toArray(MemoryLayout[]::new));
        StringBuilder text = new StringBuilder();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment part = arena.allocate(JAVA_INT);
            for (int i = 0; i < VERSION_PARTS; i++) {
                require("cublasLtGetProperty", i, part.address());
                text.append(i == 0 ? "" : ".").append(part.get(JAVA_INT, 0));
            }
        }
        version = text.toString();
    }

    /// Loads the library of this name or path.
    ///
    /// @throws IllegalArgumentException if it cannot be loaded
    /// @throws NoSuchElementException if it lacks a function
    /// @throws CudaFailure.OfCublas if it does not tell its version
    static CublasLt load(String name) {
        return new CublasLt(new NativeFunctions(SymbolLookup.libraryLookup(name, Arena.global())));
    }

    /// As "13.0.2".
    public String version() {
        return version;
    }

    private int call(String name, Object... arguments) {
        return (int) functions.call(name, JAVA_INT, arguments);
    }

    private void require(String name, Object... arguments) {
        CudaFailure.OfCublas.require(name, call(name, arguments));
    }

    /// Objects that the library makes, each with its function that destroys it.
    enum Made {
        HANDLE("cublasLtDestroy"), DESCRIPTION("cublasLtMatmulDescDestroy"), LAYOUT("cublasLtMatrixLayoutDestroy"),
        PREFERENCE("cublasLtMatmulPreferenceDestroy");

        private final String destroy;

        Made(String destroy) {
            this.destroy = destroy;
        }
    }

    /// Destroys an object. Errors are ignored, because a lost device has released everything.
    void destroy(Made kind, long object) {
        call(kind.destroy, object);
    }

    /// A handle for the current context; returns the status.
    int create(MemorySegment handle) {
        return call("cublasLtCreate", handle.address());
    }

    /// A product Aᵀ·B that adds in FP32.
    long description(MemorySegment result) {
        require("cublasLtMatmulDescCreate", result.address(), COMPUTE_32F, REAL_32F);
        long description = result.get(JAVA_LONG, 0);
        result.set(JAVA_INT, 0, TRANSPOSED);
        require("cublasLtMatmulDescSetAttribute", description, DESCRIPTION_TRANSPOSE_A, result.address(),
                (long) Integer.BYTES);
        return description;
    }

    /// A preference of algorithms with at most this workspace.
    long preference(MemorySegment result, long workspaceBytes) {
        require("cublasLtMatmulPreferenceCreate", result.address());
        long preference = result.get(JAVA_LONG, 0);
        result.set(JAVA_LONG, 0, workspaceBytes);
        require("cublasLtMatmulPreferenceSetAttribute", preference, PREFERENCE_WORKSPACE_BYTES, result.address(),
                (long) Long.BYTES);
        return preference;
    }

    /// The layout of a matrix in columns.
    ///
    /// @param type of its elements
    /// @param stride elements from one column to the next
    long layout(MemorySegment result, int type, long rows, long columns, long stride) {
        require("cublasLtMatrixLayoutCreate", result.address(), type, rows, columns, stride);
        return result.get(JAVA_LONG, 0);
    }

    /// The objects of a product of one shape.
    ///
    /// @param a layout of A, b of B, d of the result
    record Shape(long handle, long description, long a, long b, long d) {}

    /// The best algorithm for a shape.
    ///
    /// @param result [#HEURISTIC_BYTES]
    /// @param count receives the number of algorithms, 0 or 1
    int heuristic(Shape shape, long preference, MemorySegment result, MemorySegment count) {
        return call("cublasLtMatmulAlgoGetHeuristic", shape.handle(), shape.description(), shape.a(), shape.b(),
                shape.d(), shape.d(), preference, 1, result.address(), count.address());
    }

    /// The device addresses of a product.
    record Addresses(long a, long b, long d, long workspace, long workspaceBytes) {}

    /// Enqueues D = Aᵀ·B.
    ///
    /// @param factors FP32 1 and 0
    int matmul(Shape shape, MemorySegment factors, Addresses at, MemorySegment algorithm, long stream) {
        try {
            long one = factors.address();
            long zero = one + Float.BYTES;
            return (int) matmul.invokeExact(shape.handle(), shape.description(), one, at.a(), shape.a(), at.b(),
                    shape.b(), zero, at.d(), shape.d(), at.d(), shape.d(), algorithm.address(), at.workspace(),
                    at.workspaceBytes(), stream);
        } catch (Throwable e) {
            throw NativeFunctions.failed("cublasLtMatmul", e);
        }
    }
}
