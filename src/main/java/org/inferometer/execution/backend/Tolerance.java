package org.inferometer.execution.backend;

/// How far logits may deviate from the reference pass: each by `absolute + relative · |expected|`, and all of a case together, as the
/// root of the mean of squares, by a share of the expected ones.
///
/// A number between two rounded values falls to either side, depending on the order of additions, and
/// the logits after it deviate together. The limit for each logit allows that; the limit for all of them finds
/// small errors everywhere.
///
/// @param overall share of the root mean square of the expected logits
public record Tolerance(double absolute, double relative, double overall) {
    /// The deviation of one logit as a share of the tolerance: 1 is the limit; infinite for NaN.
    public double share(double actual, double expected) {
        double share = Math.abs(actual - expected) / (absolute + relative * Math.abs(expected));
        return Double.isNaN(share) ? Double.POSITIVE_INFINITY : share;
    }
}
