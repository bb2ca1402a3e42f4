package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import org.inferometer.engine.WeightMatrix;

/// Activation rows that go into matrices, with the second form that INT4 products read.
///
/// Elements past a row's width stay zero: they meet the padding of the weights.
final class RowInput {
    private static final int GROUP = WeightMatrix.Int4.GROUP_COLUMNS;

    final int width;
    final int stride;
    final float[] values; // [rows, stride]
    /// Values times the powers of 16 of [Decoding#int4]; empty where no consumer is INT4.
    final float[] scaled; // [rows, stride]
    final int groups;
    final float[] sums; // [rows, groups]

    RowInput(int width, int rows, boolean forInt4) {
        this.width = width;
        stride = Vectors.stride(width);
        values = new float[rows * stride];
        groups = forInt4 ? Math.ceilDiv(width, GROUP) : 0;
        scaled = new float[forInt4 ? rows * stride : 0];
        sums = new float[rows * groups];
    }

    static long bytes(int width, int rows, boolean forInt4) {
        long stride = Vectors.stride(width);
        return 4 * rows * (forInt4 ? 2 * stride + Math.ceilDiv(width, GROUP) : stride);
    }

    /// Makes the INT4 form of a finished row.
    void prepare(int row, float[] spill) {
        if (groups == 0) {
            return;
        }
        int at = row * stride;
        FloatVector factors = Decoding.int4InputScale();
        for (int k = 0; k < stride; k += LANES) {
            FloatVector.fromArray(FLOATS, values, at + k).mul(factors).intoArray(scaled, at + k);
        }
        for (int group = 0; group < groups; group++) {
            int from = group * GROUP;
            sums[row * groups + group] = NormKernels.sum(values, at + from, Math.min(GROUP, width - from), spill);
        }
    }
}
