package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.chart.ChartComposer;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.DesktopStart;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.Registries;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.execution.Backend;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SavedPresets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.plugin.Plugins;
import org.inferometer.prompting.PromptProcess;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.ProgramVersion;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.remote.RemoteBenchmarks;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.SshHost;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.Workspace;
import org.inferometer.selfcheck.EqualExperiments;
import org.inferometer.selfcheck.HarnessChecks;
import org.inferometer.selfcheck.LearnedVariation;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.suite.slurm.SlurmCommands;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.devices.DeviceSource;
import org.inferometer.ui.devices.DeviceSource.NoiseCalibration;
import org.inferometer.ui.fx.OpenRequests;
import org.inferometer.ui.fx.RunningWindow;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.machines.MachineAccess;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.ui.shell.Desktop;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;
import org.inferometer.workload.WorkloadPresets;

/// Puts the desktop together, where there is a display; elsewhere the quick benchmark runs in the terminal.
final class DesktopWiring {
    private DesktopWiring() {}

    static int open(Workspace workspace, EnvironmentVariables environment, Plugins plugins, DesktopStart start,
            CliWiring wiring) {
        Optional<Path> file = start.file();
        Terminal terminal = Terminal.ofProcess(environment);
        if (!displayAvailable(environment)) {
            terminal.err().println("No display found.");
            return inTerminal(workspace, plugins, file, wiring, terminal);
        }
        try {
            environment.warnings().forEach(warning -> terminal.err().println("warning: " + warning));
            Path settings = Settings.standardFile(environment);
            Path windows = settings.resolveSibling("windows");
            if (!start.newWindow() && !start.resetUi() && RunningWindow.shows(windows, workspace.root(), file)) {
                terminal.err().println("Shown in the window of this workspace. --new-window opens another.");
                return 0;
            }
            DesktopServices services = services(new Program(workspace, environment, plugins), new Settings(settings));
            if (start.resetUi()) {
                services.settings().clear();
            }
            launch(services, windows, workspace.root(), file);
            return 0;
        } catch (UnsupportedOperationException e) {
            terminal.err().println("The display cannot be opened (" + e.getMessage() + ").");
            return inTerminal(workspace, plugins, file, wiring, terminal);
        } catch (IOException e) {
            terminal.fault("The window cannot be opened: " + FileFault.describe(e) + ".");
            return ExitCodes.RUN_FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCodes.RUN_FAILED;
        }
    }

    /// Opens the window and returns when it is closed.
    ///
    /// @param windows folder where windows listen to later starts
    static void launch(DesktopServices services, Path windows, Path workspace, Optional<Path> file)
            throws IOException, InterruptedException {
        Optional<RunningWindow> own = RunningWindow.claim(windows, workspace);
        try {
            Desktop.launch(services, file, own.<OpenRequests>map(window -> window).orElse(OpenRequests.NONE));
        } finally {
            own.ifPresent(RunningWindow::close);
        }
    }

    private static int inTerminal(Workspace workspace, Plugins plugins, Optional<Path> file, CliWiring wiring,
            Terminal terminal) {
        List<String> command = file.map(path -> BundleReader.isBundle(path) ? List.of("import", path.toString())
                : List.of("results", "show", path.toString())).orElse(List.of("run", "quick"));
        if (file.isEmpty()) {
            terminal.err().println("The quick benchmark runs in this terminal (inferometer run quick).");
        }
        return new Cli(wiring, terminal)
                .execute(Stream.of(plugins.arguments(), List.of("--workspace", workspace.root().toString()), command)
                        .flatMap(List::stream).toArray(String[]::new));
    }

    /// @param settings of the window
    static DesktopServices services(Program program, Settings settings) {
        Workspace workspace = program.workspace();
        DesignerServices designer = new DesignerServices(program.benchmarks(workspace.results()), workspace.engines(),
                program.engines()::entries, program.schedulers().descriptions(), new WorkloadPresets().all(),
                backends(program),
                program.backends().all().stream().collect(Collectors.toMap(Backend::name, Backend::options)),
                new Presets().find("quick"), new SavedPresets(workspace.presets()),
                new SpecReader(new Registries(program.schedulers(), program.backends(), program.targets())));
        ResultTools results = new ResultTools(workspace.results(), workspace.sampleResults(), program.reports(),
                program.schedulerSuite(), program.schedulers(), TextAnonymizer.ofThisMachine(program.environment()),
                ProgramVersion.text());
        DeviceSource devices = new DeviceSource(program::inspectMachine, DesktopWiring::readings, noise(program));
        return new DesktopServices(designer, results, () -> summary(program), devices,
                (chart, shade, scale, width) -> new ChartComposer(shade, scale).compose(chart, width),
                new JFreeCharts(), settings, machines(program),
                new PromptProcess(Relaunch.words(), program.workspace().root()), program.clock(),
                ProgramVersion.text());
    }

    private static MachineAccess machines(Program program) {
        Path results = program.workspace().results();
        BenchmarkService here = program.benchmarks(results);
        return new MachineAccess() {
            @Override
            public RemoteMachine look(SshHost host) throws IOException {
                return RemoteMachine.ask(host);
            }

            @Override
            public BenchmarkService benchmarks(SshHost host) {
                return new RemoteBenchmarks(host, here, results, program.clock());
            }

            @Override
            public List<ProbeCheck> probe(Selection target) throws OptionException, InterruptedException {
                return program.targets().find(target.name()).probe(target);
            }

            @Override
            public Slurm slurm() {
                return new SlurmCommands(Map.of());
            }

            @Override
            public SlurmSettings jobs() {
                // A person looks on.
                return SlurmSettings
                        .of(program.environment(), OptionalInt.empty(), Relaunch.words(), program.workspace().root())
                        .looking(new JobWait.Times(Duration.ofSeconds(10), Duration.ofSeconds(30),
                                JobWait.Times.DEFAULT.timeout(), Duration.ofSeconds(60)));
            }

            @Override
            public EnvironmentVariables environment() {
                return program.environment();
            }
        };
    }

    private static NoiseCalibration noise(Program program) {
        Path results = program.workspace().results();
        return new NoiseCalibration() {
            @Override
            public Optional<LearnedVariation> last() {
                return LearnedVariation.last(new SelfCheckFile(results), program.machine());
            }

            @Override
            public List<SelfCheckResult> run(Consumer<String> progress, Consumer<RunningExperiment> started)
                    throws PlanException, InterruptedException, IOException {
                SelfCheckFile store = new SelfCheckFile(results);
                progress.accept("load generator");
                LearnedVariation.replace(store, program.machine(), program.clock().wall(),
                        new HarnessChecks(program.clock()).generatorCeiling());
                List<SelfCheckResult> learned = new EqualExperiments(program.benchmarks(results))
                        .run(NoiseCalibration.EXPERIMENTS, progress, started);
                LearnedVariation.save(store, program.machine(), program.clock().wall(), learned);
                return learned;
            }
        };
    }

    private static DeviceSource.Readings readings(GpuReport gpus) {
        MachineMonitor watch = MachineMonitor.open(new GpuAccess(), gpus);
        return new DeviceSource.Readings() {
            @Override
            public MachineMonitor.Moment read() {
                return watch.read();
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    private static List<BackendChoice> backends(Program program) {
        Stream<BackendChoice> here = program.backends().all().stream().filter(backend -> backend.absence().isEmpty())
                .map(backend -> new BackendChoice(Selection.of(backend.name()), backend.label(), backend.options(),
                        false));
        Stream<BackendChoice> outside = program.targets().all().stream()
                .map(kind -> new BackendChoice(Selection.of(kind.name()), kind.label(), kind.options(), true));
        return Stream.concat(here, outside).toList();
    }

    private static MachineSummary summary(Program program) {
        MachineDescription machine = program.machine();
        GpuReport gpus = new GpuAccess().report();
        String device = machine.processor() + ", " + machine.logicalCores() + " cores";
        return gpus.gpus().isEmpty()
                ? new MachineSummary(device, "No NVIDIA GPU found: the CPU runs the engines.", gpus.explanation())
                : new MachineSummary(device, gpus.gpus().getFirst().name() + " found.", "");
    }

    /// Whether a window can be opened: always on Windows and macOS, elsewhere where X11 or Wayland is named.
    static boolean displayAvailable(EnvironmentVariables environment) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return system.contains("win") || system.contains("mac")
                || "Headless".equals(System.getProperty("glass.platform")) || named(environment, "DISPLAY")
                || named(environment, "WAYLAND_DISPLAY");
    }

    private static boolean named(EnvironmentVariables environment, String variable) {
        return environment.value(variable).filter(value -> !value.isBlank()).isPresent();
    }
}
