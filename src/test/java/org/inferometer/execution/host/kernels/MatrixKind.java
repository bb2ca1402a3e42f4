package org.inferometer.execution.host.kernels;

import java.util.random.RandomGenerator;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.onednn.IntegerProducts;
import org.jspecify.annotations.Nullable;

/// The formats of weights that kernels are tested with: INT4 in groups of every width.
public enum MatrixKind {
    BF16(Precision.BF16, 128), FP8(Precision.FP8, 128), INT4(Precision.INT4, 128), INT4_64(Precision.INT4, 64),
    INT4_32(Precision.INT4, 32);

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
        return isInt4() ? RandomModel.int4(outputs, inputs, groupColumns, random)
                : RandomModel.matrix(outputs, inputs, precision, random);
    }

    /// Portable kernels and activations that are not rounded.
    ProductPlan portable() {
        return plan(new BatchedProduct.Portable(""));
    }

    /// Activations that are not rounded.
    public ProductPlan plan(BatchedProduct batched) {
        return new ProductPlan(Int4Plan.exact(groupColumns), batched);
    }

    /// How INT4 in groups of a width is multiplied.
    public static ProductPlan int4(int groupColumns, ActivationRows.Int4Format format,
            @Nullable IntegerProducts integers) {
        return new ProductPlan(new Int4Plan(format, groupColumns, integers, ""), new BatchedProduct.Portable(""));
    }
}
