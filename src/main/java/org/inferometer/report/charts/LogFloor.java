package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.Collection;

/// The lower end of a logarithmic axis, where values of 0 are drawn: such an axis has no place of its own for them.
///
/// @param nanos the least value above 0 of all that is drawn; one nanosecond where there is none
record LogFloor(double nanos) {
    /// Under some samples, each ascending.
    static LogFloor under(Collection<double[]> samples) {
        return new LogFloor(samples.stream()
                .flatMapToDouble(each -> Arrays.stream(each).filter(value -> value > 0).limit(1)).min().orElse(1));
    }

    /// Where a value is drawn.
    double place(double value) {
        return Math.max(value, nanos);
    }

    /// What is said of the values of 0 under the chart; empty where there are none.
    static String note(Collection<double[]> samples) {
        long zeros =
                samples.stream().flatMapToDouble(each -> Arrays.stream(each).takeWhile(value -> value <= 0)).count();
        return zeros == 0 ? "" : zeros == 1 ? " · 1 value of 0 is drawn at the lower end"
                : " · " + zeros + " values of 0 are drawn at the lower end";
    }
}
