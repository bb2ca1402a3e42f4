package org.inferometer.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.execution.Backends;
import org.inferometer.execution.cuda.CudaBackend;
import org.inferometer.execution.cuda.device.CudaDriverProbe;
import org.inferometer.execution.host.HostBackend;
import org.inferometer.plugin.PluginException;
import org.inferometer.plugin.Plugins;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.ProgramVersion;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.LocalBenchmarkService;
import org.inferometer.run.LocalRunHost;
import org.inferometer.run.RunHost;
import org.inferometer.run.WorkerVariables;
import org.inferometer.run.Workspace;
import org.inferometer.run.worker.RunExecution;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.NullTargetKind;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.target.edgellm.EdgeLlmTargetKind;
import org.inferometer.target.http.HttpTargetKind;
import org.inferometer.target.serve.ServedTargetKind;
import org.inferometer.telemetry.MachineProbe;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessChecks;
import org.inferometer.units.Clock;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.SystemClock;

/// Constructs the parts that desktop, command line and worker share, for one workspace.
final class Program {
    private final Workspace workspace;
    private final RunHost host;
    private final Clock clock = new SystemClock();
    private final ResultFiles store = new ResultFiles();
    private final SchedulerRegistry schedulers;
    private final EngineCatalog engines;
    private final MachineDescription machine;
    private final Backends backends;
    private final TargetKinds targets;
    private final EnvironmentVariables environment;

    /// @throws PluginException if a plug-in is refused
    Program(Workspace workspace, EnvironmentVariables environment, Plugins plugins) {
        this(workspace, environment, plugins.addedTo(SchedulerRegistry.standard()),
                LocalRunHost.ofThisProgram(Main.class.getName(), plugins.arguments(), workspace.root(),
                        new WorkerVariables(targets(environment), environment)));
    }

    Program(Workspace workspace, EnvironmentVariables environment, RunHost host) {
        this(workspace, environment, SchedulerRegistry.standard(), host);
    }

    Program(Workspace workspace, EnvironmentVariables environment, SchedulerRegistry schedulers, RunHost host) {
        this.schedulers = schedulers;
        this.workspace = workspace;
        this.environment = environment;
        this.targets = targets(environment);
        this.host = host;
        this.engines = new EngineCatalog(workspace.engineFolders());
        this.machine = describe(new MachineProbe(clock).identify());
        this.backends = new Backends(List.of(new HostBackend(machine.memoryBytes(), machine.physicalCores()),
                new CudaBackend(new CudaDriverProbe())));
    }

    Workspace workspace() {
        return workspace;
    }

    /// The kinds of targets with the variables that their options name.
    static TargetKinds targets(EnvironmentVariables environment) {
        List<TargetKind> kinds = new ArrayList<>();
        kinds.add(new HttpTargetKind(environment::value));
        kinds.addAll(ServedTargetKind.all(environment::value));
        kinds.add(new EdgeLlmTargetKind(environment::value));
        kinds.add(new NullTargetKind());
        return new TargetKinds(List.copyOf(kinds));
    }

    EnvironmentVariables environment() {
        return environment;
    }

    Clock clock() {
        return clock;
    }

    ResultFiles store() {
        return store;
    }

    SchedulerRegistry schedulers() {
        return schedulers;
    }

    EngineCatalog engines() {
        return engines;
    }

    MachineDescription machine() {
        return machine;
    }

    /// Takes about a second.
    MachineView inspectMachine() {
        MachineReport report = new MachineProbe(clock).probe();
        List<MachineView.BackendFact> facts =
                backends.all().stream().map(backend -> new MachineView.BackendFact(backend.name(),
                        backend.absence().isEmpty(), List.of(backend.absence().orElse(backend.summary())))).toList();
        return new MachineView(describe(report), report, ReadinessChecks.of(report), facts);
    }

    private static MachineDescription describe(MachineReport report) {
        return report.describe(HostBackend.vectorBits(), ProgramVersion.text());
    }

    Backends backends() {
        return backends;
    }

    TargetKinds targets() {
        return targets;
    }

    /// The service that writes experiments into `results`.
    BenchmarkService benchmarks(Path results) {
        return new LocalBenchmarkService(results, engines, schedulers, backends, targets, store,
                new SelfCheckFile(workspace.results()), machine, host, clock);
    }

    /// Writes reports without host, user or path.
    Reports reports() {
        return new Reports(new LazyChartRenderer(), schedulers, TextAnonymizer.ofThisMachine(environment));
    }

    /// Writes the files of a scheduler benchmark without host, user or path.
    SchedulerSuite schedulerSuite() {
        return new SchedulerSuite(reports(), new LazyChartRenderer(), TextAnonymizer.ofThisMachine(environment));
    }

    /// Executes runs in this process, as a worker does. Watches the background load first, which takes a third of a second.
    RunExecution execution() {
        MachineDescription before = machine.withBackgroundLoad(new MachineProbe(clock).backgroundLoad());
        return new RunExecution(schedulers, backends, targets, store, before, clock);
    }
}
