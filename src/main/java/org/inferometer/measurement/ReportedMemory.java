package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunEvent.Gauge;

/// Memory peaks that a target reported inside the window, or the largest readings of a started server's processes there.
final class ReportedMemory {
    private ReportedMemory() {}

    static List<Figure> of(List<RunEvent> events, RunWindow window) {
        List<Figure> figures = new ArrayList<>();
        peak(figures, Metrics.REPORTED_MEMORY_PEAK, events, false, window);
        peak(figures, Metrics.REPORTED_HOST_MEMORY_PEAK, events, true, window);
        return figures;
    }

    private static void peak(List<Figure> figures, Metric metric, List<RunEvent> events, boolean ofHost,
            RunWindow window) {
        double greatest = 0;
        int readings = 0;
        for (RunEvent event : events) {
            OptionalDouble bytes = bytes(event, ofHost, window);
            if (bytes.isPresent()) {
                greatest = Math.max(greatest, bytes.getAsDouble());
                readings++;
            }
        }
        if (readings > 0) {
            figures.add(new Figure(metric, greatest, readings, true));
        }
    }

    private static OptionalDouble bytes(RunEvent event, boolean ofHost, RunWindow window) {
        return switch (event) {
            case RunEvent.MemoryPeak peak when peak.ofHost() == ofHost && window.contains(peak.nanos()) ->
                OptionalDouble.of(peak.bytes());
            case Gauge gauge when gauge.name().equals(ofHost ? Gauge.SERVER_MEMORY : Gauge.SERVER_GPU_MEMORY)
                    && Double.isFinite(gauge.value()) && window.contains(gauge.nanos()) ->
                OptionalDouble.of(gauge.value());
            default -> OptionalDouble.empty();
        };
    }
}
