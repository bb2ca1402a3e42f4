package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.inferometer.suite.slurm.Batches.Batch;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private static EnvironmentVariables environment(String value) {
        return new EnvironmentVariables(Map.of(Batches.VARIABLE, value), Map.of(), List.of());
    }

    @Test
    void optionWinsOverTheVariableAndTheDefault() {
        assertThat(Batches.size(OptionalInt.of(3), environment("7"))).isEqualTo(3);
        assertThat(Batches.size(OptionalInt.empty(), environment(" 7 "))).isEqualTo(7);
        assertThat(Batches.size(OptionalInt.empty(), environment(""))).isEqualTo(5);
        assertThat(Batches.size(OptionalInt.of(0), EnvironmentVariables.NONE)).isZero();
        assertThatThrownBy(() -> Batches.size(OptionalInt.empty(), environment("many")))
                .hasMessage("DISAGG_BATCH_SIZE is \"many\". Give a whole number, 0 for one batch of all jobs.");
        assertThatThrownBy(() -> Batches.size(OptionalInt.of(-1), EnvironmentVariables.NONE))
                .hasMessage("The batch size is \"-1\". Give a whole number, 0 for one batch of all jobs.");
    }

    @Test
    void batchIsDueWithTheFirstOfItsTests() {
        Batches batches = new Batches(7, 5);
        assertThat(IntStream.of(0, 1, 4, 6, 5, 0).mapToObj(batches::due).flatMap(java.util.Optional::stream))
                .containsExactly(new Batch(0, 0, 5), new Batch(1, 5, 7));
        assertThat(new Batches(7, 0).due(6)).contains(new Batch(0, 0, 7));
        assertThat(List.of(new Batches(0, 5).count(), new Batches(20, 5).count(), new Batches(21, 5).count(),
                new Batches(9, 0).count())).containsExactly(0, 4, 5, 1);
    }

    @Test
    void textsAreThoseOfTheFramework() {
        Batches batches = new Batches(20, 5);
        assertThat(batches.initialized()).isEqualTo("""
                ======================================================================
                Batch Manager Initialized
                Batch size: 5 jobs per batch
                ======================================================================

                Total test configs: 20
                Total batches: 4""");
        Batch batch = batches.due(0).orElseThrow();
        assertThat(batches.submitting(batch)).isEqualTo("""
                ======================================================================
                Submitting Batch 0
                Range: [0:5] (5 jobs)
                ======================================================================""");
        assertThat(Batches.submitted(batch, 0, "1234", "test_config_id_1"))
                .isEqualTo("  [  1/5] Job 1234 <- test_config_id_1");
        assertThat(Batches.failed(new Batch(1, 5, 7), 6, "It is refused.", "b"))
                .isEqualTo("  [  2/2] Failed: It is refused. <- b");
    }
}
