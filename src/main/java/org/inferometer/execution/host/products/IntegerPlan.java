package org.inferometer.execution.host.products;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.jspecify.annotations.Nullable;

/// How one executor multiplies INT4 or INT8 matrices, chosen when it opens.
///
/// @param weights INT4 or INT8
/// @param format of the activations
/// @param groupColumns inputs of a group of the weights, which rounded activations have too
/// @param products oneDNN's; absent if the portable kernels compute
/// @param description for messages and records; empty if nothing was chosen
public record IntegerPlan(Precision weights, ActivationRows.IntegerFormat format, int groupColumns,
        @Nullable IntegerProducts products, String description) implements AutoCloseable {
    /// Activations that are not rounded, for INT4 in groups of [WeightMatrix.Int4#GROUP_COLUMNS].
    public static final IntegerPlan EXACT = exact(Precision.INT4, WeightMatrix.Int4.GROUP_COLUMNS);

    /// Activations that are not rounded.
    static IntegerPlan exact(Precision weights, int groupColumns) {
        return new IntegerPlan(weights, ActivationRows.IntegerFormat.EXACT, groupColumns, null, "");
    }

    /// Rounded activations use oneDNN if it has a fast product for this processor, else the portable kernels,
    /// which give the same bits.
    ///
    /// @param maxRows of a step
    static IntegerPlan of(ModelWeights weights, HostOptions options, int maxRows) {
        Set<Integer> groupCounts = new TreeSet<>();
        Precision precision = Precision.INT4;
        int groupColumns = WeightMatrix.Int4.GROUP_COLUMNS;
        for (WeightMatrix matrix : PackedModel.distinct(weights)) {
            if (matrix instanceof WeightMatrix.Int4 int4) {
                groupCounts.add(int4.groups());
                groupColumns = int4.groupColumns();
            } else if (matrix instanceof WeightMatrix.Int8 int8) {
                groupCounts.add(int8.groups());
                groupColumns = WeightMatrix.Int8.GROUP_COLUMNS;
                precision = Precision.INT8;
            }
        }
        if (groupCounts.isEmpty() || options.activations() == HostOptions.Activations.FP32) {
            return exact(precision, groupColumns);
        }
        return rounded(precision, groupColumns, groupCounts, maxRows);
    }

    /// The plan for matrices with groups of this width, so many in a row.
    static IntegerPlan rounded(Precision weights, int groupColumns, Set<Integer> groupCounts, int maxRows) {
        try {
            IntegerProducts integers = IntegerProducts.open(groupColumns, groupCounts, maxRows);
            return new IntegerPlan(weights, ActivationRows.IntegerFormat.ROUNDED_BYTES, groupColumns, integers,
                    "8-bit activations by " + integers.implementation());
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            // Server archives contain neither the library nor the classes that load it.
            System.getLogger(IntegerPlan.class.getName()).log(Level.DEBUG,
                    weights + " products use the portable kernels: " + unavailable.getMessage(), unavailable);
            return new IntegerPlan(weights, ActivationRows.IntegerFormat.ROUNDED, groupColumns, null,
                    "8-bit activations by portable kernels in 16-bit lanes (" + unavailable.getMessage() + ")");
        }
    }

    @Override
    public void close() {
        if (products != null) {
            products.close();
        }
    }
}
