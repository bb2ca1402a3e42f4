package org.inferometer.report.charts;

import java.util.Optional;

/// Finds the request behind a value of a chart.
///
/// It reads the records when called, so a chart of millions of requests holds no index. Thread-safe.
public interface RequestLookup {
    /// Of a chart whose values are not those of requests.
    RequestLookup NONE = (series, value) -> Optional.empty();

    /// The request with the value nearest to a given one; the first of equal ones.
    ///
    /// @param series name of its line, or of the category of its box
    /// @param value in the unit of the axis
    Optional<ChartRequest> nearest(String series, double value);
}
