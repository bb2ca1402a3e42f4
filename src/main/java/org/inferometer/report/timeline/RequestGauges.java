package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.record.RunEvent;

/// Counters of running and waiting requests from a server's gauges.
final class RequestGauges {
    private static final String RUNNING = "server running";
    private static final String WAITING = "server waiting";
    private static final Map<String, String> NAMES = Map.of("vllm:num_requests_running", RUNNING,
            "vllm:num_requests_waiting", WAITING, "sglang:num_running_reqs", RUNNING, "sglang:num_queue_reqs", WAITING,
            "trtllm_num_requests_running", RUNNING, "trtllm_num_requests_waiting", WAITING,
            "llamacpp:requests_processing", RUNNING, "llamacpp:requests_deferred", WAITING);

    private RequestGauges() {}

    /// A counter of running and one of waiting requests, where their gauges were recorded.
    static List<RunTimelineCounter> of(List<RunEvent> events) {
        Map<String, List<long[]>> readings = new LinkedHashMap<>(); // [instant, requests]
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Gauge(long nanos, String gauge, double value)
                    && NAMES.get(gauge) instanceof String name && value >= 0 && value <= Integer.MAX_VALUE) {
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
