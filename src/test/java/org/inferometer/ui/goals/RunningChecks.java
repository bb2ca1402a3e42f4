package org.inferometer.ui.goals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.ui.bench.BenchState;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.goals.WindowFigure.Statistic;
import org.inferometer.workload.ArrivalProcess;

/// Checks of the window while an experiment runs: stopping it, and CPU time.
final class RunningChecks {
    private static final String STOP = "G13";
    private static final String CPU = "G5";
    private static final int LASTING_REQUESTS = 50_000;
    private static final long SETTLING_NANOS = 3_000_000_000L;
    private static final int IN_FLIGHT = 4;
    private final MeasuredWindow window;
    private final WindowCheck.Length options;
    private final BenchViewModel bench;

    RunningChecks(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
        this.bench = window.content().bench();
    }

    /// From the click on Stop to the window that says so, and to the end of the engine.
    List<WindowFigure> stop() throws InterruptedException {
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
    List<WindowFigure> cpu() throws InterruptedException {
        List<WindowFigure> figures = new ArrayList<>();
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
        figures.add(WindowFigure.notMeasured(CPU, "cpu_gpu_memory", "GPU memory of the window",
                "The processes of a GPU are not read."));
        return figures;
    }

    /// Starts the small experiment and waits for its first figures.
    private void start(int requests) throws InterruptedException {
        FxProbe probe = window.probe();
        probe.until("engines listed", () -> !bench.designer().engines().all().isEmpty());
        probe.run(() -> {
            window.content().showBench();
            bench.designer().load(small(requests));
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
        LockSupport.parkNanos(SETTLING_NANOS);
    }

    private WindowFigure share(String id, String name, double target) {
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

    private static WindowFigure samples(String goal, String id, String name, String unit, double target,
            List<Double> values, String note) {
        return new WindowFigure(goal, id, name, unit, Statistic.MEDIAN, target,
                values.stream().mapToDouble(Double::doubleValue).toArray(), note);
    }

    /// The smallest engine under one scheduler.
    private static ExperimentSpec small(int requests) {
        ExperimentSpec quick = new Presets().find("quick");
        return quick.named("window").withSubjects(quick.subjects().stream()
                .filter(each -> each.model().equals(Optional.of("tiny-int4")) && each.system().equals("continuous"))
                .toList())
                .withWorkloads(List.of(quick.workloads().getFirst()
                        .withArrivals(new ArrivalProcess.ClosedLoop(IN_FLIGHT)).withRequests(requests)))
                .withRuns(1);
    }
}
