package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.onednn.IntegerProducts;
import org.inferometer.execution.host.packed.PackedModel;
import org.jspecify.annotations.Nullable;

/// How one executor multiplies INT4 matrices, chosen when it opens.
///
/// @param format of the activations
/// @param groupColumns inputs of a group of the weights, which rounded activations have too
/// @param integers oneDNN's products; absent if the portable kernels compute
/// @param description for messages and records; empty if nothing was chosen
public record Int4Plan(ActivationRows.Int4Format format, int groupColumns, @Nullable IntegerProducts integers,
        String description) implements AutoCloseable {
    /// Activations that are not rounded, for groups of [WeightMatrix.Int4#GROUP_COLUMNS].
    public static final Int4Plan EXACT = exact(WeightMatrix.Int4.GROUP_COLUMNS);

    /// Activations that are not rounded.
    static Int4Plan exact(int groupColumns) {
        return new Int4Plan(ActivationRows.Int4Format.EXACT, groupColumns, null, "");
    }

    /// Rounded activations use oneDNN if it has a fast product for this processor, else the portable kernels,
    /// which give the same bits.
    ///
    /// @param maxRows of a step
    static Int4Plan of(ModelWeights weights, HostOptions options, int maxRows) {
        Set<Integer> groupCounts = new TreeSet<>();
        int groupColumns = WeightMatrix.Int4.GROUP_COLUMNS;
        for (WeightMatrix matrix : PackedModel.distinct(weights)) {
            if (matrix instanceof WeightMatrix.Int4 int4) {
                groupCounts.add(int4.groups());
                groupColumns = int4.groupColumns();
            }
        }
        if (groupCounts.isEmpty() || options.activations() == HostOptions.Activations.FP32) {
            return exact(groupColumns);
        }
        return rounded(groupColumns, groupCounts, maxRows);
    }

    /// The plan for matrices with groups of this width, so many in a row.
    static Int4Plan rounded(int groupColumns, Set<Integer> groupCounts, int maxRows) {
        try {
            IntegerProducts integers = IntegerProducts.open(groupColumns, groupCounts, maxRows);
            return new Int4Plan(ActivationRows.Int4Format.ROUNDED_BYTES, groupColumns, integers,
                    "8-bit activations by " + integers.implementation());
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            // Server archives contain neither the library nor the classes that load it.
            System.getLogger(Int4Plan.class.getName()).log(Level.DEBUG,
                    "INT4 products use the portable kernels: " + unavailable.getMessage(), unavailable);
            return new Int4Plan(ActivationRows.Int4Format.ROUNDED, groupColumns, null,
                    "8-bit activations by portable kernels in 16-bit lanes (" + unavailable.getMessage() + ")");
        }
    }

    @Override
    public void close() {
        if (integers != null) {
            integers.close();
        }
    }
}
