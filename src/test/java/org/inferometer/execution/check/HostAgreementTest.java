package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.AgreementCase.Tolerance;
import org.inferometer.execution.check.ReferenceForward.Rounding;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.steps.HostExecutor;
import org.inferometer.execution.host.steps.HostRun;
import org.inferometer.execution.host.steps.KvCache;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
class HostAgreementTest {
    private static final AgreementExtent SMALL = new AgreementExtent(List.of(1, 2, 17), 5);

    private final HostAgreement agreement = new HostAgreement(new SystemClock(), part -> {},
            new Agreement.Load(SMALL, new AgreementExtent(List.of(3, 40), 6), 1000, 8));

    @Test
    void optionsAgreeWithTheReferencePass() throws Exception {
        List<HostAgreement.HostCase> subjects = agreement.subjects();
        assertThat(subjects).hasSize(74).extracting(HostAgreement.HostCase::name).doesNotHaveDuplicates().contains(
                "Qwen3 INT4, FP32 cache, INT8 activations", "wide Llama FP8, BF16 cache",
                "wide Llama INT4 in groups of 32, FP32 cache, INT8 activations",
                "GPT-2 INT8, FP32 cache, INT8 activations",
                "wide Llama FP8 in groups of 128, FP32 cache, BF16 activations",
                "wide Llama INT4 with act-order, FP32 cache, INT8 activations", "Llama FP8, window of 17, BF16 cache");
        List<AgreementCase> cases = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i += LongForm.RUNS ? 1 : i < 60 ? 7 : 2) {
            cases.addAll(agreement.run(subjects.get(i)));
        }
        List<BackendFigure> ratios = new Agreement("host", "so much", cases).ratios();
        assertThat(ratios).singleElement().satisfies(ratio -> {
            assertThat(ratio.withinLimit()).as(ratio.sentence()).isTrue();
            assertThat(ratio.value()).isPositive();
            assertThat(ratio.sentence())
                    .matches("[0-9,]+ logits of " + cases.size() + " cases within so much; the worst is .*: Logit .*");
        });
    }

    @Test
    void tokensEqualTheReferenceSamplers() throws Exception {
        BackendFigure sampled = agreement.sampling();
        assertThat(sampled.withinLimit()).as(sampled.sentence()).isTrue();
    }

    @Test
    void anotherModelFailsWithTheNameOfTheCase() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.BF16, 1);
        RandomModel other = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.BF16, 2);
        AgreementCase wrong =
                run(other, ReferenceSequences.of(model, Rounding.NONE, SMALL, 3), "Qwen2 with other weights");
        AgreementCase right = run(model, ReferenceSequences.of(model, Rounding.NONE, SMALL, 3), "Qwen2");
        List<BackendFigure> ratios = new Agreement("host", "a little", List.of(right, wrong)).ratios();
        assertThat(ratios).extracting(BackendFigure::id).containsExactly("host_agreement",
                "host_agreement_qwen2_with_other_weights");
        assertThat(ratios).noneMatch(BackendFigure::withinLimit);
        assertThat(ratios.getFirst().sentence()).isEqualTo(
                "1 of 2 cases fail: Qwen2 with other weights. Do not trust this backend's results on this machine.");
        assertThat(ratios.get(1).sentence()).startsWith("Logit ").contains(" where the reference pass gives ");
        assertThat(ratios.getFirst().value()).isEqualTo(ratios.get(1).value()).isGreaterThan(100);
    }

    @Test
    void smallErrorInAllLogitsIsFound() {
        AgreementCase shifted = new AgreementCase("shifted", new Tolerance(0.1, 0.1, 0.02));
        float[] logits = {1.05f, -2.1f, 0.53f};
        shifted.compare(logits, new double[]{1, -2, 0.5}, "position 0");
        assertThat(shifted.agrees()).isFalse();
        assertThat(shifted.worstShare()).isBetween(2.4, 2.6);
    }

    @Test
    void nanAgreesWithNothing() {
        AgreementCase broken = new AgreementCase("broken", new Tolerance(1, 1, 1));
        broken.compare(new float[]{Float.NaN}, new double[]{1}, "position 0");
        assertThat(broken.agrees()).isFalse();
        assertThat(new Agreement("host", "", List.of(broken)).ratios()).noneMatch(BackendFigure::withinLimit);
        assertThat(new AgreementCase("nothing", new Tolerance(1, 1, 1)).agrees()).isFalse();
    }

    private static AgreementCase run(RandomModel model, ReferenceSequences known, String name) throws Exception {
        HostOptions options = HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32);
        ExecutorSizes sizes = SMALL.sizes(1, 16, KvCache.blockBytes(model.shape(), options));
        AgreementCase figures = new AgreementCase(name, new Tolerance(5e-4, 2e-3, 2e-4));
        try (Executor executor = HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1),
                sizes, new SystemClock())) {
            figures.run(executor, known);
        }
        return figures;
    }
}
