package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.twin.Experiments;
import org.junit.jupiter.api.Test;

class PlanWarningTest {
    private static final String THREADS =
            "host:threads=8 has more threads than the machine has processors (2): runs become several times slower.";

    /// Accepts every experiment, with warnings.
    private record Warning(List<String> sentences, List<String> traces) implements BenchmarkService {
        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(4, 96, 0, 0, 0, traces);
        }

        @Override
        public List<String> warnings(ExperimentSpec spec) {
            return sentences;
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    private static String estimate(List<String> traces, String... sentences) {
        return PlanPreview.of(new Warning(List.of(sentences), traces), Experiments.QUICK, new RunTimeHistory(List.of()))
                .estimate();
    }

    @Test
    void tooManyThreadsAreWarnedOfBehindTheTime() {
        assertThat(estimate(List.of(), THREADS)).isEqualTo(estimate(List.of()) + " Warning: " + THREADS);
        assertThat(estimate(List.of())).doesNotContain("Warning");
    }

    @Test
    void tracesAreCountedBehindTheRuns() {
        assertThat(estimate(List.of("trace:a: 3 requests over 2.00 ms, 1500 req/s.")))
                .startsWith("4 runs, 96 measured requests. trace:a: 3 requests over 2.00 ms, 1500 req/s. ");
    }
}
