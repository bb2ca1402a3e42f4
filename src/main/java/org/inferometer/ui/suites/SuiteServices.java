package org.inferometer.ui.suites;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.ui.machines.OtherMachine;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.units.Clock;
import org.inferometer.units.EnvironmentVariables;

/// What suites are run with.
///
/// @param places where tests can run
/// @param engines names of engines of this machine, built ones first; called in the background
/// @param sessions folder of sessions
/// @param results folder of records
public record SuiteServices(SuitePlaces places, Supplier<List<String>> engines, Path sessions, Path results,
        Clock clock) {
    /// Where the tests of suites can run.
    ///
    /// @param here runs experiments on this machine, one at a time
    /// @param others the other machines
    /// @param there runs experiments on one of them
    /// @param slurm the cluster that this machine submits to; called in the background
    /// @param jobs how tests become jobs, before a user says more; throws [IllegalArgumentException] if a variable is broken
    /// @param environment variables that replace fields of a test
    public record SuitePlaces(BenchmarkService here, OtherMachines others,
            Function<OtherMachine, BenchmarkService> there, Supplier<Slurm> slurm, Supplier<SlurmSettings> jobs,
            EnvironmentVariables environment) {}
}
