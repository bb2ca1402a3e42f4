package org.inferometer.ui.chart;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The values of a chart at one place.
///
/// @param x where the line stands, in the units of the axis
/// @param y where the ring stands, NaN for none
/// @param head the place: "12.5 s"
record Readout(double x, double y, String head, List<Row> rows) {
    /// @param value with unit and interval; "–" for none
    /// @param y the value itself, NaN for none
    record Row(String name, String value, double y) {
        Row(String name, String value) {
            this(name, value, Double.NaN);
        }
    }

    /// A line each: the head, then name and value of each row.
    String lines() {
        return Stream.concat(Stream.of(head), rows.stream().map(row -> row.name() + ": " + row.value()))
                .collect(Collectors.joining("\n"));
    }
}
