package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions.Activations;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.junit.jupiter.api.Test;

/// What an executor makes of the option `activations`.
class ActivationsTest {
    private static final int LENGTH = 32;

    @Test
    void roundedActivationsMoveLogitsByAFewPercent() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        List<float[]> exact = logits(model, Activations.FP32);
        List<float[]> rounded = logits(model, Activations.INT8);
        double size = 0;
        double moved = 0;
        for (int position = 0; position < LENGTH; position++) {
            for (int i = 0; i < exact.get(position).length; i++) {
                size += Math.pow(exact.get(position)[i], 2);
                moved += Math.pow(exact.get(position)[i] - rounded.get(position)[i], 2);
            }
        }
        assertThat(Math.sqrt(moved / size)).isBetween(1e-4, 0.05);
    }

    @Test
    void onlyIntegersMeetRoundedActivations() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.FP8, 7);
        List<float[]> exact = logits(model, Activations.FP32);
        List<float[]> rounded = logits(model, Activations.INT8);
        for (int position = 0; position < LENGTH; position++) {
            assertThat(rounded.get(position)).containsExactly(exact.get(position));
        }
    }

    @Test
    void descriptionNamesTheProducts() throws Exception {
        RandomModel int4 = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        RandomModel bf16 = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 7);
        assertThat(description(int4, Activations.FP32)).endsWith("deterministic");
        assertThat(description(bf16, Activations.INT8)).endsWith("deterministic");
        assertThat(description(int4, Activations.INT8)).contains("deterministic, 8-bit activations by ");
    }

    private static String description(RandomModel model, Activations activations) throws ExecutorException {
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, KvDtype.FP32, activations))) {
            return run.executor().description();
        }
    }

    private static List<float[]> logits(RandomModel model, Activations activations) throws ExecutorException {
        try (HostRun run = new HostRun(model, HostRun.options(2, 1, 16, KvDtype.FP32, activations))) {
            return run.feed(0, HostAgainstReferenceTest.tokens(model, LENGTH, 3), 1);
        }
    }
}
