package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.parallel.Vectors.FLOATS;
import static org.inferometer.execution.host.parallel.Vectors.INTS;
import static org.inferometer.execution.host.parallel.Vectors.LANES;

import java.lang.foreign.Arena;
import java.util.Objects;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.engine.Precision;
import org.inferometer.execution.host.onednn.ByteRows;
import org.inferometer.execution.host.parallel.Vectors;
import org.jspecify.annotations.Nullable;

/// Activation rows rounded to 8 bits in the groups of INT4 or INT8 matrices, as their products read them.
final class RoundedRows {
    private static final int MOST = 127;
    /// Added to a float of at most 2^22, leaves its nearest integer in the lowest mantissa bits.
    static final float ROUNDING = 0x1.8p23f;
    static final int ROUNDING_BITS = Float.floatToRawIntBits(ROUNDING);
    /// A group of nothing larger counts as zero; its inverse would not be finite.
    private static final float TINY = 0x1p-100f;

    private final int width;
    private final int stride;
    private final int groupColumns;
    private final float[] integers; // [rows, stride], between -127 and 127
    private final @Nullable W4A8Rows nibbles;
    private final @Nullable W8A8Rows codes;
    private final @Nullable ByteRows bytes;

    /// @param arena as long-lived as the rows
    RoundedRows(int width, int rows, MatrixProducts products, Arena arena) {
        this.width = width;
        stride = Vectors.stride(width);
        groupColumns = products.format().groupColumns();
        integers = new float[rows * stride];
        boolean int4 = products.format().weights() == Precision.INT4;
        nibbles = int4 ? new W4A8Rows(width, rows) : null;
        codes = int4 ? null : new W8A8Rows(width, rows);
        bytes = products.integers().many() instanceof MatrixProduct.RoundedByOneDnn
                ? new ByteRows(width, rows, groupColumns, int4, arena) : null;
    }

    static long bytes(int width, int rows, MatrixProducts products) {
        boolean int4 = products.format().weights() == Precision.INT4;
        long lanes = int4 ? W4A8Rows.bytes(width, rows) : W8A8Rows.bytes(width, rows);
        long bytes = products.integers().many() instanceof MatrixProduct.RoundedByOneDnn
                ? ByteRows.bytes(width, rows, products.format().groupColumns()) : 0;
        return 4L * rows * Vectors.stride(width) + lanes + bytes;
    }

    W4A8Rows nibbles() {
        return Objects.requireNonNull(nibbles, "rows for INT4");
    }

    W8A8Rows codes() {
        return Objects.requireNonNull(codes, "rows for INT8");
    }

    ByteRows bytes() {
        return Objects.requireNonNull(bytes, "rows for oneDNN");
    }

    /// Rounds some rows for [MatrixProduct.RoundedByOneDnn].
    ///
    /// @param values `[rows, stride]`
    void toBytes(float[] values, int first, int present) {
        ByteRows to = bytes();
        for (int row = first; row < first + present; row++) {
            for (int group = 0; group * groupColumns < width; group++) {
                int from = row * stride + group * groupColumns;
                int count = Math.min(groupColumns, width - group * groupColumns);
                to.take(integers, from, count, row, group, round(values, from, count));
            }
        }
    }

    /// Rounds some rows for [MatrixProduct.Rounded].
    ///
    /// @param values `[rows, stride]`
    /// @param inUse rows of the whole input
    /// @param sums as [ActivationRows#sums], for `groups` a row
    void toLanes(float[] values, int first, int present, int inUse, float[] sums, int groups, float[] spill) {
        for (int row = first; row < first + present; row++) {
            for (int group = 0; group * groupColumns < width; group++) {
                int from = row * stride + group * groupColumns;
                int count = Math.min(groupColumns, width - group * groupColumns);
                int at = ActivationRows.SUMS * (row * groups + group);
                sums[at + 2] = round(values, from, count);
                sums[at] = NormKernels.sum(integers, from, count, spill);
                sums[at + 1] = nibbles == null ? 0 : W4A8Rows.share(count, sums[at]);
            }
            if (codes != null) {
                codes.take(integers, row * stride, row);
            } else if (inUse == 1) {
                nibbles().storeSingle(integers);
            } else {
                nibbles().take(integers, row * stride, row);
            }
        }
    }

    /// Rounds a group, halves to even. The scale is not finite if a value is not.
    ///
    /// @return the scale of the integers
    private float round(float[] values, int from, int count) {
        IntVector most = IntVector.zero(INTS);
        for (int k = 0; k < count; k += LANES) {
            most = most.max(FloatVector.fromArray(FLOATS, values, from + k).reinterpretAsInts().and(Integer.MAX_VALUE));
        }
        float largest = Float.intBitsToFloat(most.reduceLanes(VectorOperators.MAX));
        boolean nothing = largest < TINY;
        FloatVector inverse = FloatVector.broadcast(FLOATS, nothing ? 0 : MOST / largest);
        FloatVector rounding = FloatVector.broadcast(FLOATS, ROUNDING);
        for (int k = 0; k < count; k += LANES) {
            FloatVector.fromArray(FLOATS, values, from + k).fma(inverse, rounding).sub(rounding).intoArray(integers,
                    from + k);
        }
        return nothing ? 0 : largest / MOST;
    }
}
