package org.inferometer.selfcheck;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.inferometer.experiment.PlanException;
import org.inferometer.run.BenchmarkService;
import org.inferometer.units.FileFault;
import org.inferometer.units.FolderTree;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Checks of the desktop's window against its goals. Each opens a window in a new process, over generated results in a temporary folder.
///
/// For one thread; [#close] may be called from any thread.
public final class WindowChecks implements AutoCloseable {
    /// The name of the folder with the generated result, in the results of the workspace.
    public static final String LARGE = "large";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int STEPS_PER_REQUEST = 5;
    private static final Duration OPENING = Duration.ofMinutes(10);
    private final WindowProgram program;
    private final GeneratedExperiment generated;
    private final Function<Path, BenchmarkService> benchmarks;
    private @Nullable Path folder;
    private @Nullable Process process;
    private boolean closed;

    /// The program that opens a window.
    public interface WindowProgram {
        /// Where the window is shown, as a sentence.
        String display();

        /// The command line of a process that runs one check and prints a line of JSON ([WindowSamples]) for each figure.
        List<String> command(Path workspace, WindowCheck check, WindowCheckOptions options);
    }

    /// The figures and where they were read.
    ///
    /// @param conditions one sentence
    public record WindowReport(String conditions, List<WindowFigure> figures) {}

    /// @param program opens the window
    /// @param generated writes the results that it shows
    /// @param benchmarks runs experiments without a window, into a folder
    public WindowChecks(WindowProgram program, GeneratedExperiment generated,
            Function<Path, BenchmarkService> benchmarks) {
        this.benchmarks = benchmarks;
        this.program = program;
        this.generated = generated;
    }

    /// Runs checks one after another.
    ///
    /// @param begun receives the name of each step at its start
    /// @throws IOException if the temporary folder cannot be written
    public WindowReport run(List<WindowCheck> checks, WindowCheckOptions options, Consumer<String> begun)
            throws IOException, InterruptedException {
        String conditions = program.display() + " " + conditions();
        List<WindowFigure> figures = new ArrayList<>();
        for (WindowCheck check : checks) {
            WindowCheckOptions length = options.orElse(check.usual());
            Path workspace = open();
            if (length.requests() > 0) {
                begun.accept("a result of " + length.requests() + " requests");
                generated.write(workspace.resolve("results"), LARGE, length.requests(),
                        check == WindowCheck.TIMELINE ? STEPS_PER_REQUEST * length.requests() : 0);
            }
            begun.accept(check.title());
            if (check == WindowCheck.IMPACT) {
                figures.addAll(impact(workspace, length, begun));
            } else {
                merged(check, workspace, length).values().forEach(samples -> figures.add(WindowFigure.of(samples)));
            }
            discard();
        }
        return new WindowReport(conditions, figures);
    }

    private List<WindowFigure> impact(Path workspace, WindowCheckOptions length, Consumer<String> begun)
            throws IOException, InterruptedException {
        WindowImpact impact = new WindowImpact(benchmarks.apply(workspace.resolve("results")));
        for (int pair = 0; pair < length.times(); pair++) {
            begun.accept("pair " + (pair + 1) + " of " + length.times());
            try {
                if (pair % 2 != 0) {
                    impact.runAlone();
                }
                impact.withWindow(samples(WindowCheck.IMPACT, workspace, length));
                if (pair % 2 == 0) {
                    impact.runAlone();
                }
            } catch (PlanException | IllegalStateException e) {
                return List.of(WindowFigure.of(WindowSamples.notMeasured(WindowCheck.IMPACT.goal(), "impact",
                        WindowCheck.IMPACT.title(), String.valueOf(e.getMessage()))));
            }
        }
        return impact.figures();
    }

    /// The start is measured in a process of its own each time, everything else in one.
    private Map<String, WindowSamples> merged(WindowCheck check, Path workspace, WindowCheckOptions length)
            throws IOException, InterruptedException {
        Map<String, WindowSamples> merged = new LinkedHashMap<>();
        int processes = check == WindowCheck.START ? length.times() : 1;
        for (int i = 0; i < processes; i++) {
            for (WindowSamples samples : samples(check, workspace, length)) {
                merged.merge(samples.id(), samples, WindowSamples::and);
            }
        }
        return merged;
    }

    private List<WindowSamples> samples(WindowCheck check, Path workspace, WindowCheckOptions length)
            throws IOException, InterruptedException {
        Path out = workspace.resolve("window.out");
        Path errors = workspace.resolve("window.err");
        Process started = start(new ProcessBuilder(program.command(workspace, check, length))
                .redirectOutput(out.toFile()).redirectError(errors.toFile()));
        boolean ended =
                started.waitFor(OPENING.plusSeconds((long) length.seconds() * Math.max(1, length.times())).toMillis(),
                        TimeUnit.MILLISECONDS);
        if (!ended) {
            started.destroyForcibly().waitFor();
        }
        List<WindowSamples> samples = new ArrayList<>(read(out));
        if (!ended || started.exitValue() != 0) {
            samples.add(WindowSamples.notMeasured(check.goal(), check.id(), check.title(), !ended
                    ? "The window did not finish in time."
                    : "The window's process ended with exit code " + started.exitValue() + ". " + lastLine(errors)));
        }
        return samples;
    }

    private synchronized Process start(ProcessBuilder builder) throws IOException, InterruptedException {
        if (closed) {
            throw new InterruptedException("The checks were stopped.");
        }
        process = builder.start();
        return process;
    }

    private static List<WindowSamples> read(Path out) throws IOException {
        List<WindowSamples> samples = new ArrayList<>();
        for (String line : Files.readAllLines(out)) {
            if (line.startsWith("{")) {
                try {
                    samples.add(MAPPER.readValue(line, WindowSamples.class));
                } catch (JacksonException e) {
                    throw new IOException("The window's process printed a line that is no figure.", e);
                }
            }
        }
        return samples;
    }

    private static String lastLine(Path errors) {
        try {
            List<String> lines = Files.readAllLines(errors);
            return lines.isEmpty() ? "It printed no reason." : lines.getLast();
        } catch (IOException e) {
            return FileFault.sentence(e);
        }
    }

    private static String conditions() {
        int processors = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getSystemLoadAverage();
        String busy =
                load < 0 ? "Its load before is not known." : String.format(Locale.ROOT, "Load average before: %.1f%s.",
                        load, load > 0.2 * processors ? "; other programs ran, so times are only indicative" : "");
        return processors + " processors. " + busy;
    }

    private synchronized Path open() throws IOException, InterruptedException {
        if (closed) {
            throw new InterruptedException("The checks were stopped.");
        }
        Path made = Files.createTempDirectory("inferometer-window");
        folder = made;
        return made;
    }

    private synchronized void discard() throws IOException {
        Path made = folder;
        folder = null;
        if (made != null) {
            FolderTree.delete(made);
        }
    }

    /// Ends the window's process and deletes the temporary folder.
    @Override
    public void close() throws IOException {
        Process running;
        synchronized (this) {
            closed = true;
            running = process;
        }
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
        discard();
    }
}
