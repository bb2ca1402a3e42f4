package org.inferometer.record;

/// One figure of one run. A figure that could not be measured does not exist: there is no zero or NaN in its place.
///
/// @param n how many samples it rests on (requests, gaps, steps, ...)
/// @param enough whether n suffices for this percentile (n ≥ 10/(1−p)); true for means and rates
public record Figure(Metric metric, double value, long n, boolean enough) {}
