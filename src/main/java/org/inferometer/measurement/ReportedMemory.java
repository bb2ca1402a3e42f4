package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RunEvent;

/// Memory peaks that a target reported inside the window.
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
            if (event instanceof RunEvent.MemoryPeak peak && peak.ofHost() == ofHost && window.contains(peak.nanos())) {
                greatest = Math.max(greatest, peak.bytes());
                readings++;
            }
        }
        if (readings > 0) {
            figures.add(new Figure(metric, greatest, readings, true));
        }
    }
}
