package org.inferometer.quantising;

/// Products of matrices of 32-bit floats, in plain loops that the compiler makes vectors of.
///
/// Activations are `[features][tokens]`: then every inner loop runs over the tokens of one feature.
final class DenseProduct {
    // As many rows of activations as a second-level cache holds.
    private static final int COLUMN_BLOCK = 64;

    private DenseProduct() {}

    /// Adds w·x to y, for some rows of w and some of its columns.
    ///
    /// @param w `[rows][columns]`
    /// @param x `[columns][tokens]`
    /// @param y `[rows][tokens]`
    static void add(float[][] w, int firstRow, int endRow, float[][] x, int firstColumn, int endColumn, float[][] y) {
        for (int block = firstColumn; block < endColumn; block += COLUMN_BLOCK) {
            int end = Math.min(endColumn, block + COLUMN_BLOCK);
            for (int row = firstRow; row < endRow; row += 2) {
                int column = block;
                if (row + 1 < endRow) {
                    for (; column + 4 <= end; column += 4) {
                        addTwoRows(w[row], w[row + 1], column, x, y[row], y[row + 1]);
                    }
                }
                for (int rest = column; rest < end; rest++) {
                    addScaled(w[row][rest], x[rest], y[row]);
                    if (row + 1 < endRow) {
                        addScaled(w[row + 1][rest], x[rest], y[row + 1]);
                    }
                }
            }
        }
    }

    private static void addTwoRows(float[] w0, float[] w1, int column, float[][] x, float[] y0, float[] y1) {
        float[] x0 = x[column];
        float[] x1 = x[column + 1];
        float[] x2 = x[column + 2];
        float[] x3 = x[column + 3];
        float a0 = w0[column];
        float a1 = w0[column + 1];
        float a2 = w0[column + 2];
        float a3 = w0[column + 3];
        float b0 = w1[column];
        float b1 = w1[column + 1];
        float b2 = w1[column + 2];
        float b3 = w1[column + 3];
        for (int t = 0; t < y0.length; t++) {
            y0[t] = Math.fma(a3, x3[t], Math.fma(a2, x2[t], Math.fma(a1, x1[t], Math.fma(a0, x0[t], y0[t]))));
            y1[t] = Math.fma(b3, x3[t], Math.fma(b2, x2[t], Math.fma(b1, x1[t], Math.fma(b0, x0[t], y1[t]))));
        }
    }

    /// Adds a·x to y.
    static void addScaled(float a, float[] x, float[] y) {
        for (int t = 0; t < y.length; t++) {
            y[t] = Math.fma(a, x[t], y[t]);
        }
    }
}
