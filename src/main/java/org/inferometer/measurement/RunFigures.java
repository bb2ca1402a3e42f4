package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunObservations;

/// Derives every figure of a run from its observations: equal observations give equal figures.
///
/// A figure that cannot be derived is left out. One pass each over requests, steps, events and samples, and one sort per distribution.
public final class RunFigures {
    private RunFigures() {}

    /// All figures that the observations hold, in the order of [Metrics#all()] by group.
    public static List<Figure> of(RunObservations observations) {
        RequestColumns measured = observations.requests().measured();
        RunObservations.Setup setup = observations.setup();
        Optional<RunWindow> window = RunWindow.of(measured);
        // Of a run without tokens there is no rate, either.
        Optional<RunWindow> rates = window.flatMap(whole -> RateWindow.of(measured, setup.load()));
        List<Figure> figures = new ArrayList<>();
        figures.addAll(RequestFigures.of(measured, window, rates, setup.load()));
        figures.addAll(LatencyFigures.of(measured));
        figures.addAll(ReportedTimes.of(observations.events(), measured));
        window.flatMap(whole -> RequestFigures.objectiveMet(measured, setup.goal())).ifPresent(figures::add);
        rates.ifPresent(within -> {
            figures.addAll(RequestFigures.ofGoal(measured, within, setup.goal(), setup.load()));
            figures.addAll(StepFigures.of(observations.steps(), setup, within));
        });
        window.ifPresent(whole -> {
            figures.addAll(PreemptionFigures.of(observations, measured, whole));
            // The telemetry of this process describes the client, not a remote server.
            if (setup.computesHere()) {
                rates.ifPresent(within -> figures.addAll(TelemetryFigures.ofRates(observations, measured, within)));
                figures.addAll(TelemetryFigures.ofMemory(observations, measured, whole));
            }
            figures.addAll(ServerFigures.of(observations.events(), whole));
            figures.addAll(ReportedMemory.of(observations.events(), whole));
            // Memory of a started server's processes is known better.
            GpuFigures.of(observations.events(), measured, rates, whole).stream()
                    .filter(figure -> find(figures, figure.metric()).isEmpty()).forEach(figures::add);
        });
        return List.copyOf(figures);
    }

    /// The figure of a metric, by its id.
    public static Optional<Figure> find(List<Figure> figures, Metric metric) {
        return figures.stream().filter(figure -> figure.metric().id().equals(metric.id())).findFirst();
    }
}
