package org.inferometer.execution.cuda.steps;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.CudaOptions;

/// Where cuBLASLt is looked for, and which products it computes.
///
/// @param names of the library as the system's loader takes them, in order
/// @param leastTokens of a product that it computes
/// @param sliceBytes most bytes of widened weights, and of sums, at a time
public record GemmSetup(List<String> names, int leastTokens, long sliceBytes) {
    /// An estimate; no card has measured it. On an H200 with 4,096 inputs, widening a weight takes 0.9 ps and a token
    /// gains 2 fs of it by faster tensor-core instructions: both are equal at about 440 tokens.
    private static final int STANDARD_LEAST_TOKENS = 512;
    private static final long STANDARD_SLICE_BYTES = 128L << 20;
    /// For the loader's usual places on this system.
    public static final GemmSetup STANDARD = new GemmSetup(System.getProperty("os.name", "").startsWith("Windows")
            ? List.of("cublasLt64_13.dll", "cublasLt64_12.dll") : List.of("libcublasLt.so.13", "libcublasLt.so.12"),
            STANDARD_LEAST_TOKENS, STANDARD_SLICE_BYTES);

    public GemmSetup {
        names = List.copyOf(names);
    }

    /// The same for products of fewer tokens.
    public GemmSetup from(int tokens) {
        return new GemmSetup(names, tokens, sliceBytes);
    }

    /// The first library that works, with the device's context current; empty if the backend's own kernels compute all
    /// products. `own` and `wgmma` never look.
    ///
    /// @throws ExecutorException if the library is required and lacking: what, where looked, what to do
    public Optional<CublasLt> find(CudaOptions.Gemm wanted) throws ExecutorException {
        List<String> tried = new ArrayList<>();
        if (wanted == CudaOptions.Gemm.AUTO || wanted == CudaOptions.Gemm.CUBLASLT) {
            for (String name : names) {
                try {
                    CublasLt library = CublasLt.load(name);
                    int status = trial(library);
                    if (status == 0) {
                        return Optional.of(library);
                    }
                    tried.add(name + " answered " + CudaFailure.OfCublas.text(status));
                } catch (IllegalArgumentException missing) {
                    tried.add(name + " cannot be loaded");
                } catch (NoSuchElementException | CudaFailure.OfCublas unusable) {
                    tried.add(name + ": " + unusable.getMessage());
                }
            }
        }
        if (wanted == CudaOptions.Gemm.CUBLASLT) {
            throw new ExecutorException("gemm=cublaslt needs cuBLASLt, which was not found (" + String.join(", ", tried)
                    + "); install cuBLAS of CUDA 12 or 13 and let the loader find it (LD_LIBRARY_PATH, on Windows PATH), "
                    + "or use gemm=own.");
        }
        return Optional.empty();
    }

    /// A library that is newer than the driver gives no handle.
    private static int trial(CublasLt library) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            int status = library.create(handle);
            if (status == 0) {
                library.destroy(CublasLt.Made.HANDLE, handle.get(JAVA_LONG, 0));
            }
            return status;
        }
    }
}
