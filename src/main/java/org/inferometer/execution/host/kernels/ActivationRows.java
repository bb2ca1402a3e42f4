package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.parallel.Vectors.TILE_ROWS;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.onednn.ByteRows;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.FloatRows;
import org.inferometer.execution.host.parallel.Vectors;
import org.jspecify.annotations.Nullable;

/// Activation rows that go into matrices, in the form of each [MatrixProduct] that an executor uses.
///
/// Elements past a row's width stay zero: they meet the padding of the weights.
public final class ActivationRows {
    /// Numbers that [#sums] holds of a group.
    static final int SUMS = 3;

    public final int stride;
    public final float[] values; // [rows, stride]
    /// The rows as several of them are multiplied; for INT4 as [Int4Kernels#order] has them.
    final float[] tiles; // [rows / TILE_ROWS, stride, TILE_ROWS]
    /// A single row for INT4 as [Int4Kernels#order] has it.
    final float[] orderedRow; // [stride]
    /// Three numbers per group of integers: the sum of its inputs; the constant part of its chains (0, or [W4A8Rows#share]
    /// if inputs of INT4 are rounded); and the scale of its inputs, 1 without rounding.
    final float[] sums; // [rows, groups, SUMS]

    private final MatrixProducts products;
    private final int width;
    private final int groups; // of whole blocks; those behind the width stay zero
    private final int groupColumns;
    private final boolean nibbles;
    private final @Nullable RoundedRows rounded;
    private final @Nullable FloatRows floats;

    /// @param rows whole tiles
    /// @param arena as long-lived as the rows
    public ActivationRows(int width, int rows, MatrixProducts products, Arena arena) {
        this.width = width;
        this.products = products;
        groupColumns = products.format().groupColumns();
        nibbles = products.format().weights() == Precision.INT4;
        stride = Vectors.stride(width);
        values = new float[rows * stride];
        tiles = new float[rows * stride];
        orderedRow = new float[stride];
        groups = groups(width, products);
        sums = new float[SUMS * rows * groups];
        rounded = products.rounds() ? new RoundedRows(width, rows, products, arena) : null;
        floats = products.floats().many() instanceof MatrixProduct.FloatsByOneDnn(FloatProducts oneDnn)
                ? new FloatRows(oneDnn.format(), width, rows, arena) : null;
    }

    public static long bytes(int width, int rows, MatrixProducts products) {
        long stride = Vectors.stride(width);
        long rounded = products.rounds() ? RoundedRows.bytes(width, rows, products) : 0;
        long floats = products.floats().many() instanceof MatrixProduct.FloatsByOneDnn(FloatProducts oneDnn)
                ? FloatRows.bytes(oneDnn.format(), width, rows) : 0;
        return 4 * (rows * (2 * stride + SUMS * groups(width, products)) + stride) + rounded + floats;
    }

    private static int groups(int width, MatrixProducts products) {
        return Vectors.roundUp(width, WeightMatrix.Int4.GROUP_COLUMNS) / products.format().groupColumns();
    }

    /// The products that the rows are prepared for.
    MatrixProducts products() {
        return products;
    }

    /// Index of the sums of a row's group.
    int sumsAt(int row, int group) {
        return SUMS * (row * groups + group);
    }

    /// For INT4 by [MatrixProduct.Rounded].
    W4A8Rows nibbles() {
        return rounded().nibbles();
    }

    /// For INT8 by [MatrixProduct.Rounded].
    W8A8Rows codes() {
        return rounded().codes();
    }

    /// For [MatrixProduct.RoundedByOneDnn].
    ByteRows bytes() {
        return rounded().bytes();
    }

    private RoundedRows rounded() {
        return Objects.requireNonNull(rounded, "rounded rows");
    }

    /// For [MatrixProduct.FloatsByOneDnn].
    FloatRows floats() {
        return Objects.requireNonNull(floats, "rows for oneDNN");
    }

    /// Converts one tile of finished rows to the form that their product reads.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param integers whether the matrices that follow are INT4 or INT8
    public void prepare(int tile, int inUse, boolean integers, float[] spill) {
        int first = tile * TILE_ROWS;
        int present = Math.min(TILE_ROWS, inUse - first);
        switch (products.of(integers, inUse)) {
            case MatrixProduct.Fp32 _ -> prepareFp32(first, present, inUse, integers, spill);
            case MatrixProduct.Rounded _ -> rounded().toLanes(values, first, present, inUse, sums, groups, spill);
            case MatrixProduct.RoundedByOneDnn _ -> rounded().toBytes(values, first, present);
            case MatrixProduct.FloatsByOneDnn _ -> floats().take(values, stride, first, present);
        }
    }

    private void prepareFp32(int first, int present, int inUse, boolean integers, float[] spill) {
        for (int row = first; integers && row < first + present; row++) {
            for (int group = 0; group * groupColumns < width; group++) {
                int count = Math.min(groupColumns, width - group * groupColumns);
                int at = sumsAt(row, group);
                sums[at] = NormKernels.sum(values, row * stride + group * groupColumns, count, spill);
                sums[at + 1] = 0;
                sums[at + 2] = 1;
            }
        }
        if (inUse > 1) {
            interleave(values, first, present, integers && nibbles);
        } else if (integers && nibbles) {
            Int4Kernels.order(Math.ceilDiv(width, Int4Kernels.PLACES), groupColumns / Int4Kernels.PLACES, values, 0,
                    orderedRow, 0, 1);
        }
    }

    /// @param ordered as [Int4Kernels] needs it
    private void interleave(float[] from, int first, int present, boolean ordered) {
        if (ordered) {
            for (int row = 0; row < present; row++) {
                int words = Math.ceilDiv(width, Int4Kernels.PLACES);
                Int4Kernels.order(words, groupColumns / Int4Kernels.PLACES, from, (first + row) * stride, tiles,
                        first * stride + row, TILE_ROWS);
            }
            return;
        }
        for (int k = 0; k < stride; k += 4) {
            int to = first * stride + k * TILE_ROWS;
            for (int row = 0; row < present; row++) {
                int at = (first + row) * stride + k;
                tiles[to + row] = from[at];
                tiles[to + TILE_ROWS + row] = from[at + 1];
                tiles[to + 2 * TILE_ROWS + row] = from[at + 2];
                tiles[to + 3 * TILE_ROWS + row] = from[at + 3];
            }
        }
    }
}
