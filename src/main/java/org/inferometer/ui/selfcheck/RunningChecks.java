package org.inferometer.ui.selfcheck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.selfcheck.SmallExperiment;
import org.inferometer.selfcheck.WindowCheckOptions;
import org.inferometer.selfcheck.WindowImpact;
import org.inferometer.selfcheck.WindowSamples;
import org.inferometer.selfcheck.WindowSamples.Statistic;
import org.inferometer.ui.bench.BenchState;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.LiveMode;

/// Checks of the window while an experiment runs: stopping it, CPU time, and the figures of a whole run.
final class RunningChecks {
    private static final String STOP = "G13";
    private static final String CPU = "G5";
    private static final String IMPACT = "G4";
    private static final int LASTING_REQUESTS = 50_000;
    private final MeasuredWindow window;
    private final WindowCheckOptions options;
    private final BenchViewModel bench;

    RunningChecks(MeasuredWindow window, WindowCheckOptions options) {
        this.window = window;
        this.options = options;
        this.bench = window.content().bench();
    }

    /// From the click on Stop to the window that says so, and to the end of the engine.
    List<WindowSamples> stop() throws InterruptedException {
        FxProbe probe = window.probe();
        List<Double> feedback = new ArrayList<>();
        List<Double> ended = new ArrayList<>();
        for (int i = 0; i < options.times(); i++) {
            start(LASTING_REQUESTS);
            long clicked = probe.clock().nanos();
            probe.run(bench::stop);
            feedback.add((probe.pulse(window.scene()) - clicked) / 1e6);
            ended.add(
                    (probe.until("experiment ended", () -> !bench.state().get().isRunning()).nanos() - clicked) / 1e9);
        }
        return List.of(
                samples(STOP, "stop_feedback", "click on Stop to a window that says so", "ms", 100, feedback, ""),
                samples(STOP, "stop_ended", "click on Stop to the saved record", "s", 2, ended,
                        "The engine has ended before."));
    }

    /// CPU time in percent of one core, idle and in each mode.
    List<WindowSamples> cpu() throws InterruptedException {
        List<WindowSamples> figures = new ArrayList<>();
        settle();
        figures.add(share("idle", "idle window", 0.3));
        start(LASTING_REQUESTS);
        for (LiveMode mode : LiveMode.values()) {
            window.probe().run(() -> bench.live().choose(mode));
            settle();
            figures.add(share(mode.key(), "window, " + mode.label(), switch (mode) {
                case LIVE -> 5;
                case LOW_IMPACT -> 1;
                case BLACKOUT -> 0.3;
            }));
        }
        window.probe().run(bench::stop);
        window.probe().until("experiment ended", () -> !bench.state().get().isRunning());
        figures.add(WindowSamples.notMeasured(CPU, "cpu_gpu_memory", "GPU memory of the window",
                "The processes of a GPU are not read."));
        return figures;
    }

    /// The figures of one run, with the window in the mode that it chooses for this machine.
    List<WindowSamples> impact() throws InterruptedException {
        settle();
        start(WindowImpact.REQUESTS);
        LiveMode mode = window.probe().call(() -> bench.live().mode().get());
        window.probe().until("experiment ended", () -> !bench.state().get().isRunning());
        ExperimentManifest ended = window.probe().call(() -> switch (bench.state().get()) {
            case BenchState.Finished finished -> finished.result().manifest();
            default -> throw new IllegalStateException("The experiment did not start.");
        });
        boolean live = mode == LiveMode.LIVE;
        List<WindowSamples> figures = new ArrayList<>();
        WindowImpact.figures(ended).forEach((metric, value) -> {
            boolean throughput = metric.equals(Metrics.OUTPUT_THROUGHPUT);
            figures.add(new WindowSamples(IMPACT, metric.id(), metric.label() + " with a window against without",
                    metric.unit().name(), Statistic.MEDIAN, throughput ? live ? 0.01 : 0.003 : live ? 0.02 : 0.01,
                    new double[]{value}, mode.label() + ", " + WindowImpact.REQUESTS + " requests a run."));
        });
        return figures;
    }

    /// Starts the small experiment and waits for its first figures.
    private void start(int requests) throws InterruptedException {
        FxProbe probe = window.probe();
        probe.until("engines listed", () -> !bench.designer().engines().all().isEmpty());
        probe.run(() -> {
            window.content().showBench();
            bench.designer().load(SmallExperiment.spec(WindowImpact.NAME, 1, requests));
            bench.runDesigned().ifPresent(field -> {
                throw new IllegalStateException("The experiment has a fault: " + field);
            });
        });
        probe.until("first figures", () -> !bench.state().get().isRunning() || bench.live().runProgress().get() > 0);
        if (probe.call(() -> bench.state().get()) instanceof BenchState.Refused refused) {
            throw new IllegalStateException(refused.problem());
        }
    }

    /// Leaves the window alone, until what was started has ended.
    private void settle() {
        LockSupport.parkNanos(WindowImpact.SETTLING_NANOS);
    }

    private WindowSamples share(String id, String name, double target) {
        Duration before = cpuTime();
        long began = window.probe().clock().nanos();
        LockSupport.parkNanos(options.seconds() * 1_000_000_000L);
        double nanos = window.probe().clock().nanos() - began;
        return samples(CPU, "cpu_" + id, name, "%", target, List.of(100 * cpuTime().minus(before).toNanos() / nanos),
                String.format(Locale.ROOT, "Percent of one core over %d s.", options.seconds()));
    }

    private static Duration cpuTime() {
        return Objects.requireNonNull(ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private static WindowSamples samples(String goal, String id, String name, String unit, double target,
            List<Double> values, String note) {
        return new WindowSamples(goal, id, name, unit, Statistic.MEDIAN, target,
                values.stream().mapToDouble(Double::doubleValue).toArray(), note);
    }
}
