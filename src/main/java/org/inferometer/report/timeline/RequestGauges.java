package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.record.RunEvent;

/// Counters of running and waiting requests from a server's gauges, under their names.
final class RequestGauges {
    private static final Set<String> NAMES = Set.of("vllm:num_requests_running", "vllm:num_requests_waiting",
            "sglang:num_running_reqs", "sglang:num_queue_reqs", "trtllm_num_requests_running",
            "trtllm_num_requests_waiting", "llamacpp:requests_processing", "llamacpp:requests_deferred");

    private RequestGauges() {}

    /// One counter per recorded gauge.
    static List<RunTimelineCounter> of(List<RunEvent> events) {
        Map<String, List<long[]>> readings = new LinkedHashMap<>(); // [instant, requests]
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Gauge(long nanos, String name, double value) && NAMES.contains(name)
                    && value >= 0 && value <= Integer.MAX_VALUE) {
                readings.computeIfAbsent(name, of -> new ArrayList<>()).add(new long[]{nanos, (long) value});
            }
        }
        List<RunTimelineCounter> counters = new ArrayList<>();
        readings.forEach((name, of) -> {
            of.sort((one, other) -> Long.compare(one[0], other[0]));
            long[] instants = of.stream().mapToLong(reading -> reading[0]).toArray();
            double[] values = of.stream().mapToDouble(reading -> reading[1]).toArray();
            counters.add(new RunTimelineCounter(RunTimelineCounter.CounterKind.count(name, 0), instants, values,
                    instants[instants.length - 1]));
        });
        return List.copyOf(counters);
    }
}
