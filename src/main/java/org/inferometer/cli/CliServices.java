package org.inferometer.cli;

import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.experiment.OwnPresets;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.MachineView;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.Workspace;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.units.Clock;
import org.inferometer.units.EnvironmentVariables;

/// The services that commands use in one workspace.
///
/// @param benchmarks the service that writes experiments into a given folder
/// @param machine as records describe it
/// @param inspection inspects the machine at each call; takes about a second
/// @param environment variables of the process and of the workspace's `.env` file
/// @param shutdown reports Ctrl+C
public record CliServices(Workspace workspace, EngineCatalog engines, Registries registries,
        Function<Path, BenchmarkService> benchmarks, Reports reports, SchedulerSuite schedulerSuite,
        MachineDescription machine, Supplier<MachineView> inspection, SelfCheck selfCheck,
        EnvironmentVariables environment, ShutdownHooks shutdown, Clock clock) {
    /// The presets of the workspace.
    public OwnPresets presets() {
        return new OwnPresets(workspace.presets());
    }
}
