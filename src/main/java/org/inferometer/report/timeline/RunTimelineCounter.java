package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunEvent.GpuQuantity;
import org.inferometer.record.RunEvent.ServerQuantity;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.report.timeline.RunTimelineCounter.CounterKind;
import org.inferometer.report.timeline.RunTimelineCounter.CounterUnit;
import org.inferometer.report.timeline.RunTimelineCounter.Group;
import org.inferometer.units.BinarySearch;
import org.inferometer.units.QuantityText;

/// Values over time, on a scale of their own: requests running, blocks held in a pool, the power of a device, the lateness of each request.
///
/// A NaN is a reading that is missing. Minima and maxima are kept for groups of 8, 64 and so on: a spike of one step is visible at every zoom, in few reads. Immutable.
public final class RunTimelineCounter {
    private static final int GROUP = 8;

    private final CounterKind kind;
    private final long[] instants;
    private final double[] values;
    private final List<double[]> smallest = new ArrayList<>();
    private final List<double[]> largest = new ArrayList<>();
    private final double peak;
    private final double least;
    private final long endNanos;

    /// What the values belong to; groups stand together.
    public enum Group {
        /// The scheduler: requests and KV blocks.
        SCHEDULING,
        /// A device that computes.
        DEVICE,
        /// The machine of the load generator, and the generator.
        HOST
    }

    /// What a counter counts.
    ///
    /// @param name "running"
    /// @param held whether a value holds until the next; else it belongs to its instant alone
    /// @param capacity the maximum possible, or 0 if not known
    public record CounterKind(String name, Group group, CounterUnit unit, boolean held, double capacity) {
        /// Requests or blocks, which hold until the next value.
        static CounterKind count(String name, int capacity) {
            return new CounterKind(name, Group.SCHEDULING, CounterUnit.COUNT, true, capacity);
        }
    }

    /// Receives the columns of a window.
    public interface ColumnVisitor {
        /// @param column from 0
        /// @param low smallest value, with the one that holds at the start of the column; NaN where readings are missing
        /// @param high largest value
        /// @param last value at the end of the column
        void column(int column, double low, double high, double last);
    }

    /// @param instants ascending, nanoseconds since the run's anchor
    /// @param values `[instants]` the value from each instant on
    /// @param endNanos end of the last value
    RunTimelineCounter(CounterKind kind, long[] instants, double[] values, long endNanos) {
        this.endNanos = endNanos;
        this.kind = kind;
        this.instants = instants.clone();
        this.values = values.clone();
        double[] low = this.values;
        double[] high = this.values;
        while (low.length > GROUP) {
            low = grouped(low, true);
            high = grouped(high, false);
            smallest.add(low);
            largest.add(high);
        }
        this.peak = known(over(high, 0, high.length, Double.NaN, false));
        this.least = known(over(low, 0, low.length, Double.NaN, true));
    }

    private static double known(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private static double[] grouped(double[] values, boolean least) {
        double[] groups = new double[(values.length + GROUP - 1) / GROUP];
        for (int group = 0; group < groups.length; group++) {
            groups[group] =
                    over(values, group * GROUP, Math.min(values.length, (group + 1) * GROUP), Double.NaN, least);
        }
        return groups;
    }

    /// What is counted: "running".
    public String name() {
        return kind.name();
    }

    /// What is counted, with its unit.
    public CounterKind kind() {
        return kind;
    }

    /// The largest value of the run; 0 without values.
    public double peak() {
        return peak;
    }

    /// The smallest value of the run; 0 without values.
    public double least() {
        return least;
    }

    /// The end of the last value.
    public long endNanos() {
        return endNanos;
    }

    /// How many values.
    public int size() {
        return values.length;
    }

    /// Index of the value that holds at an instant, or -1 before the first.
    public int at(long nanos) {
        return lastAt(nanos, -1);
    }

    /// The same as [#at], found from a value not after it: neighbouring columns are near each other in memory.
    ///
    /// @param known index of a value at or before the instant, or -1
    private int lastAt(long nanos, int known) {
        return BinarySearch.last(known, instants.length, value -> instants[value] <= nanos);
    }

    /// A value; NaN if it is missing.
    public double value(int index) {
        return values[index];
    }

    /// The instant of a value.
    public long instant(int index) {
        return instants[index];
    }

    /// Gives the columns of a window, from the first with a value.
    ///
    /// @return values and groups read: a few dozen per column
    public int columns(long from, long to, int columns, ColumnVisitor visitor) {
        double nanosPerColumn = (double) (to - from) / columns;
        int looked = 0;
        int before = at(kind.held() ? from : from - 1);
        for (int column = 0; column < columns; column++) {
            int last = lastAt((long) (from + (column + 1) * nanosPerColumn), before);
            int first = kind.held() ? Math.max(0, before) : before + 1;
            if (last >= first) {
                looked += last - first < GROUP ? last - first + 1 : 2 * GROUP * (smallest.size() + 1);
                visitor.column(column, extreme(first, last, true), extreme(first, last, false), values[last]);
            }
            before = last;
        }
        return looked;
    }

    private double extreme(int first, int last, boolean least) {
        double extreme = values[first];
        double[] level = values;
        int from = first;
        int to = last + 1;
        int depth = 0;
        while (to - from > 2 * GROUP && depth < smallest.size()) {
            int firstGroup = (from + GROUP - 1) / GROUP;
            int lastGroup = to / GROUP;
            extreme = over(level, from, firstGroup * GROUP, extreme, least);
            extreme = over(level, lastGroup * GROUP, to, extreme, least);
            level = (least ? smallest : largest).get(depth++);
            from = firstGroup;
            to = lastGroup;
        }
        return over(level, from, to, extreme, least);
    }

    private static double over(double[] level, int from, int to, double start, boolean least) {
        double extreme = start;
        for (int i = from; i < to; i++) {
            if (Double.isNaN(extreme) || (least ? level[i] < extreme : level[i] > extreme)) {
                extreme = level[i];
            }
        }
        return extreme;
    }

    /// The unit of a counter, which writes its values.
    public enum CounterUnit {
        /// Requests or blocks.
        COUNT(""),
        /// Cores that a process kept busy.
        CORES(" cores"),
        /// Percent of a device's time.
        PERCENT(" %"),
        /// A clock.
        MEGAHERTZ(" MHz"),
        /// Power.
        WATTS(" W"),
        /// Temperature.
        CELSIUS(" °C"),
        /// Memory.
        BYTES(""),
        /// Durations.
        NANOSECONDS("");

        private final String suffix;

        CounterUnit(String suffix) {
            this.suffix = suffix;
        }

        /// A value with its unit: "1.80 cores", "12.3 MiB".
        public String text(double value) {
            return switch (this) {
                case COUNT -> Long.toString(Math.round(value));
                case BYTES -> QuantityText.bytes(Math.round(value));
                case NANOSECONDS -> QuantityText.latency(value).replace('-', '−');
                case CORES, PERCENT, MEGAHERTZ, WATTS, CELSIUS ->
                    QuantityText.significant(value).replace('-', '−') + suffix;
            };
        }
    }

    /// Counters of the device and of the host from a run's telemetry and send times, and of a server from its gauges. What no sample has, has no counter.
    static final class MachineCounters {
        private static final double MOST_READ = 1e15;
        private static final Map<String, CounterKind> GAUGES = gaugeKinds();
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
                    .mapToDouble(
                            sample -> sample.gpuReadings().map(gpu -> reading.applyAsDouble(gpu)).orElse(Double.NaN))
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

        private static Map<String, CounterKind> gaugeKinds() {
            Map<String, CounterKind> kinds = new HashMap<>();
            ServerQuantity.RUNNING.names().forEach(name -> kinds.put(name, CounterKind.count("server running", 0)));
            ServerQuantity.WAITING.names().forEach(name -> kinds.put(name, CounterKind.count("server waiting", 0)));
            kinds.put(GpuQuantity.POWER.gauge(), gpus("server GPU power", CounterUnit.WATTS, 0));
            kinds.put(GpuQuantity.MEMORY.gauge(), gpus("server GPU memory", CounterUnit.BYTES, 0));
            kinds.put(GpuQuantity.USE.gauge(), gpus("server GPU use", CounterUnit.PERCENT, 100));
            return Map.copyOf(kinds);
        }

        private static CounterKind gpus(String name, CounterUnit unit, double capacity) {
            return new CounterKind(name, Group.DEVICE, unit, true, capacity);
        }

        /// The counters whose gauges were recorded: requests running and waiting, and the server's GPUs. Replicas add up; the use of GPUs is
        /// their mean.
        static List<RunTimelineCounter> gauges(List<RunEvent> events) {
            Map<CounterKind, NavigableMap<Long, DoubleSummaryStatistics>> readings = new LinkedHashMap<>();
            for (RunEvent event : events) {
                if (event instanceof RunEvent.Gauge gauge && GAUGES.get(gauge.series()) instanceof CounterKind kind
                        && gauge.value() >= 0 && gauge.value() <= MOST_READ) {
                    readings.computeIfAbsent(kind, of -> new TreeMap<>())
                            .computeIfAbsent(gauge.nanos(), of -> new DoubleSummaryStatistics()).accept(gauge.value());
                }
            }
            List<RunTimelineCounter> counters = new ArrayList<>();
            readings.forEach((kind, of) -> counters.add(new RunTimelineCounter(kind,
                    of.keySet().stream().mapToLong(Long::longValue).toArray(),
                    of.values().stream().mapToDouble(kind.unit() == CounterUnit.PERCENT
                            ? DoubleSummaryStatistics::getAverage : DoubleSummaryStatistics::getSum).toArray(),
                    of.lastKey())));
            return List.copyOf(counters);
        }
    }
}
