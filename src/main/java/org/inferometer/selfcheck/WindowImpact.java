package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.experiment.PlanException;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.PairedEquivalence;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.record.RunStatus;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;

/// Compares equal runs with and without a window. For one thread.
public final class WindowImpact {
    /// Requests of a run.
    public static final int REQUESTS = 300;
    /// Name of the experiments.
    public static final String NAME = "selfcheck-window";

    /// Pause before a run, so that what was started before has ended.
    public static final long SETTLING_NANOS = 3_000_000_000L;

    private static final List<Metric> METRICS = List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TTFT.p99());
    private final BenchmarkService service;
    private final Map<String, List<Double>> alone = new LinkedHashMap<>();
    private final Map<String, List<Double>> shown = new LinkedHashMap<>();
    private final Map<String, WindowSamples> last = new LinkedHashMap<>();

    /// @param service runs experiments without a window
    WindowImpact(BenchmarkService service) {
        this.service = service;
    }

    /// The figures of an ended experiment that are compared, by id of the metric.
    ///
    /// @throws IllegalStateException with a sentence, if it is not complete
    public static Map<Metric, Double> figures(ExperimentManifest ended) {
        if (ended.status() != RunStatus.COMPLETE || ended.cells().isEmpty()) {
            throw new IllegalStateException("An experiment did not complete. " + ended.failure());
        }
        Map<Metric, Double> figures = new LinkedHashMap<>();
        for (CellFigure figure : ended.cells().getFirst().figures()) {
            METRICS.stream().filter(metric -> metric.id().equals(figure.metric().id()))
                    .forEach(metric -> figures.put(metric, figure.mean()));
        }
        return figures;
    }

    /// Runs the experiment without a window, after as long a pause as the window has before its run.
    void runAlone() throws PlanException, InterruptedException {
        LockSupport.parkNanos(SETTLING_NANOS);
        figures(service.start(SmallExperiment.spec(NAME, 1, REQUESTS), new ExperimentListener() {}).await())
                .forEach((metric, value) -> alone.computeIfAbsent(metric.id(), id -> new ArrayList<>()).add(value));
    }

    /// Takes the figures of the same experiment in a window.
    ///
    /// @throws IllegalStateException with a sentence, if there are none
    void withWindow(List<WindowSamples> figures) {
        for (WindowSamples figure : figures) {
            if (figure.samples().length == 0) {
                throw new IllegalStateException(figure.note());
            }
            shown.computeIfAbsent(figure.id(), id -> new ArrayList<>()).add(figure.samples()[0]);
            last.put(figure.id(), figure);
        }
    }

    /// One figure a metric.
    List<WindowFigure> figures() {
        return last.values().stream().map(figure -> {
            List<Double> base = alone.getOrDefault(figure.id(), List.of());
            List<Double> with = shown.getOrDefault(figure.id(), List.of());
            Double margin = figure.target();
            return margin == null || base.size() < 2 || base.size() != with.size()
                    ? WindowFigure.of(WindowSamples.notMeasured(figure.goal(), figure.id(), figure.name(),
                            "At least two pairs are needed."))
                    : WindowFigure.of(figure.goal(), figure.id(), figure.name(),
                            PairedEquivalence.of(base, with, margin), figure.note());
        }).toList();
    }
}
