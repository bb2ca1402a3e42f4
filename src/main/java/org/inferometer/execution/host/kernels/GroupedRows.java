package org.inferometer.execution.host.kernels;

/// Rows of inputs of INT4 and INT8 matrices, with what products need of each group of a row.
public interface GroupedRows {
    /// Numbers that [#sums] holds of a group.
    int SUMS = 3;

    /// Three numbers per group of integers: the sum of its inputs; the constant part of its chains (0, or [W4A8Rows#share]
    /// if inputs of INT4 are rounded); and the scale of its inputs, 1 without rounding. Written before each product.
    float[] sums();

    /// Index of the sums of a row's group.
    int sumsAt(int row, int group);

    /// Address of the bytes of a row's group.
    ///
    /// @throws IllegalStateException if the rows are not rounded to bytes
    long codesAddress(int row, int group);
}
