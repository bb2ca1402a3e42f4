package org.inferometer.execution.backend;

/// How far logits may lie from those of the plain pass: each by `absolute + relative · |expected|`, and all of a case together, as the
/// root of the mean of squares, by a share of the expected ones.
///
/// Where a number lies on the border between two that a backend rounds to, the order of additions decides on which side it falls, and
/// the logits after it move together; the limit for each leaves room for that, the one for all of them catches what is wrong
/// everywhere by less.
///
/// @param overall share of the root mean square of the expected logits
public record Tolerance(double absolute, double relative, double overall) {
    /// The deviation of one as a share of what is allowed: 1 is the limit; infinite where the actual value is no number.
    public double share(double actual, double expected) {
        double share = Math.abs(actual - expected) / (absolute + relative * Math.abs(expected));
        return Double.isNaN(share) ? Double.POSITIVE_INFINITY : share;
    }
}
