package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.engine.E4m3;
import org.inferometer.engine.ModelFamily;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.check.CudaAgreement;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.check.ReferenceForward.Rounding;
import org.inferometer.execution.check.ReferenceSequences;
import org.inferometer.execution.check.SpreadModel;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys and values that no single scale fits, in an FP8 cache.
class ScaledCacheEmulatedTest {
    private static final int POSITIONS = 90;

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

    private static RandomModel spread(int headDim) {
        return SpreadModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 64, 48, 4, 2, headDim, 50, null), 12);
    }
}
