package org.inferometer.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.experiment.SavedPresets;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.DevicesText.MachineView;
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
/// @param program words of the command that starts this program again
public record CliServices(Workspace workspace, EngineCatalog engines, Registries registries,
        Function<Path, BenchmarkService> benchmarks, Reports reports, SchedulerSuite schedulerSuite,
        MachineDescription machine, Supplier<MachineView> inspection, SelfCheck selfCheck,
        EnvironmentVariables environment, ShutdownHooks shutdown, Clock clock, List<String> program) {
    /// The presets of the workspace.
    public SavedPresets presets() {
        return new SavedPresets(workspace.presets());
    }
}
