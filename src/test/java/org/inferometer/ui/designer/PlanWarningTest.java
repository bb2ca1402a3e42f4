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
    private record Warning(List<String> sentences) implements BenchmarkService {
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
            return new Estimate(4, 96, 0, 0, 0);
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

    private static String estimate(String... sentences) {
        return PlanPreview.of(new Warning(List.of(sentences)), Experiments.QUICK, new RunTimeHistory(List.of()))
                .estimate();
    }

    @Test
    void tooManyThreadsAreWarnedOfBehindTheTime() {
        assertThat(estimate(THREADS)).isEqualTo(estimate() + " Warning: " + THREADS);
        assertThat(estimate()).doesNotContain("Warning");
    }
}
