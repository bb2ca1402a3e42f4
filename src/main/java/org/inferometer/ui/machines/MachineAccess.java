package org.inferometer.ui.machines;

import java.io.IOException;
import java.util.List;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.SshHost;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.units.EnvironmentVariables;

/// How the window reaches other machines and servers.
public interface MachineAccess {
    /// What a machine has. Called in the background; takes seconds.
    ///
    /// @throws IOException in one sentence
    RemoteMachine look(SshHost host) throws IOException;

    /// The service that runs experiments there and brings their records here.
    BenchmarkService benchmarks(SshHost host);

    /// Checks a server with one short request. Called in the background; takes up to a minute.
    ///
    /// @return empty for targets that cannot be checked before they run
    /// @throws OptionException with all faults of the options
    /// @throws IllegalArgumentException in one sentence if there is no such kind
    List<ProbeCheck> probe(Selection target) throws OptionException, InterruptedException;

    /// The Slurm that this machine submits to. Called in the background.
    Slurm slurm();

    /// How the tests of a suite become jobs, before a user says more.
    ///
    /// @throws IllegalArgumentException in a sentence if a variable of the environment is broken
    SlurmSettings jobs();

    /// Variables of the process and of the workspace, which replace fields of tests.
    EnvironmentVariables environment();
}
