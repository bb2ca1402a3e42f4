package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps of few rows that each decode one token.
class DecodeStepEmulatedTest {
    private static final CudaOptions PLAIN = CudaRun.options(1, 16, KvDtype.FP16, false);
    /// Embedding, first norm; last norm, head, choice of a token.
    private static final int LAUNCHES_BESIDE_LAYERS = 4;

    private final EmulatedDriver driver = EmulatedDriver.load();

    private static float[][] decode(CudaRun run, int[] tokens, int sequences) {
        return run.step(0, IntStream.range(0, sequences).mapToObj(i -> run.slice(i, 0, new int[]{tokens[i]}, true))
                .toArray(StepSlice[]::new)).logits();
    }

    @ParameterizedTest
    @EnumSource(ModelFamily.class)
    void aLayerTakesFiveLaunchesAndEachLayerNormOne(ModelFamily family) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(family), Precision.INT4, 7);
        int layers = model.shape().layers();
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, 5, 1);
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            long before = driver.count(Count.LAUNCHES);
            decode(run, tokens, 4);
            long few = driver.count(Count.LAUNCHES) - before;
            decode(run, tokens, 5);
            long more = driver.count(Count.LAUNCHES) - before - few;
            long each = family == ModelFamily.GPT2 ? 7 : 5;
            assertThat(few).isEqualTo(LAUNCHES_BESIDE_LAYERS + each * layers);
            assertThat(more).isEqualTo(few);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDrawTakesTwoLaunchesMore(boolean graphs) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, graphs))) {
            long before = driver.count(Count.LAUNCHES);
            run.step(0, slice(Sampling.GREEDY));
            long greedy = driver.count(Count.LAUNCHES) - before;
            run.step(0, slice(new Sampling(1, 0, 0.9, 1)));
            assertThat(driver.count(Count.LAUNCHES) - before - greedy).isEqualTo(greedy + 2);
            assertThat(driver.launches("sample_draw")).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stepsNeedNoCopyByTheDriver(boolean graphs) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.GPT2), Precision.BF16, 7);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, graphs))) {
            long before = driver.count(Count.COPIES);
            run.step(0, slice(new Sampling(1, 0, 0.9, 1)));
            run.step(0, run.slice(0, 0, new int[]{1, 2, 3}, true));
            assertThat(driver.count(Count.COPIES)).isEqualTo(before);
        }
    }

    /// The blocks that copy the step table take several turns, and the table of a step is shorter than the one before.
    @Test
    void longAndShortBlockTablesReachTheDevice() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 7);
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, CudaRun.MAX_SEQUENCE, 4);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 1, KvDtype.FP16, true))) {
            int last = tokens.length - 1;
            run.step(0, run.slice(0, 0, Arrays.copyOf(tokens, last), false));
            for (int position : new int[]{last, 1, last}) {
                float[][] logits = run.step(0, run.slice(0, position, new int[]{tokens[position]}, true)).logits();
                CudaAgainstReferenceEmulatedTest.assertLogits(List.of(logits[0]), new double[][]{expected[position]},
                        0.02, 0.01);
            }
        }
    }

    private static StepSlice slice(Sampling sampling) {
        return new StepSlice(0, new int[]{3}, new int[]{0}, true, sampling);
    }

    @ParameterizedTest
    @EnumSource(ModelFamily.class)
    void aTokensOutputsAreTheSameBesideOneOrThreeOthers(ModelFamily family) throws Exception {
        RandomModel model = RandomModel.of(
                RandomModel.shape(family, 2, 1100, 40, 2, family == ModelFamily.GPT2 ? 2 : 1, 64, 50, null),
                Precision.INT4, 3);
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, 4, 2);
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            float[] alone = decode(run, tokens, 1)[0];
            assertThat(decode(run, tokens, 2)[0]).isEqualTo(alone);
            assertThat(decode(run, tokens, 3)[0]).isEqualTo(alone);
            assertThat(decode(run, tokens, 4)[0]).isEqualTo(alone);
        }
    }

    @Test
    void headsWiderThanTheKernelsHoldAreRefused() {
        RandomModel model =
                RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 32, 32, 1, 1, 258, 20, null), Precision.BF16, 1);
        assertThatThrownBy(() -> new CudaRun(model, PLAIN)).isInstanceOf(ExecutorException.class).hasMessage(
                "The cuda backend supports head dimensions up to 256; this model has 258. Use the host backend.");
    }
}
