package org.inferometer.execution.cuda.steps;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
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

    private final SymbolLookup symbols;
    private final MethodHandle property;
    private final MethodHandle create;
    private final MethodHandle createDescription;
    private final MethodHandle setDescription;
    private final MethodHandle createLayout;
    private final MethodHandle createPreference;
    private final MethodHandle setPreference;
    private final MethodHandle heuristic;
    private final MethodHandle matmul;
    private final String version;

    private CublasLt(SymbolLookup symbols) {
        this.symbols = symbols;
        property = function("cublasLtGetProperty", JAVA_INT, JAVA_LONG);
        create = function("cublasLtCreate", JAVA_LONG);
        createDescription = function("cublasLtMatmulDescCreate", JAVA_LONG, JAVA_INT, JAVA_INT);
        setDescription = function("cublasLtMatmulDescSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        createLayout = function("cublasLtMatrixLayoutCreate", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        createPreference = function("cublasLtMatmulPreferenceCreate", JAVA_LONG);
        setPreference = function("cublasLtMatmulPreferenceSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        heuristic = function("cublasLtMatmulAlgoGetHeuristic", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        matmul = function("cublasLtMatmul", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        version = version(property);
    }

    /// Loads the library of this name or path.
    ///
    /// @throws IllegalArgumentException if it cannot be loaded
    /// @throws NoSuchElementException if it lacks a function
    /// @throws CudaFailure.OfCublas if it does not tell its version
    static CublasLt load(String name) {
        return new CublasLt(SymbolLookup.libraryLookup(name, Arena.global()));
    }

    /// As "13.0.2".
    public String version() {
        return version;
    }

    private static String version(MethodHandle property) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment part = arena.allocate(JAVA_INT);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < VERSION_PARTS; i++) {
                CudaFailure.OfCublas.require("cublasLtGetProperty", (int) property.invokeExact(i, part.address()));
                text.append(i == 0 ? "" : ".").append(part.get(JAVA_INT, 0));
            }
            return text.toString();
        } catch (Throwable e) {
            throw failed("cublasLtGetProperty", e);
        }
    }

    private MethodHandle function(String name, MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, arguments));
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
        try {
            int ignored = (int) function(kind.destroy, JAVA_LONG).invokeExact(object);
        } catch (Throwable e) {
            throw failed(kind.destroy, e);
        }
    }

    /// A handle for the current context; returns the status.
    int create(MemorySegment handle) {
        try {
            return (int) create.invokeExact(handle.address());
        } catch (Throwable e) {
            throw failed("cublasLtCreate", e);
        }
    }

    /// A product Aᵀ·B that adds in FP32.
    long description(MemorySegment result) {
        try {
            CudaFailure.OfCublas.require("cublasLtMatmulDescCreate",
                    (int) createDescription.invokeExact(result.address(), COMPUTE_32F, REAL_32F));
            long description = result.get(JAVA_LONG, 0);
            result.set(JAVA_INT, 0, TRANSPOSED);
            CudaFailure.OfCublas.require("cublasLtMatmulDescSetAttribute", (int) setDescription.invokeExact(description,
                    DESCRIPTION_TRANSPOSE_A, result.address(), (long) Integer.BYTES));
            return description;
        } catch (Throwable e) {
            throw failed("cublasLtMatmulDescCreate", e);
        }
    }

    /// A preference of algorithms with at most this workspace.
    long preference(MemorySegment result, long workspaceBytes) {
        try {
            CudaFailure.OfCublas.require("cublasLtMatmulPreferenceCreate",
                    (int) createPreference.invokeExact(result.address()));
            long preference = result.get(JAVA_LONG, 0);
            result.set(JAVA_LONG, 0, workspaceBytes);
            CudaFailure.OfCublas.require("cublasLtMatmulPreferenceSetAttribute", (int) setPreference.invokeExact(preference,
                    PREFERENCE_WORKSPACE_BYTES, result.address(), (long) Long.BYTES));
            return preference;
        } catch (Throwable e) {
            throw failed("cublasLtMatmulPreferenceCreate", e);
        }
    }

    /// The layout of a matrix in columns.
    ///
    /// @param type of its elements
    /// @param stride elements from one column to the next
    long layout(MemorySegment result, int type, long rows, long columns, long stride) {
        try {
            CudaFailure.OfCublas.require("cublasLtMatrixLayoutCreate",
                    (int) createLayout.invokeExact(result.address(), type, rows, columns, stride));
            return result.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw failed("cublasLtMatrixLayoutCreate", e);
        }
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
        try {
            return (int) heuristic.invokeExact(shape.handle(), shape.description(), shape.a(), shape.b(), shape.d(),
                    shape.d(), preference, 1, result.address(), count.address());
        } catch (Throwable e) {
            throw failed("cublasLtMatmulAlgoGetHeuristic", e);
        }
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
            throw failed("cublasLtMatmul", e);
        }
    }

    private static RuntimeException failed(String call, Throwable e) {
        switch (e) {
            case RuntimeException known -> throw known;
            case Error known -> throw known;
            default -> throw new IllegalStateException(call + " could not be called", e);
        }
    }
}
