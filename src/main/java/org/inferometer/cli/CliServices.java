package org.inferometer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.MachineView;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.Workspace;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.units.Clock;

/// The services that commands use in one workspace.
///
/// @param benchmarks the service that writes experiments into a given folder
/// @param machine as records describe it
/// @param inspection inspects the machine at each call; takes about a second
/// @param shutdown reports Ctrl+C
public record CliServices(Workspace workspace, EngineCatalog engines, Registries registries,
        Function<Path, BenchmarkService> benchmarks, Reports reports, SchedulerSuite schedulerSuite,
        MachineDescription machine, Supplier<MachineView> inspection, SelfCheck selfCheck, WorkerMode worker,
        ShutdownHooks shutdown, Clock clock) {

    /// Runs one measured run in this process.
    public interface WorkerMode {
        /// Reads a plan from the input, runs it and writes frames to the output, which it owns meanwhile.
        ///
        /// @return the exit code
        int run(InputStream in, PrintStream out) throws IOException;
    }
}
