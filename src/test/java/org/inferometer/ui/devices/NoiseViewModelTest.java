package org.inferometer.ui.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.measurement.comparison.ExperimentVariation;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.run.RunningExperiment;
import org.inferometer.selfcheck.LearnedVariation;
import org.inferometer.ui.devices.DeviceSource.NoiseCalibration;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class NoiseViewModelTest {
    private final List<String> shown = new ArrayList<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int cancelled;
    private Optional<LearnedVariation> learned = Optional.empty();

    private final NoiseViewModel model = new NoiseViewModel(new NoiseCalibration() {
        @Override
        public Optional<LearnedVariation> last() {
            return learned;
        }

        @Override
        public List<SelfCheckResult> run(Consumer<String> progress, Consumer<RunningExperiment> started) {
            progress.accept("equal experiments, 1 of 5");
            started.accept(new RunningExperiment() {
                @Override
                public Path folder() {
                    return Path.of("x");
                }

                @Override
                public void cancel() {
                    cancelled++;
                }

                @Override
                public ExperimentManifest await() {
                    throw new UnsupportedOperationException();
                }
            });
            if (cancelled > 0) {
                throw new IllegalStateException("An experiment did not complete.");
            }
            learned = Optional.of(new LearnedVariation(
                    new ExperimentVariation(Map.of("output_throughput", 0.0123, "ttft_p50", 0.04), 5), Instant.EPOCH));
            return List.of();
        }
    }, new BackgroundWork(waiting::add, new InlineUi()));

    private void work() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    @Test
    void whatIsLearnedIsShownWithItsNumber() {
        model.sentence().subscribe(sentence -> {
            shown.add(sentence);
        });
        model.refresh();
        work();
        model.start();
        model.start();
        assertThat(model.running().get()).isTrue();
        assertThat(waiting).as("one calibration at a time").hasSize(1);
        work();

        assertThat(model.running().get()).isFalse();
        assertThat(shown).containsSubsequence(
                "Not known yet. Without it, intervals between two experiments are too narrow.",
                "Equal experiments begin.", "Running equal experiments, 1 of 5.");
        assertThat(shown.getLast()).matches(
                "Equal experiments differ \\(standard deviation\\): Output throughput 1\\.23 %, TTFT P50 4\\.00 %\\."
                        + " 5 experiments, 1970-01-01 .*");
    }

    @Test
    void cancellingEndsTheExperimentAndLearnsNothing() {
        model.start();
        model.cancel();
        work();

        assertThat(cancelled).isEqualTo(1);
        assertThat(model.running().get()).isFalse();
        assertThat(model.sentence().get()).isEqualTo("Cancelled. Nothing was learned.");
    }
}
