package org.inferometer.execution.backend;

/// The allowed deviation of logits from the reference: each logit by `absolute + relative · |expected|`, and all of a
/// case by a share of the root mean square.
///
/// A value between two rounded values may fall to either side and shift the logits after it. The limit per logit allows
/// this; the overall limit finds small errors everywhere.
///
/// @param overall share of the root mean square of the expected logits
public record Tolerance(double absolute, double relative, double overall) {
    /// The deviation of one logit as a share of the tolerance: 1 is the limit; infinite for NaN.
    public double share(double actual, double expected) {
        double share = Math.abs(actual - expected) / (absolute + relative * Math.abs(expected));
        return Double.isNaN(share) ? Double.POSITIVE_INFINITY : share;
    }
}
