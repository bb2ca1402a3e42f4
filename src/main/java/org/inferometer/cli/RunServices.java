package org.inferometer.cli;

import java.nio.file.Path;
import java.util.function.Function;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.run.BenchmarkService;
import org.inferometer.units.Clock;

/// What `run` works with.
///
/// @param specs reads an experiment's YAML file
/// @param into the service that makes experiment folders inside a given folder
/// @param shutdown hears Ctrl+C; `engines build` listens too
public record RunServices(Vocabulary vocabulary, SpecSource specs, Function<Path, BenchmarkService> into,
        ShutdownHooks shutdown, Clock clock) {

    /// Reads an experiment's YAML file.
    public interface SpecSource {
        /// The experiment of a file.
        ///
        /// @throws PlanException with all faults, each with file and line
        ExperimentSpec read(Path file) throws PlanException;
    }
}
