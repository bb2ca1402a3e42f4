package org.inferometer.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Presets;
import org.inferometer.options.Option;
import org.inferometer.options.OptionRecords;
import org.inferometer.report.MachineView;
import org.inferometer.report.MachineView.BackendFact;
import org.inferometer.run.Workspace;
import org.inferometer.telemetry.GpuAttempt;
import org.inferometer.telemetry.GpuReport;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;

/// The whole command line over fakes, with its streams kept.
public final class CliFixture implements CliWiring {
    final FakeClock clock = new FakeClock();
    public final FakeBenchmarks benchmarks = new FakeBenchmarks();
    final FakeEngines engines = new FakeEngines();
    public final FakeResults results = new FakeResults();
    public final List<Path> resultFolders = new ArrayList<>();
    public final List<Runnable> shutdownActions = new ArrayList<>();
    final List<Optional<Path>> desktops = new ArrayList<>();
    public RunServices.SpecSource specs = file -> Samples.oneCell(1);
    MachineServices.SelfCheck selfCheck = (only, begun) -> List.of();
    CliServices.WorkerMode worker = (in, out) -> 0;
    InputStream in = new ByteArrayInputStream(new byte[0]);
    boolean liveProgress;
    public Path root = Path.of("");

    /// The options of a made-up scheduler.
    record BatchOptions(@Option(name = "max_batch_size", aliases = "batch", standard = "4", min = 1, max = 64,
            unit = "requests", help = "Requests in a batch.") int maxBatchSize) {}

    /// What a command left behind.
    public record Outcome(int exit, String out, String err) {}

    public Outcome run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = cli(out, err).execute(arguments);
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    Cli cli(ByteArrayOutputStream out, ByteArrayOutputStream err) {
        return new Cli(this, new Terminal(in, stream(out), stream(err), liveProgress, false, Terminal.USUAL_COLUMNS));
    }

    public static PlanException planFaults(PlanFault... faults) {
        return new PlanException(List.of(faults));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @Override
    public CliServices services(Optional<Path> workspace) {
        Vocabulary vocabulary = new Vocabulary(new Presets().all(),
                List.of(new Choice("naive", "Collects a batch and runs it to its end.",
                        "Wins when all requests are alike.", "1 lane", OptionRecords.describe(BatchOptions.class)),
                        new Choice("continuous", "One token budget a step.", "", "", List.of())),
                List.of(new Choice("host", "The CPU.", "", "", List.of())),
                List.of(new Choice("null", "Nothing: every token at once.", "", "", List.of())),
                () -> List.of("tiny-fp8", "tiny-int4"));
        RunServices run = new RunServices(vocabulary, file -> specs.read(file), this::service, this::register, clock);
        return new CliServices(new Workspace(workspace.orElse(root)), run, engines,
                new ResultServices(results, results), machine(), (input, output) -> worker.run(input, output));
    }

    private FakeBenchmarks service(Path folder) {
        resultFolders.add(folder);
        return benchmarks;
    }

    private ShutdownHooks.Registration register(Runnable action) {
        shutdownActions.add(action);
        return () -> shutdownActions.remove(action);
    }

    private MachineServices machine() {
        MachineReport report =
                new MachineReport("Debian GNU/Linux 12", "amd64", "Example CPU", 2, 4, 8L << 30, 6L << 30,
                        OptionalDouble.of(0.5), OptionalDouble.empty(), Optional.empty(), Optional.empty(), "Java 25",
                        GpuReport.none("No NVIDIA driver: libnvidia-ml.so.1 was not found.",
                                List.of(new GpuAttempt("libnvidia-ml.so.1", "cannot open shared object file"))),
                        List.of());
        MachineView view = new MachineView(Samples.MACHINE, report,
                List.of(new ReadinessCheck("Free memory", ReadinessCheck.State.READY, "6.00 GiB of 8.00 GiB free."),
                        new ReadinessCheck("CPU governor", ReadinessCheck.State.ATTENTION,
                                "powersave: choose \"performance\" while measuring.")),
                List.of(new BackendFact("host", true, List.of("4 threads, 512-bit vectors.")), new BackendFact("cuda",
                        false, List.of("libcuda.so.1 was not found.", "Install an NVIDIA driver to use it."))));
        return new MachineServices(() -> view, selfCheck);
    }

    @Override
    public int desktop(Optional<Path> workspace) {
        desktops.add(workspace);
        return 0;
    }

    @Override
    public String version() {
        return "Inferometer 0.1.0";
    }

    public ExperimentSpec onlyStarted() {
        return benchmarks.started.getFirst();
    }
}
