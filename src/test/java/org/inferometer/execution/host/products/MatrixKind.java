package org.inferometer.execution.host.products;

import java.util.random.RandomGenerator;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.jspecify.annotations.Nullable;

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
        return isInteger();
    }

    /// Portable kernels and activations that are not rounded.
    ProductPlan portable() {
        return plan(BatchedProduct.portable(""));
    }

    /// Activations that are not rounded.
    public ProductPlan plan(BatchedProduct batched) {
        return new ProductPlan(isInteger() ? IntegerPlan.exact(precision, groupColumns) : IntegerPlan.EXACT, batched);
    }

    /// How INT4 in groups of a width, or INT8, is multiplied.
    public static ProductPlan integers(WeightMatrix matrix, ActivationRows.IntegerFormat format,
            @Nullable IntegerProducts products) {
        return new ProductPlan(new IntegerPlan(matrix.precision(), format, groupColumns(matrix), products, ""),
                BatchedProduct.portable(""));
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
