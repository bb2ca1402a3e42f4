package org.inferometer.execution.cuda;

/// Padded widths for the kernels.
final class PaddedWidth {
    /// Inputs of a product are whole INT4 groups in every format.
    private static final int INPUTS = 128;
    private static final int HEAD = 8;

    private PaddedWidth() {}

    /// Padded inputs of a product.
    static int inputs(int columns) {
        return Math.ceilDiv(columns, INPUTS) * INPUTS;
    }

    /// Padded elements of a head, so that each starts at a multiple of 16 bytes.
    static int head(int headDim) {
        return Math.ceilDiv(headDim, HEAD) * HEAD;
    }
}
