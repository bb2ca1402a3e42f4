package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.workload.RequestId;

/// Times of requests that a target reported by its own clock. They exclude the network and queues in front of the target's engine.
final class ReportedTimes {
    private ReportedTimes() {}

    static List<Figure> of(List<RunEvent> events, List<RequestOutcome> measured) {
        List<RunEvent.ReportedTimes> reported = new ArrayList<>();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.ReportedTimes times) {
                reported.add(times);
            }
        }
        if (reported.isEmpty()) {
            return List.of();
        }
        Set<RequestId> answered = new HashSet<>();
        measured.stream().filter(RequestOutcome::answered).forEach(request -> answered.add(request.id()));
        reported.removeIf(times -> !answered.contains(times.request()));
        List<Figure> figures = new ArrayList<>(
                Metrics.REPORTED_PREFILL.figures(distribution(reported, RunEvent.ReportedTimes::prefillNanos)));
        figures.addAll(Metrics.REPORTED_DECODE.figures(distribution(reported, RunEvent.ReportedTimes::decodeNanos)));
        return figures;
    }

    private static Distribution distribution(List<RunEvent.ReportedTimes> reported,
            ToDoubleFunction<RunEvent.ReportedTimes> nanos) {
        double[] values = reported.stream().mapToDouble(nanos).toArray();
        return Distribution.taking(values, values.length);
    }
}
