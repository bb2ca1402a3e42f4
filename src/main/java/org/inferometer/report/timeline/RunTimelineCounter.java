package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A value that holds until the next one: requests running or waiting, blocks held in a pool.
///
/// Minima and maxima are kept for groups of 16, 256 and so on: a spike of one step is visible at every zoom, in few reads. Immutable.
public final class RunTimelineCounter {
    private static final int GROUP = 16;

    private final String name;
    private final int capacity;
    private final long[] instants;
    private final int[] values;
    private final List<int[]> smallest = new ArrayList<>();
    private final List<int[]> largest = new ArrayList<>();
    private final int peak;
    private final long endNanos;

    /// Receives the columns of a window.
    public interface ColumnVisitor {
        /// @param column from 0
        /// @param low smallest value, with the value at the start of the column
        /// @param high largest value
        /// @param last value at the end of the column
        void column(int column, int low, int high, int last);
    }

    /// @param name what is counted: "running"
    /// @param capacity the maximum possible, or 0 if not known
    /// @param instants ascending, nanoseconds since the run's anchor
    /// @param values `[instants]` the value from each instant on
    /// @param endNanos end of the last value
    RunTimelineCounter(String name, int capacity, long[] instants, int[] values, long endNanos) {
        this.endNanos = endNanos;
        this.name = name;
        this.capacity = capacity;
        this.instants = instants.clone();
        this.values = values.clone();
        int[] low = this.values;
        int[] high = this.values;
        while (low.length > GROUP) {
            low = grouped(low, true);
            high = grouped(high, false);
            smallest.add(low);
            largest.add(high);
        }
        this.peak = Arrays.stream(high).max().orElse(0);
    }

    private static int[] grouped(int[] values, boolean least) {
        int[] groups = new int[(values.length + GROUP - 1) / GROUP];
        for (int group = 0; group < groups.length; group++) {
            int extreme = values[group * GROUP];
            for (int i = group * GROUP; i < Math.min(values.length, (group + 1) * GROUP); i++) {
                extreme = least ? Math.min(extreme, values[i]) : Math.max(extreme, values[i]);
            }
            groups[group] = extreme;
        }
        return groups;
    }

    /// What is counted.
    public String name() {
        return name;
    }

    /// The maximum possible, or 0 if not known.
    public int capacity() {
        return capacity;
    }

    /// The largest value of the run.
    public int peak() {
        return peak;
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
        int found = Arrays.binarySearch(instants, nanos);
        int index = found >= 0 ? found : -found - 2;
        while (index + 1 < instants.length && instants[index + 1] == nanos) {
            index++;
        }
        return index;
    }

    /// A value.
    public int value(int index) {
        return values[index];
    }

    /// Gives the columns of a window, from the first with a value.
    ///
    /// @return values and groups read: a few dozen per column
    public int columns(long from, long to, int columns, ColumnVisitor visitor) {
        double nanosPerColumn = (double) (to - from) / columns;
        int looked = 0;
        int before = at(from);
        for (int column = 0; column < columns; column++) {
            int last = at((long) (from + (column + 1) * nanosPerColumn));
            if (last >= 0) {
                int first = Math.max(0, before);
                looked += last - first < GROUP ? last - first + 1 : 2 * GROUP * (smallest.size() + 1);
                visitor.column(column, extreme(first, last, true), extreme(first, last, false), values[last]);
            }
            before = last;
        }
        return looked;
    }

    private int extreme(int first, int last, boolean least) {
        int extreme = values[first];
        int[] level = values;
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

    private static int over(int[] level, int from, int to, int start, boolean least) {
        int extreme = start;
        for (int i = from; i < to; i++) {
            extreme = least ? Math.min(extreme, level[i]) : Math.max(extreme, level[i]);
        }
        return extreme;
    }
}
