package org.inferometer.execution.host.kernels;

import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.IntegerProducts;

/// The formats of weights that kernels are tested with: INT8, INT4 in groups of every width, FP8 with scales of outputs and of groups.
public enum MatrixKind {
    BF16(Precision.BF16, 128), FP8(Precision.FP8, 0), FP8_128(Precision.FP8, 128), INT8(Precision.INT8, 32),
    INT4(Precision.INT4, 128), INT4_64(Precision.INT4, 64), INT4_32(Precision.INT4, 32);

    /// One FP8 value in so many has no exponent.
    private static final int TINY = 10;

    private final Precision precision;
    private final int groupColumns;

    MatrixKind(Precision precision, int groupColumns) {
        this.precision = precision;
        this.groupColumns = groupColumns;
    }

    public boolean isInteger() {
        return precision.isInteger();
    }

    public WeightMatrix matrix(int outputs, int inputs, RandomGenerator random) {
        return switch (precision) {
            case BF16 -> RandomModel.matrix(outputs, inputs, precision, random);
            case FP8 -> RandomModel.fp8(outputs, inputs, groupColumns, TINY, random);
            case INT8 -> RandomModel.int8(outputs, inputs, random);
            case INT4 -> RandomModel.int4(outputs, inputs, groupColumns, random);
        };
    }

    /// Whether oneDNN gets its weights times the scales of groups, which BF16 rounds.
    public boolean isScaledInGroups() {
        return isInteger() || this == FP8_128;
    }

    /// Portable kernels and rows that are not rounded.
    MatrixProducts portable() {
        return MatrixProducts.portable(format(), Activations.FP32);
    }

    /// oneDNN for `fewest` rows and more, which are not rounded to 8 bits.
    public MatrixProducts byOneDnn(FloatProducts products, int fewest) {
        MatrixProducts.ByRows byRows = new MatrixProducts.ByRows(portable().floats().few(), fewest,
                new MatrixProduct.FloatsByOneDnn(products));
        return new MatrixProducts(format(), byRows, byRows, "");
    }

    private MatrixProducts.IntegerFormat format() {
        return isInteger() ? new MatrixProducts.IntegerFormat(precision, groupColumns)
                : MatrixProducts.IntegerFormat.INT4;
    }

    /// How INT4 in groups of a width, or INT8, is multiplied by the portable kernels.
    public static MatrixProducts portable(WeightMatrix matrix, Activations activations) {
        return MatrixProducts.portable(MatrixProducts.IntegerFormat.of(List.of(matrix)), activations);
    }

    /// The same with rounded rows, and by oneDNN as an executor does.
    public static MatrixProducts byOneDnn(WeightMatrix matrix, IntegerProducts products) {
        MatrixProducts portable = portable(matrix, Activations.INT8);
        return new MatrixProducts(portable.format(), portable.floats(),
                new MatrixProducts.ByRows(portable.integers().few(), MatrixProducts.FEWEST_BYTE_ROWS,
                        new MatrixProduct.RoundedByOneDnn(products)),
                "");
    }

    /// Inputs of a group of integers.
    public static int groupColumns(WeightMatrix matrix) {
        return matrix instanceof WeightMatrix.Int4 int4 ? int4.groupColumns() : WeightMatrix.Int8.GROUP_COLUMNS;
    }

    /// INT4 in groups of 128, 64 and 32 for 0, 1 and 2, and INT8 for 3.
    public static WeightMatrix integers(int kind, int outputs, int inputs, RandomGenerator random) {
        return kind < WeightMatrix.Int4.GROUPS.size()
                ? RandomModel.int4(outputs, inputs, WeightMatrix.Int4.GROUPS.get(kind), random)
                : RandomModel.int8(outputs, inputs, random);
    }
}
