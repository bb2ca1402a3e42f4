package org.inferometer.execution.host.onednn;

/// Which products give a row the bits of oneDNN's products.
public enum SameBits {
    /// Not even those of other numbers of rows.
    NONE,
    /// oneDNN's of any number of rows.
    AMONG_ROWS,
    /// The portable kernels as well: sums of chains of multiply-adds over inputs in ascending order.
    PORTABLE
}
