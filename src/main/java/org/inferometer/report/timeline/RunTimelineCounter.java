package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.List;
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
}
