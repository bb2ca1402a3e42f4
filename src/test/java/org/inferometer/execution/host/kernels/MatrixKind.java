package org.inferometer.execution.host.kernels;

import java.util.random.RandomGenerator;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.onednn.IntegerProducts;
import org.jspecify.annotations.Nullable;

/// The formats of weights that kernels are tested with: INT4 in groups of every width, FP8 with scales of outputs and of groups.
public enum MatrixKind {
    BF16(Precision.BF16, 128), FP8(Precision.FP8, 0), FP8_128(Precision.FP8, 128), INT4(Precision.INT4, 128),
    INT4_64(Precision.INT4, 64), INT4_32(Precision.INT4, 32);

    /// One FP8 value in so many has no exponent.
    private static final int TINY = 10;

    private final Precision precision;
    private final int groupColumns;

    MatrixKind(Precision precision, int groupColumns) {
        this.precision = precision;
        this.groupColumns = groupColumns;
    }

    public boolean isInt4() {
        return precision == Precision.INT4;
    }

    public WeightMatrix matrix(int outputs, int inputs, RandomGenerator random) {
        return switch (precision) {
            case BF16 -> RandomModel.matrix(outputs, inputs, precision, random);
            case FP8 -> RandomModel.fp8(outputs, inputs, groupColumns, TINY, random);
            case INT4 -> RandomModel.int4(outputs, inputs, groupColumns, random);
        };
    }

    /// Whether oneDNN gets its weights times the scales of groups, which BF16 rounds.
    public boolean isScaledInGroups() {
        return isInt4() || this == FP8_128;
    }

    /// Portable kernels and activations that are not rounded.
    ProductPlan portable() {
        return plan(new BatchedProduct.Portable(""));
    }

    /// Activations that are not rounded.
    public ProductPlan plan(BatchedProduct batched) {
        return new ProductPlan(Int4Plan.exact(isInt4() ? groupColumns : WeightMatrix.Int4.GROUP_COLUMNS), batched);
    }

    /// How INT4 in groups of a width is multiplied.
    public static ProductPlan int4(int groupColumns, ActivationRows.Int4Format format,
            @Nullable IntegerProducts integers) {
        return new ProductPlan(new Int4Plan(format, groupColumns, integers, ""), new BatchedProduct.Portable(""));
    }
}
