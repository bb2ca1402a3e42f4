package org.inferometer.ui.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineMemory;

/// What rows of values draw, in pixel columns: equal neighbours are one bar, and a spike of one value keeps its column. Pure.
final class ValueBars {
    /// Rectangles that the rows of values of one frame draw at most.
    static final int MOST_RECTANGLES = 12_000;
    /// Rectangles of a counter's column: its area and its line.
    static final int RECTANGLES_OF_A_COUNTER = 2;

    private ValueBars() {}

    /// Columns with the same values.
    ///
    /// @param first the first column; `end` is one past the last
    /// @param low smallest value of each column
    /// @param last value at the end
    record CounterBar(int first, int end, double low, double high, double last) {}

    /// Columns with the same memory.
    ///
    /// @param sample of the columns, the one with most shown bytes
    record MemoryBar(int first, int end, int sample) {}

    /// The columns for rows of values, so that a frame stays within [#MOST_RECTANGLES].
    ///
    /// @param columns pixel columns of the row
    /// @param rectanglesPerColumn of all visible rows of values together
    static int columns(int columns, int rectanglesPerColumn) {
        return Math.clamp(MOST_RECTANGLES / Math.max(1, rectanglesPerColumn), 1, columns);
    }

    /// The bars of a counter from left to right; missing readings have none.
    static List<CounterBar> of(RunTimelineCounter counter, long from, long to, int columns) {
        List<CounterBar> bars = new ArrayList<>();
        counter.columns(from, to, columns, (column, low, high, last) -> {
            CounterBar before = bars.isEmpty() ? null : bars.getLast();
            if (Double.isNaN(low)) {
                return;
            }
            boolean same = before != null && counter.kind().held() && before.end() == column && before.low() == low
                    && before.high() == high && low == high && last == high;
            if (before != null && same) {
                bars.set(bars.size() - 1, new CounterBar(before.first(), column + 1, low, high, last));
            } else {
                bars.add(new CounterBar(column, column + 1, low, high, last));
            }
        });
        return bars;
    }

    /// The bars of the memory from left to right.
    static List<MemoryBar> of(RunTimelineMemory memory, long from, long to, int columns,
            Collection<MemoryOwner> shown) {
        List<MemoryBar> bars = new ArrayList<>();
        memory.columns(from, to, columns, shown, (column, sample) -> {
            MemoryBar before = bars.isEmpty() ? null : bars.getLast();
            if (before != null && before.end() == column && before.sample() == sample) {
                bars.set(bars.size() - 1, new MemoryBar(before.first(), column + 1, sample));
            } else {
                bars.add(new MemoryBar(column, column + 1, sample));
            }
        });
        return bars;
    }
}
