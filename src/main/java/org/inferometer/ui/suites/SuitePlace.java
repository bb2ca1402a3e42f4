package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import org.inferometer.suite.running.LocalSite;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.ui.machines.OtherMachine;

/// Where the tests of a suite run.
sealed interface SuitePlace {
    /// This machine.
    record Here() implements SuitePlace {}

    /// Jobs of the Slurm that this machine submits to.
    record Cluster() implements SuitePlace {}

    /// A machine that ssh reaches.
    record Other(OtherMachine machine) implements SuitePlace {}

    /// Its name in lists.
    default String label() {
        return switch (this) {
            case Here here -> text("suites.place-here");
            case Cluster cluster -> text("suites.place-slurm");
            case Other(OtherMachine machine) -> machine.label();
        };
    }

    /// Its name in sessions.
    default String site() {
        return switch (this) {
            case Here here -> LocalSite.NAME;
            case Cluster cluster -> SlurmSite.NAME;
            case Other(OtherMachine machine) -> machine.host().written();
        };
    }
}
