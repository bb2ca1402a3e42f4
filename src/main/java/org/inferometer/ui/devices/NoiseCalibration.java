package org.inferometer.ui.devices;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.run.RunningExperiment;
import org.inferometer.selfcheck.LearnedVariation;

/// Learns how much equal experiments differ on this machine. Called in the background.
public interface NoiseCalibration {
    /// How many experiments it takes.
    int EXPERIMENTS = 5;

    /// Nothing is known, and nothing can be learned.
    NoiseCalibration NONE = new NoiseCalibration() {
        @Override
        public Optional<LearnedVariation> last() {
            return Optional.empty();
        }

        @Override
        public List<SelfCheckResult> run(Consumer<String> progress, Consumer<RunningExperiment> started) {
            throw new IllegalStateException("No experiment can run here.");
        }
    };

    /// What was learned last on this machine.
    Optional<LearnedVariation> last();

    /// Runs the experiments and stores what they show.
    ///
    /// @param progress receives the name of each experiment at its start
    /// @param started receives each experiment, to cancel it
    /// @throws Exception with a sentence, if an experiment does not complete
    List<SelfCheckResult> run(Consumer<String> progress, Consumer<RunningExperiment> started) throws Exception;
}
