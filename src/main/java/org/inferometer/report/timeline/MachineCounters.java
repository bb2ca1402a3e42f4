package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.report.timeline.RunTimelineCounter.CounterKind;
import org.inferometer.report.timeline.RunTimelineCounter.CounterUnit;
import org.inferometer.report.timeline.RunTimelineCounter.Group;

/// Counters of the device and of the host from a run's telemetry and send times, and of a server from its gauges. What no sample has, has no counter.
final class MachineCounters {
    private static final String RUNNING = "server running";
    private static final String WAITING = "server waiting";
    private static final Map<String, String> GAUGES = Map.of("vllm:num_requests_running", RUNNING,
            "vllm:num_requests_waiting", WAITING, "sglang:num_running_reqs", RUNNING, "sglang:num_queue_reqs", WAITING,
            "trtllm_num_requests_running", RUNNING, "trtllm_num_requests_waiting", WAITING,
            "llamacpp:requests_processing", RUNNING, "llamacpp:requests_deferred", WAITING);
    private final List<TelemetrySample> samples;
    private final long[] instants;
    private final List<RunTimelineCounter> made = new ArrayList<>();

    private MachineCounters(List<TelemetrySample> samples) {
        this.samples = samples;
        this.instants = samples.stream().mapToLong(TelemetrySample::nanos).toArray();
    }

    /// The counters, device first.
    static List<RunTimelineCounter> of(RunObservations observations) {
        MachineCounters counters = new MachineCounters(observations.telemetry());
        counters.device();
        counters.host(observations.setup().computesHere());
        counters.lateness(observations.requests());
        return List.copyOf(counters.made);
    }

    private void device() {
        gpu("GPU use", CounterUnit.PERCENT, GpuSample::utilisationPercent, 100);
        gpu("GPU memory access", CounterUnit.PERCENT, GpuSample::memoryUtilisationPercent, 100);
        gpu("GPU clock", CounterUnit.MEGAHERTZ, GpuSample::smClockMegahertz, 0);
        gpu("GPU memory clock", CounterUnit.MEGAHERTZ, GpuSample::memoryClockMegahertz, 0);
        gpu("GPU power", CounterUnit.WATTS, GpuSample::powerWatts, 0);
        gpu("GPU temperature", CounterUnit.CELSIUS, GpuSample::temperatureCelsius, 0);
    }

    private void gpu(String name, CounterUnit unit, ToDoubleFunction<GpuSample> reading, double capacity) {
        double[] values = samples.stream()
                .mapToDouble(sample -> sample.gpuReadings().map(gpu -> reading.applyAsDouble(gpu)).orElse(Double.NaN))
                .toArray();
        add(new CounterKind(name, Group.DEVICE, unit, true, capacity), values);
    }

    private void host(boolean computesHere) {
        String process = computesHere ? "" : "client ";
        add(new CounterKind(process + "CPU", computesHere ? Group.DEVICE : Group.HOST, CounterUnit.CORES, true, 0),
                between((before, after) -> (double) (after.processCpuNanos() - before.processCpuNanos())
                        / (after.nanos() - before.nanos())));
        add(new CounterKind(process + "Java heap", Group.HOST, CounterUnit.BYTES, true, 0), samples.stream()
                .mapToDouble(sample -> sample.heapUsedBytes() > 0 ? sample.heapUsedBytes() : Double.NaN).toArray());
        boolean collected = !samples.isEmpty() && samples.getLast().gcCount() > samples.getFirst().gcCount();
        if (collected) {
            add(new CounterKind(process + "GC", Group.HOST, CounterUnit.NANOSECONDS, true, 0),
                    between((before, after) -> 1e6 * (after.gcMillis() - before.gcMillis())));
        }
    }

    /// A value between two samples.
    private interface SampleDifference {
        double of(TelemetrySample before, TelemetrySample after);
    }

    /// The value of each sample holds until the next; the last sample begins none.
    private double[] between(SampleDifference difference) {
        double[] values = new double[samples.size()];
        for (int i = 0; i < values.length; i++) {
            boolean known = i + 1 < values.length && instants[i + 1] > instants[i];
            values[i] = known ? difference.of(samples.get(i), samples.get(i + 1)) : Double.NaN;
        }
        return values;
    }

    private void add(CounterKind kind, double[] values) {
        boolean read = false;
        for (double value : values) {
            read |= !Double.isNaN(value);
        }
        if (read) {
            made.add(new RunTimelineCounter(kind, instants, values, instants[instants.length - 1]));
        }
    }

    private void lateness(RequestColumns requests) {
        RequestColumns known = requests.where(i -> requests.sentNanos(i) != RequestOutcome.ABSENT
                && requests.intendedNanos(i) != RequestOutcome.ABSENT);
        RequestColumns sent = known.ascending(known::sentNanos);
        if (!sent.isEmpty()) {
            made.add(new RunTimelineCounter(
                    new CounterKind("send lateness", Group.HOST, CounterUnit.NANOSECONDS, false, 0),
                    sent.longs(sent::sentNanos).toArray(),
                    sent.longs(i -> sent.sentNanos(i) - sent.intendedNanos(i)).asDoubleStream().toArray(),
                    sent.sentNanos(sent.size() - 1)));
        }
    }

    /// A counter of running and one of waiting requests, where their gauges were recorded.
    static List<RunTimelineCounter> gauges(List<RunEvent> events) {
        Map<String, List<long[]>> readings = new LinkedHashMap<>(); // [instant, requests]
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Gauge(long nanos, String gauge, double value)
                    && GAUGES.get(gauge) instanceof String name && value >= 0 && value <= Integer.MAX_VALUE) {
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
