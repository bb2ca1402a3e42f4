package org.inferometer.execution.cuda.device;

/// Padded widths for the kernels.
public final class PaddedWidth {
    /// Inputs of a product are whole INT4 groups in every format.
    private static final int INPUTS = 128;
    private static final int HEAD = 8;
    private static final int PARTIAL = 4;

    private PaddedWidth() {}

    /// Padded inputs of a product.
    public static int inputs(int columns) {
        return Math.ceilDiv(columns, INPUTS) * INPUTS;
    }

    /// Padded elements of a head, so that each starts at a multiple of 16 bytes.
    public static int head(int headDim) {
        return Math.ceilDiv(headDim, HEAD) * HEAD;
    }

    /// Floats of a head's partial attention: the values, the largest score and the sum of weights, each part padded to
    /// 16 bytes.
    public static int partial(int headDim) {
        return (Math.ceilDiv(headDim, PARTIAL) + 1) * PARTIAL;
    }
}
