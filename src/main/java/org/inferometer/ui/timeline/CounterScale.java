package org.inferometer.ui.timeline;

import org.inferometer.report.timeline.RunTimelineCounter;
import org.inferometer.report.timeline.RunTimelineCounter.CounterUnit;

/// The scale of a counter's row.
///
/// @param low value at the lower edge
/// @param high value at the upper edge, above `low`
/// @param lowLabel of the lower edge
/// @param highLabel of the upper edge; empty where all values are equal to the lower edge
record CounterScale(double low, double high, String lowLabel, String highLabel) {
    /// From 0 to the peak; clocks and temperatures from their least value; percentages, and KV blocks where the whole pool is wanted,
    /// up to 100 %.
    static CounterScale of(RunTimelineCounter counter, boolean wholePool) {
        CounterUnit unit = counter.kind().unit();
        if (counter.kind().capacity() > 0 && (unit == CounterUnit.PERCENT || wholePool)) {
            return new CounterScale(0, Math.max(counter.kind().capacity(), counter.peak()), "0 %", "100 %");
        }
        boolean level = unit == CounterUnit.MEGAHERTZ || unit == CounterUnit.CELSIUS;
        double low = level && counter.least() < counter.peak() ? counter.least() : Math.min(0, counter.least());
        boolean spread = counter.peak() > low;
        double high = spread ? counter.peak() : low + 1;
        return new CounterScale(low, high, label(unit, low), spread ? label(unit, high) : "");
    }

    private static String label(CounterUnit unit, double value) {
        return value == 0 ? "0" : unit.text(value);
    }

    /// Whether areas may be filled: they begin at zero.
    boolean isFromZero() {
        return low == 0;
    }

    /// The place of a value, 0 at the lower edge to 1 at the upper.
    double share(double value) {
        return (value - low) / (high - low);
    }
}
