package org.inferometer.ui.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace;
import org.inferometer.ui.suites.PlatformViewModel.Kind;
import org.junit.jupiter.api.Test;

/// What tests run on, and where.
class SuitePlatformTest extends OpenSuite {
    @Test
    void testsRunOnAnotherMachineWithItsEngines() throws Exception {
        model.refreshEngines();
        model.place().chosen().set(model.place().places().getLast());
        assertThat(model.platform().engines()).containsExactly("tiny-fp8", "llama-8b-int4");
        model.filter().set("wideep");
        model.run(phrases -> true);
        awaitEnd();
        assertThat(started).isEmpty();
        assertThat(startedThere).extracting(ExperimentSpec::engines).containsExactly(List.of("tiny-fp8"));
        assertThat(Objects.requireNonNull(model.session().session().get()).site()).isEqualTo("ssh:gpu1");
    }

    @Test
    void testsBecomeJobsOfACluster() throws Exception {
        model.refreshEngines();
        model.place().chosen().set(new SuitePlace.Cluster());
        model.filter().set("wideep");
        model.run(phrases -> true);
        awaitEnd();
        assertThat(slurm.calls).first().isEqualTo("submit wideep_perf_k2_8k1k");
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k FAILED");
        assertThat(model.session().progress("wideep_perf_k2_8k1k").orElseThrow().job()).isEqualTo("100");
    }

    @Test
    void cancelledJobsLeaveTheCluster() throws Exception {
        jobEnded = false;
        model.refreshEngines();
        model.place().chosen().set(new SuitePlace.Cluster());
        model.filter().set("wideep");
        model.run(phrases -> true);
        while (!slurm.calls.contains("states")) {
            Objects.requireNonNullElse(later.poll(20, TimeUnit.MILLISECONDS), () -> {}).run();
        }
        model.session().stopAndCancelJobs();
        jobEnded = true;
        awaitEnd();
        assertThat(slurm.calls).contains("cancel 100");
        assertThat(notices).last()
                .isEqualTo("problem: The suite has ended: 0 of 1 test complete. Failed: wideep_perf_k2_8k1k.");
    }

    @Test
    void serversOfTensorRtLlmNeedJobs() {
        model.platform().kind().set(Kind.TRTLLM);
        assertThat(model.cannotRun()).startsWith("TensorRT-LLM's servers run on nodes of a job");
        model.place().chosen().set(new SuitePlace.Cluster());
        assertThat(model.cannotRun()).isEmpty();
    }

    @Test
    void serversTakeTheirTargetAndNoEngine() {
        model.platform().kind().set(Kind.SERVER);
        assertThat(model.mapped(model.rows().get(1)).orElseThrow().experiments().getFirst().systems())
                .containsExactly("http");
        model.platform().target().set(" ");
        assertThat(model.cannotRun()).isEqualTo("Write a server");
    }
}
