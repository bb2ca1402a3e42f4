package org.inferometer.run;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;

/// Runs experiments in the background, for desktop and command line.
///
/// One experiment at a time on a machine. All methods may be called from any thread and return quickly.
public interface BenchmarkService {
    /// Larger builds take minutes, and disk that nobody may expect. They are asked about before a start.
    long LARGE_BUILD_BYTES = 2L << 30;

    /// All faults of a specification; empty if it can run. Starts nothing.
    List<PlanFault> check(ExperimentSpec spec);

    /// What an experiment uses outside the program: programs, addresses off this machine, secrets, files. Starts, contacts and
    /// reads nothing.
    List<Access> accesses(ExperimentSpec spec);

    /// Estimate of disk, memory and time.
    Estimate estimate(ExperimentSpec spec);

    /// Bytes of the engines that a start would build first.
    default long buildBytes(ExperimentSpec spec) {
        return 0;
    }

    /// What makes the runs of a specification slow or useless although they can run, one sentence each.
    default List<String> warnings(ExperimentSpec spec) {
        return List.of();
    }

    /// The lanes of each scheduler, in the order of the specification, which must have no faults.
    default List<SchedulerLanes> lanes(ExperimentSpec spec) {
        return List.of();
    }

    /// Why no experiment can start now, as another one is running on the machine; empty if one can. Takes the machine for an instant.
    default Optional<String> busy() {
        return Optional.empty();
    }

    /// Starts an experiment; engines that are not built yet are built first.
    ///
    /// @throws PlanException with all faults at once
    RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException;

    /// @param runs planned runs
    /// @param requests measured requests over all runs
    /// @param weightBytes weights of the largest engine; 0 for targets outside this process
    /// @param kvBytes KV pool; 0 for targets outside this process
    /// @param memoryBytes memory of the device; 0 for targets outside this process
    /// @param traces number, time and rate of the requests of each trace that is replayed, one sentence each
    record Estimate(int runs, long requests, long weightBytes, long kvBytes, long memoryBytes, List<String> traces) {
        /// Without traces.
        public Estimate(int runs, long requests, long weightBytes, long kvBytes, long memoryBytes) {
            this(runs, requests, weightBytes, kvBytes, memoryBytes, List.of());
        }
    }
}
