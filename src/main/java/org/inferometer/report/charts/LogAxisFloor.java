package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.Collection;

/// The lower end of a logarithmic axis, where values of 0 are drawn.
///
/// @param nanos the smallest value above 0 of all that is drawn; one nanosecond if there is none
record LogAxisFloor(double nanos) {
    /// @param samples each ascending
    static LogAxisFloor of(Collection<double[]> samples) {
        return new LogAxisFloor(samples.stream()
                .flatMapToDouble(each -> Arrays.stream(each).filter(value -> value > 0).limit(1)).min().orElse(1));
    }

    double clip(double value) {
        return Math.max(value, nanos);
    }

    /// The note under the chart that counts the values of 0; empty if there are none.
    static String note(Collection<double[]> samples) {
        long zeros =
                samples.stream().flatMapToDouble(each -> Arrays.stream(each).takeWhile(value -> value <= 0)).count();
        return zeros == 0 ? "" : zeros == 1 ? " · 1 value of 0 is drawn at the lower end"
                : " · " + zeros + " values of 0 are drawn at the lower end";
    }
}
