package org.inferometer.execution.host.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.machine.WorkerGroup;

/// All matrices of a model in the layout of the kernels; shared by the lanes, immutable. Closed after the lanes.
public final class PackedModel implements AutoCloseable {
    /// A linear map; the bias is padded to whole units and empty where there is none.
    public record Linear(PackedMatrix matrix, float[] bias) {
        public boolean integers() {
            return matrix.precision().isInteger();
        }
    }

    /// The feed-forward matrices; `gate` is absent (equal to `up`) outside SwiGLU, as `gated` tells.
    public record FeedForward(boolean gated, Linear gate, Linear up, Linear down) {}

    /// The matrices of one block.
    public record Layer(Linear query, Linear key, Linear value, Linear output, FeedForward feedForward) {}

    private final Map<WeightMatrix, PackedMatrix> packed = new IdentityHashMap<>();
    private final List<Layer> layers = new ArrayList<>();
    private final Linear head;
    private final Arena arena;

    /// Owns the packed matrices and their arena.
    ///
    /// @param matrices one for each of [#distinct]
    PackedModel(ModelWeights weights, List<PackedMatrix> matrices, Arena arena) {
        this.arena = arena;
        matrices.forEach(matrix -> packed.put(matrix.source(), matrix));
        for (ModelWeights.LayerWeights layer : weights.layers()) {
            layers.add(new Layer(linear(layer.query()), linear(layer.key()), linear(layer.value()),
                    linear(layer.output()), feedForward(layer.feedForward())));
        }
        head = new Linear(of(weights.head()), new float[0]);
    }

    /// Packs into memory with the given number of threads.
    ///
    /// @throws OutOfMemoryError when memory does not suffice; nothing is kept
    public static PackedModel inMemory(ModelWeights weights, int threads) {
        Arena arena = Arena.ofShared();
        try {
            return new PackedModel(weights, packAll(weights, arena, threads), arena);
        } catch (RuntimeException | Error failed) {
            arena.close();
            throw failed;
        }
    }

    /// Bytes of the packed matrices.
    public static long bytes(ModelWeights weights) {
        return distinct(weights).stream().mapToLong(PackedMatrix::bytes).sum();
    }

    public Layer layer(int index) {
        return layers.get(index);
    }

    public Linear head() {
        return head;
    }

    private FeedForward feedForward(ModelWeights.FeedForward source) {
        return switch (source) {
            case ModelWeights.FeedForward.SwiGlu(var gate, var up, var down) ->
                new FeedForward(true, linear(gate), linear(up), linear(down));
            case ModelWeights.FeedForward.Gelu(var up, var down) ->
                new FeedForward(false, linear(up), linear(up), linear(down));
        };
    }

    private Linear linear(ModelWeights.Linear source) {
        int units = Math.ceilDiv(source.weight().rows(), Vectors.UNIT);
        float[] bias = source.bias().length == 0 ? source.bias() : Arrays.copyOf(source.bias(), units * Vectors.UNIT);
        return new Linear(of(source.weight()), bias);
    }

    private static List<PackedMatrix> packAll(ModelWeights weights, Arena arena, int threads) {
        record Piece(PackedMatrix matrix, int unit) {}
        List<WeightMatrix> sources = distinct(weights);
        PackedMatrix[] matrices = new PackedMatrix[sources.size()];
        try (WorkerGroup group = new WorkerGroup("inferometer-packing", threads)) {
            // In parallel, because zeroing new memory takes a large part of the packing time.
            group.run((worker, item) -> matrices[item] = new PackedMatrix(sources.get(item), arena), matrices.length);
            List<Piece> pieces = new ArrayList<>();
            for (PackedMatrix matrix : matrices) {
                for (int unit = 0; unit < matrix.units(); unit++) {
                    pieces.add(new Piece(matrix, unit));
                }
            }
            group.run((worker, item) -> pieces.get(item).matrix().packUnit(pieces.get(item).unit()), pieces.size());
        } catch (IllegalStateException failed) {
            if (failed.getCause() instanceof OutOfMemoryError lacking) {
                throw lacking;
            }
            throw failed;
        }
        sources.forEach(PackedModel::unload);
        return List.of(matrices);
    }

    /// Frees the memory; closing twice is allowed.
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /// The packed form of a matrix of the model.
    PackedMatrix of(WeightMatrix matrix) {
        PackedMatrix found = packed.get(matrix);
        if (found == null) {
            throw new IllegalStateException("A matrix was not packed");
        }
        return found;
    }

    /// Each matrix once, in the order of the layers, the head last; a tied head is the embedding's.
    public static List<WeightMatrix> distinct(ModelWeights weights) {
        Map<WeightMatrix, Boolean> seen = new IdentityHashMap<>();
        return Stream.concat(weights.layers().stream().flatMap(ModelWeights.LayerWeights::matrices),
                Stream.of(weights.head())).filter(matrix -> seen.put(matrix, true) == null).toList();
    }

    /// Releases mapped pages that the packed form does not need.
    private static void unload(WeightMatrix matrix) {
        MemorySegment source = switch (matrix) {
            case WeightMatrix.Bf16 bf16 -> bf16.values();
            case WeightMatrix.Fp8 fp8 -> fp8.values();
            case WeightMatrix.Int8 int8 -> int8.values();
            case WeightMatrix.Int4 int4 -> int4.nibbles();
        };
        if (source.isMapped()) {
            source.unload();
        }
    }
}
