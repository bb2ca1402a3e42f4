package org.inferometer.execution.cuda;

/// Widths as the kernels want them.
final class PaddedWidth {
    /// Inputs of a product come in whole groups of INT4, for every format.
    private static final int INPUTS = 128;
    private static final int HEAD = 8;

    private PaddedWidth() {}

    /// Inputs of a product, padded with zeros.
    static int inputs(int columns) {
        return Math.ceilDiv(columns, INPUTS) * INPUTS;
    }

    /// Elements from one head's keys to the next, so that each begins at 16 bytes.
    static int head(int headDim) {
        return Math.ceilDiv(headDim, HEAD) * HEAD;
    }
}
