package org.inferometer.execution.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;

/// All matrices of a model in the layout of the kernels; shared by the lanes, immutable.
final class PackedModel {
    /// A linear map; the bias is padded to whole units and empty where there is none.
    record Linear(PackedMatrix matrix, float[] bias) {
        boolean int4() {
            return matrix.precision() == Precision.INT4;
        }
    }

    /// The feed-forward matrices; `gate` is absent (equal to `up`) outside SwiGLU, as `gated` tells.
    record FeedForward(boolean gated, Linear gate, Linear up, Linear down) {}

    /// The matrices of one block.
    record Layer(Linear query, Linear key, Linear value, Linear output, FeedForward feedForward) {}

    private final Map<WeightMatrix, PackedMatrix> packed = new IdentityHashMap<>();
    private final List<Layer> layers = new ArrayList<>();
    private final Linear head;

    /// Packs with the given number of threads.
    PackedModel(ModelWeights weights, Arena arena, int threads) {
        for (WeightMatrix matrix : matrices(weights)) {
            packed.computeIfAbsent(matrix, source -> new PackedMatrix(source, arena));
        }
        packAll(threads);
        for (ModelWeights.LayerWeights layer : weights.layers()) {
            layers.add(new Layer(
                    linear(layer.query()), linear(layer.key()), linear(layer.value()), linear(layer.output()),
                    feedForward(layer.feedForward())));
        }
        head = new Linear(packed(weights.head()), new float[0]);
    }

    /// Bytes of the packed matrices.
    static long bytes(ModelWeights weights) {
        Map<WeightMatrix, Boolean> seen = new IdentityHashMap<>();
        long bytes = 0;
        for (WeightMatrix matrix : matrices(weights)) {
            if (seen.put(matrix, true) == null) {
                bytes += PackedMatrix.bytes(matrix);
            }
        }
        return bytes;
    }

    Layer layer(int index) {
        return layers.get(index);
    }

    Linear head() {
        return head;
    }

    private static List<WeightMatrix> matrices(ModelWeights weights) {
        List<WeightMatrix> matrices = new ArrayList<>();
        for (ModelWeights.LayerWeights layer : weights.layers()) {
            matrices.addAll(List.of(
                    layer.query().weight(), layer.key().weight(), layer.value().weight(), layer.output().weight()));
            switch (layer.feedForward()) {
                case ModelWeights.FeedForward.SwiGlu(var gate, var up, var down) ->
                    matrices.addAll(List.of(gate.weight(), up.weight(), down.weight()));
                case ModelWeights.FeedForward.Gelu(var up, var down) -> matrices.addAll(List.of(up.weight(), down.weight()));
            }
        }
        matrices.add(weights.head());
        return matrices;
    }

    private FeedForward feedForward(ModelWeights.FeedForward source) {
        return switch (source) {
            case ModelWeights.FeedForward.SwiGlu(var gate, var up, var down) ->
                new FeedForward(true, linear(gate), linear(up), linear(down));
            case ModelWeights.FeedForward.Gelu(var up, var down) -> new FeedForward(false, linear(up), linear(up), linear(down));
        };
    }

    private Linear linear(ModelWeights.Linear source) {
        int units = Math.ceilDiv(source.weight().rows(), Vectors.UNIT);
        float[] bias = source.bias().length == 0 ? source.bias() : Arrays.copyOf(source.bias(), units * Vectors.UNIT);
        return new Linear(packed(source.weight()), bias);
    }

    private PackedMatrix packed(WeightMatrix matrix) {
        PackedMatrix found = packed.get(matrix);
        if (found == null) {
            throw new IllegalStateException("A matrix was not packed");
        }
        return found;
    }

    private void packAll(int threads) {
        record Piece(PackedMatrix matrix, int unit) {}
        List<Piece> pieces = new ArrayList<>();
        packed.values().forEach(matrix -> {
            for (int unit = 0; unit < matrix.units(); unit++) {
                pieces.add(new Piece(matrix, unit));
            }
        });
        AtomicInteger next = new AtomicInteger();
        Runnable packer = () -> {
            for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
                pieces.get(i).matrix().packUnit(pieces.get(i).unit());
            }
        };
        try (WorkerGroup group = new WorkerGroup("inferometer-packing", threads)) {
            group.run((worker, item) -> packer.run(), threads);
        }
        packed.keySet().forEach(PackedModel::giveBack);
    }

    /// The mapped pages were read once and need not stay resident beside the packed form.
    private static void giveBack(WeightMatrix matrix) {
        MemorySegment source = switch (matrix) {
            case WeightMatrix.Bf16 bf16 -> bf16.values();
            case WeightMatrix.Fp8 fp8 -> fp8.values();
            case WeightMatrix.Int4 int4 -> int4.nibbles();
        };
        if (source.isMapped()) {
            source.unload();
        }
    }
}
