package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.options.Selection;
import org.junit.jupiter.api.Test;

class ReplicatedSpecTest {
    private static final ExperimentSpec NAIVE =
            schedulers(ExperimentSpec.STANDARD.withEngines(List.of("tiny-int4")), "naive");

    private static ExperimentSpec schedulers(ExperimentSpec spec, String... names) {
        return ExperimentFields.SCHEDULERS.with(spec, List.of(names).stream().map(Selection::parse).toList());
    }

    private static ExperimentSpec server(String selection) {
        return ExperimentSpec.STANDARD.onTargetsOnly(List.of(Selection.parse(selection)));
    }

    private static List<String> labels(ExperimentSpec spec) {
        return spec.cells().stream().map(Cell::label).toList();
    }

    @Test
    void cellsOfBothAreInOneExperimentWithTheEarlierAsBaseline() {
        ExperimentSpec union = ReplicatedSpec.of(NAIVE, schedulers(NAIVE, "continuous").withRuns(5));
        assertThat(labels(union)).containsExactly("tiny-int4 · naive · short", "tiny-int4 · continuous · short");
        assertThat(union.baselineSystem()).contains("naive");
        assertThat(union.runs()).isEqualTo(5);
        assertThat(ReplicatedSpec.addedCells(NAIVE, schedulers(NAIVE, "continuous"))).isZero();
    }

    @Test
    void productMayHaveCellsThatNeitherHas() {
        ExperimentSpec other = schedulers(NAIVE, "continuous").withEngines(List.of("tiny-fp8"));
        assertThat(ReplicatedSpec.of(NAIVE, other).cells()).hasSize(4);
        assertThat(ReplicatedSpec.addedCells(NAIVE, other)).isEqualTo(2);
    }

    @Test
    void serverStandsBesideAnEngine() {
        ExperimentSpec union = ReplicatedSpec.of(NAIVE, server("http:url=http://127.0.0.1:8000,name=vllm"));
        assertThat(labels(union)).containsExactly("tiny-int4 · naive · short", "vllm · short");
        assertThat(union.baselineSystem()).contains("naive");
    }

    /// The old and the new server run side by side on two ports.
    @Test
    void earlierServerOfTheSameNameIsNamedBefore() {
        ExperimentSpec union = ReplicatedSpec.of(server("http:name=vllm,url=http://127.0.0.1:8000"),
                server("http:name=vllm,url=http://127.0.0.1:8001"));
        assertThat(labels(union)).containsExactly("vllm before · short", "vllm · short");
        assertThat(union.baselineSystem()).contains("vllm before");
    }

    @Test
    void nothingNewIsRefused() {
        assertThatThrownBy(() -> ReplicatedSpec.of(NAIVE, NAIVE)).hasMessageContaining("repeat it with --again");
        assertThatThrownBy(() -> ReplicatedSpec.of(NAIVE.searching(), NAIVE)).hasMessageContaining("Give fixed loads");
        assertThatThrownBy(() -> ReplicatedSpec.of(NAIVE,
                schedulers(NAIVE, "continuous").withLimits(List.of(1L << 30), ExperimentSpec.AskedLimits.DEFAULTS)))
                .hasMessageContaining("in place of --against");
    }
}
