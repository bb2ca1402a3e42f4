package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.E4m3;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.ModelWeights.LayerWeights;
import org.inferometer.engine.ModelWeights.Linear;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.backend.ReferenceForward.Rounding;
import org.inferometer.execution.backend.ReferenceSequences;
import org.inferometer.execution.cuda.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys and values that no single scale fits, in an FP8 cache: KV heads differ by 10^4, every eighth channel of a key is a
/// hundred times the others, and the values of one head differ by 10^4 between positions.
class ScaledCacheEmulatedTest {
    private static final int POSITIONS = 90;
    private static final double[] OF_KV_HEAD = {100, 0.01};
    private static final double OUTLIER = 100;
    private static final double SMALL_POSITION = 1e-4;

    @BeforeEach
    void freshDriver() {
        EmulatedDriver.load();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 128, 24})
    void gpuAgreesWithTheReference(int headDim) throws Exception {
        RandomModel model = spread(headDim);
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, POSITIONS, 5);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP8);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP8, false))) {
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(0, tokens, POSITIONS), expected, 0.06, 0.03);
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(1, tokens, 71, 3, 1), expected, 0.06, 0.03);
        }
    }

    @Test
    void scalesKeepWhatAnUnscaledCacheLoses() {
        RandomModel model = spread(64);
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, POSITIONS, 5);
        Rounding scaled = CudaAgreement.rounding(KvDtype.FP8);
        Rounding unscaled = new Rounding(scaled.input(), scaled.query(),
                Rounding.Cached.each(x -> E4m3.decode(E4m3.encode((float) x))), scaled.normFolded());
        double[][] exact = CudaRun.reference(model, tokens, KvDtype.FP16);
        assertThat(deviation(ReferenceSequences.logits(model, scaled, tokens), exact)).isLessThan(0.05);
        assertThat(deviation(ReferenceSequences.logits(model, unscaled, tokens), exact)).isGreaterThan(0.1);
    }

    @Test
    void recordAndMemoryHaveTheScales() throws Exception {
        try (CudaRun run = new CudaRun(spread(64), CudaRun.options(1, 16, KvDtype.FP8, false))) {
            KvGeometry pool = run.executor().pools().getFirst();
            assertThat(pool.blockBytes()).isEqualTo(16 * 2 * 2 * (64 + 1));
            assertThat(run.executor().memory().kvBytes()).isEqualTo(pool.bytes());
            assertThat(run.executor().description())
                    .contains(", KV cache in FP8 E4M3 with a power of two as scale per position and KV head, ");
        }
    }

    /// Root mean square of the differences, as a share of that of the exact logits.
    private static double deviation(double[][] logits, double[][] exact) {
        double differences = 0;
        double squares = 0;
        for (int i = 0; i < exact.length; i++) {
            for (int id = 0; id < exact[i].length; id++) {
                differences += (logits[i][id] - exact[i][id]) * (logits[i][id] - exact[i][id]);
                squares += exact[i][id] * exact[i][id];
            }
        }
        return Math.sqrt(differences / squares);
    }

    /// One layer whose scores and outputs have the usual size, because queries and the output's columns make up for it.
    private static RandomModel spread(int headDim) {
        ModelShape shape = RandomModel.shape(ModelFamily.LLAMA, 1, 64, 48, 4, 2, headDim, 50, null);
        RandomModel plain = RandomModel.of(shape, Precision.BF16, 12);
        LayerWeights layer = plain.weights().layers().getFirst();
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
        WeightMatrix embedding = times(plain.weights().embedding(),
                (token, column) -> column == 0 && token % 2 == 0 ? SMALL_POSITION : 1);
        ModelWeights weights = plain.weights();
        return new RandomModel(shape,
                new ModelWeights(embedding, weights.positions(), List.of(spread), weights.finalNorm(), weights.head()));
    }

    /// The factor of a channel; those that RoPE turns together have one.
    private static double outlier(int channel, int headDim) {
        return channel % (headDim / 2) % 8 == 0 ? OUTLIER : 1;
    }

    private interface Factor {
        double of(int row, int column);
    }

    private static Linear times(Linear linear, Factor factor) {
        return new Linear(times(linear.weight(), factor), linear.bias());
    }

    private static WeightMatrix times(WeightMatrix matrix, Factor factor) {
        int columns = matrix.columns();
        MemorySegment values = MemorySegment.ofArray(new byte[2 * matrix.rows() * columns]);
        float[] row = new float[columns];
        for (int i = 0; i < matrix.rows(); i++) {
            matrix.row(i, row, 0);
            for (int k = 0; k < columns; k++) {
                values.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 2L * (i * columns + k),
                        Bfloat16.encode((float) (row[k] * factor.of(i, k))));
            }
        }
        return new WeightMatrix.Bf16(matrix.rows(), columns, values);
    }
}
