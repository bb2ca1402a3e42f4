package org.inferometer.execution.cuda.steps;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.ReleaseStack;

/// A lane's use of cuBLASLt: its handle, its memory, and the algorithm of each shape, which is asked for once. Used by one
/// lane with the device's context current; never while its stream is captured.
public final class LaneGemm implements AutoCloseable {
    private final CublasLt library;
    private final GemmSizes sizes;
    private final GemmScratch scratch;
    private final long stream;
    private final ReleaseStack held = new ReleaseStack();
    private final Arena arena = held.taken(Arena.ofShared(), Arena::close);
    private final MemorySegment factors = arena.allocateFrom(JAVA_FLOAT, 1, 0);
    private final MemorySegment result = arena.allocate(JAVA_LONG);
    private final Map<GemmShape, Prepared> prepared = new HashMap<>();
    private final long handle;
    private final long description;
    private final long preference;

    private record GemmShape(int outputs, int inputs, int tokens) {
        @Override
        public String toString() {
            return outputs + " outputs, " + inputs + " inputs and " + tokens + " tokens";
        }
    }

    private record Prepared(CublasLt.Shape shape, MemorySegment algorithm) {}

    public LaneGemm(CublasLt library, GemmSizes sizes, GemmScratch scratch, DeviceStream stream) {
        this.library = library;
        this.sizes = sizes;
        this.scratch = scratch;
        this.stream = stream.handle();
        try {
            CudaFailure.OfCublas.require("cublasLtCreate", library.create(result));
            handle = held(CublasLt.Made.HANDLE, result.get(JAVA_LONG, 0));
            description = held(CublasLt.Made.DESCRIPTION, library.description(result));
            preference = held(CublasLt.Made.PREFERENCE, library.preference(result, GemmSizes.WORKSPACE_BYTES));
        } catch (RuntimeException | Error failed) {
            held.close();
            throw failed;
        }
    }

    private long held(CublasLt.Made kind, long object) {
        return held.taken(object, made -> library.destroy(kind, made));
    }

    GemmSizes sizes() {
        return sizes;
    }

    GemmScratch scratch() {
        return scratch;
    }

    public boolean takes(int tokens) {
        return tokens >= sizes.setup().leastTokens();
    }

    /// Enqueues sums `[tokens][outputs]` = x · widenedᵀ.
    ///
    /// @param outputs rows of widened weights
    /// @param x BF16 `[tokens][inputs]`, with rows for padded tokens
    public void multiply(int outputs, int inputs, DeviceAddress x, int tokens) {
        GemmShape shape = new GemmShape(outputs, inputs, GemmSizes.padded(tokens));
        Prepared ready = prepared.computeIfAbsent(shape, this::prepare);
        CudaFailure.OfCublas.require("cublasLtMatmul of " + shape,
                library.matmul(
                        ready.shape(), factors, new CublasLt.Addresses(scratch.widened().value(), x.value(),
                                scratch.sums().value(), scratch.workspace().value(), GemmSizes.WORKSPACE_BYTES),
                        ready.algorithm(), stream));
    }

    /// The library's matrices have columns: rows of weights, of x and of the sums are columns here.
    private Prepared prepare(GemmShape shape) {
        CublasLt.Shape objects =
                new CublasLt.Shape(handle, description, layout(CublasLt.REAL_16BF, shape.inputs(), shape.outputs()),
                        layout(CublasLt.REAL_16BF, shape.inputs(), shape.tokens()),
                        layout(CublasLt.REAL_32F, shape.outputs(), shape.tokens()));
        MemorySegment chosen = arena.allocate(CublasLt.HEURISTIC_BYTES, Long.BYTES);
        String call = "cublasLtMatmulAlgoGetHeuristic of " + shape;
        CudaFailure.OfCublas.require(call, library.heuristic(objects, preference, chosen, result));
        CudaFailure.OfCublas.require(call, result.get(JAVA_INT, 0) < 1 ? CudaFailure.OfCublas.NOT_SUPPORTED
                : chosen.get(JAVA_INT, CublasLt.HEURISTIC_STATUS));
        return new Prepared(objects, chosen.asSlice(0, CublasLt.ALGORITHM_BYTES));
    }

    private long layout(int type, long rows, long columns) {
        return held(CublasLt.Made.LAYOUT, library.layout(result, type, rows, columns, rows));
    }

    @Override
    public void close() {
        held.close();
    }

    /// A lane's memory for products that cuBLASLt computes.
    ///
    /// @param widened BF16 `[outputs of a slice][padded inputs]`
    /// @param sums FP32 `[tokens][outputs of a slice]`
    /// @param workspace of the library
    public record GemmScratch(DeviceAddress widened, DeviceAddress sums, DeviceAddress workspace) {
        /// Allocates it.
        ///
        /// @throws ExecutorException when the device's memory does not suffice
        public static GemmScratch take(GemmSizes sizes, DeviceMemory memory) throws ExecutorException {
            DeviceMemory.Owner owner = DeviceMemory.Owner.WORKSPACE;
            return new GemmScratch(memory.take(owner, sizes.widenedBytes()), memory.take(owner, sizes.sumBytes()),
                    memory.take(owner, GemmSizes.WORKSPACE_BYTES));
        }
    }
}
