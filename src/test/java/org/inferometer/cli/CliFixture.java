package org.inferometer.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.cli.program.Cli;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.execution.Backends;
import org.inferometer.execution.host.HostBackend;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Option;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.report.DevicesText.MachineView.BackendFact;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.run.Workspace;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.target.NullTargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.telemetry.GpuAttempt;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;
import org.inferometer.units.EnvironmentVariables;

/// The whole command line over a workspace in a temporary folder. Experiments are scripted, everything else is real.
public final class CliFixture implements CliWiring, AutoCloseable {
    private static final byte[] PIXEL = {(byte) 0x89, 'P', 'N', 'G'};
    private static final TextAnonymizer SAFE = new TextAnonymizer(List.of("measurer"));
    private static final SchedulerRegistry SCHEDULERS =
            new SchedulerRegistry(List.of(new SchedulerDescription<>("naive",
                    "Collects a batch and runs it to its end.", "Equal requests.", BatchOptions.class, options -> {
                        throw new AssertionError("Nothing is scheduled here.");
                    }), new SchedulerDescription<>("continuous", "One token budget a step.", "", NoOptions.class,
                            options -> {
                                throw new AssertionError("Nothing is scheduled here.");
                            })));

    final FakeClock clock = new FakeClock();
    public final FakeBenchmarks benchmarks;
    public final List<Path> resultFolders = new ArrayList<>();
    public final List<Runnable> shutdownActions = new ArrayList<>();
    final List<Optional<Path>> desktops = new ArrayList<>();
    final List<Path> opened = new ArrayList<>();
    List<SelfCheck.CheckPart> selfChecks = List.of();
    WorkerMode worker = (in, out) -> 0;
    public EnvironmentVariables environment = EnvironmentVariables.NONE;
    InputStream in = new ByteArrayInputStream(new byte[0]);
    public final Path root;
    private final ResultFiles files = new ResultFiles();

    /// Runs one order in this process.
    interface WorkerMode {
        int run(InputStream in, PrintStream out) throws IOException;
    }

    /// The options of a made-up scheduler.
    record BatchOptions(@Option(name = "max_batch_size", aliases = "batch", standard = "4", min = 1, max = 64,
            unit = "requests", help = "Requests in a batch.") int maxBatchSize) {}

    record NoOptions() {}

    /// What a command left behind; the workspace's folder is left out of all paths.
    public record Outcome(int exit, String out, String err) {}

    /// @param root an empty folder
    public CliFixture(Path root) {
        this.root = root;
        this.benchmarks = new FakeBenchmarks(results());
    }

    public Outcome run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = cli(out, err).execute(arguments);
        return new Outcome(exit, text(out), text(err));
    }

    private String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(root + "/", "");
    }

    public Cli cli(ByteArrayOutputStream out, ByteArrayOutputStream err) {
        return new Cli(this, new Terminal(in, stream(out), stream(err), false, false, Terminal.USUAL_COLUMNS));
    }

    /// The command line on a terminal whose user types this.
    public Cli onTerminal(String typed) {
        return new Cli(this,
                new Terminal(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        stream(new ByteArrayOutputStream()), stream(new ByteArrayOutputStream()), true, false,
                        Terminal.USUAL_COLUMNS));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    public Path results() {
        return root.resolve("results");
    }

    /// Saves the manifest of an experiment without its runs; one that is RUNNING is being written until this is closed.
    public Path save(String name, ExperimentManifest manifest) {
        Path folder = results().resolve(name);
        try {
            files.saveExperiment(folder, manifest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    /// Writes a file into the workspace.
    ///
    /// @return its path
    public String write(String name, String content) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ExperimentRecord open(String id) throws IOException {
        return new ResultLibrary(results()).open(results().resolve(id));
    }

    public Reports reports() {
        return new Reports((sheet, picture) -> picture.format() == ChartFormat.PDF
                ? new JFreeCharts().draw(sheet, picture) : PIXEL.clone(), SCHEDULERS, SAFE);
    }

    @Override
    public CliServices services(Place place) {
        Workspace folders = new Workspace(place.workspace().orElse(root));
        Registries registries = new Registries(SCHEDULERS, new Backends(List.of(new HostBackend(8L << 30, 2))),
                new TargetKinds(List.of(new NullTargetKind())));
        return new CliServices(folders, new EngineCatalog(folders.engineFolders()), registries, this::service,
                reports(), new SchedulerSuite(reports(), (sheet, picture) -> PIXEL.clone(), SAFE), Samples.MACHINE,
                CliFixture::machine, new SelfCheck(selfChecks), environment, this::register, clock,
                List.of("inferometer"));
    }

    @Override
    public int worker(Place place, InputStream input, PrintStream output) throws IOException {
        return worker.run(input, output);
    }

    private FakeBenchmarks service(Path folder) {
        resultFolders.add(folder);
        return benchmarks;
    }

    private ShutdownHooks.Registration register(Runnable action) {
        shutdownActions.add(action);
        return () -> shutdownActions.remove(action);
    }

    private static MachineView machine() {
        MachineReport report =
                new MachineReport("Debian GNU/Linux 12", "amd64", "Example CPU", 2, 4, 8L << 30, 6L << 30,
                        OptionalDouble.of(0.5), OptionalDouble.empty(), Optional.empty(), Optional.empty(), "Java 25",
                        GpuReport.none("No NVIDIA driver: libnvidia-ml.so.1 was not found.",
                                List.of(new GpuAttempt("libnvidia-ml.so.1", "cannot open shared object file"))),
                        List.of());
        return new MachineView(Samples.MACHINE, report,
                List.of(new ReadinessCheck("Free memory", ReadinessCheck.State.READY, "6.00 GiB of 8.00 GiB free."),
                        new ReadinessCheck("CPU governor", ReadinessCheck.State.ATTENTION,
                                "powersave: choose \"performance\" while measuring.")),
                List.of(new BackendFact("host", true, List.of("4 threads, 512-bit vectors.")), new BackendFact("cuda",
                        false, List.of("libcuda.so.1 was not found.", "Install an NVIDIA driver to use it."))));
    }

    @Override
    public int desktop(Place place, DesktopStart start) {
        desktops.add(place.workspace());
        start.file().ifPresent(opened::add);
        return 0;
    }

    @Override
    public String version() {
        return "Inferometer 0.1.0";
    }

    public ExperimentSpec onlyStarted() {
        return benchmarks.started.getFirst();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
