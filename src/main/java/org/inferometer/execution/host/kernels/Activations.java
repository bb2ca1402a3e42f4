package org.inferometer.execution.host.kernels;

/// Number formats of activations that are multiplied with INT4 and INT8 weights.
public enum Activations {
    /// Not rounded.
    FP32,
    /// Integers between -127 and 127 times a factor, chosen for each row and group of the weights.
    INT8
}
