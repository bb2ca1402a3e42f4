package org.inferometer.execution.check;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.ModelWeights.LayerWeights;
import org.inferometer.engine.ModelWeights.Linear;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.LittleEndian;

/// Models whose keys and values no single scale fits, for comparing caches of 8 bits. The two KV heads differ by 10^4.
/// Every eighth channel of a key is a hundred times the others. Values of one head differ by 10^4 between positions.
public final class SpreadModel {
    private static final double[] OF_KV_HEAD = {100, 0.01};
    private static final double OUTLIER = 100;
    private static final int OUTLIER_EVERY = 8;
    private static final double SMALL_POSITION = 1e-4;

    private SpreadModel() {}

    /// Weights in BF16 for a shape of one layer and two KV heads. Scores and outputs have the usual size, because queries
    /// and the columns of the output make up for it.
    public static RandomModel of(ModelShape shape, long seed) {
        ModelWeights weights = RandomModel.of(shape, Precision.BF16, seed).weights();
        LayerWeights layer = weights.layers().getFirst();
        int headDim = shape.headDim();
        int group = shape.heads() / shape.kvHeads();
        IntToDoubleFunction ofKey = row -> OF_KV_HEAD[row / headDim] * outlier(row % headDim, headDim);
        IntToDoubleFunction ofQuery = row -> 1 / OF_KV_HEAD[row / headDim / group] / outlier(row % headDim, headDim);
        LayerWeights spread = new LayerWeights(layer.attentionNorm(),
                times(layer.query(), (row, column) -> ofQuery.applyAsDouble(row)),
                times(layer.key(), (row, column) -> ofKey.applyAsDouble(row)),
                // The values of the second head come from the first input alone.
                times(layer.value(),
                        (row, column) -> row < headDim ? OF_KV_HEAD[0]
                                : column == 0 ? OF_KV_HEAD[1] * Math.sqrt(shape.hidden())
                                : 0),
                layer.queryNorm(), layer.keyNorm(),
                times(layer.output(), (row, column) -> 1 / OF_KV_HEAD[column / headDim / group]),
                layer.feedForwardNorm(), layer.feedForward());
        WeightMatrix embedding =
                times(weights.embedding(), (token, column) -> column == 0 && token % 2 == 0 ? SMALL_POSITION : 1);
        return new RandomModel(shape,
                new ModelWeights(embedding, weights.positions(), List.of(spread), weights.finalNorm(), weights.head()));
    }

    /// The factor of a channel; those that RoPE turns together have one.
    private static double outlier(int channel, int headDim) {
        return channel % (headDim / 2) % OUTLIER_EVERY == 0 ? OUTLIER : 1;
    }

    private interface Factor {
        double of(int row, int column);
    }

    private static Linear times(Linear linear, Factor factor) {
        return new Linear(times(linear.weight(), factor), linear.bias(), linear.order());
    }

    private static WeightMatrix times(WeightMatrix matrix, Factor factor) {
        int columns = matrix.columns();
        MemorySegment values = MemorySegment.ofArray(new byte[Short.BYTES * matrix.rows() * columns]);
        float[] row = new float[columns];
        for (int i = 0; i < matrix.rows(); i++) {
            matrix.row(i, row, 0);
            for (int k = 0; k < columns; k++) {
                values.set(LittleEndian.SHORT, (long) Short.BYTES * (i * columns + k),
                        Bfloat16.encode((float) (row[k] * factor.of(i, k))));
            }
        }
        return new WeightMatrix.Bf16(matrix.rows(), columns, values);
    }
}
