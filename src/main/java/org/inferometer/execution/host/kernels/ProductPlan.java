package org.inferometer.execution.host.kernels;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.packed.PackedModel;

/// How one executor multiplies: chosen once, at opening; closed after the lanes.
///
/// @param int4 INT4 matrices, where activations are rounded for them
/// @param manyRows all others
public record ProductPlan(Int4Plan int4, BatchedProduct manyRows) implements AutoCloseable {
    /// The portable kernels with activations as they are.
    public static final ProductPlan PORTABLE = new ProductPlan(Int4Plan.EXACT, new BatchedProduct.Portable(""));

    /// Holds a race, on the calling thread.
    public interface Racing {
        /// @param inputs of the widest matrix
        /// @param maxRows of a step
        ProductAutotuner hold(int inputs, int maxRows);
    }

    /// Only kernels that are not bound to be batch-invariant race.
    public static ProductPlan of(ModelWeights weights, HostOptions options, ExecutorSizes sizes, Racing racing) {
        int maxRows = maxRows(sizes);
        Int4Plan int4 = Int4Plan.of(weights, options, maxRows);
        List<WeightMatrix> others = PackedModel.distinct(weights).stream()
                .filter(matrix -> matrix.precision() != Precision.INT4 || int4.form() == ActivationRows.Int4Form.EXACT)
                .toList();
        if (options.deterministic() || others.isEmpty()) {
            return new ProductPlan(int4, new BatchedProduct.Portable(""));
        }
        try {
            Set<Integer> widths =
                    others.stream().map(WeightMatrix::columns).collect(Collectors.toCollection(HashSet::new));
            int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(1);
            return new ProductPlan(int4, BatchedProduct.winner(racing.hold(widest, maxRows), widths, maxRows));
        } catch (RuntimeException | Error failed) {
            int4.close();
            throw failed;
        }
    }

    /// Rows of the largest product of a step.
    public static int maxRows(ExecutorSizes sizes) {
        return Math.max(sizes.maxStepPositions(), sizes.maxSampledRows());
    }

    /// What was chosen, for people and records, batch invariance first.
    ///
    /// @param asked whether it was asked for
    public String words(boolean asked) {
        String first = switch (manyRows) {
            case BatchedProduct.Portable(String words) when asked -> "deterministic";
            case BatchedProduct.Portable(String words) when words.isEmpty() ->
                "deterministic (not asked for, but every kernel is batch-invariant)";
            case BatchedProduct.Portable(String words) -> "deterministic (not asked for; " + words + ")";
            case BatchedProduct.Widened widened -> "not batch-invariant: " + widened.words();
        };
        return Stream.of(first, int4.words()).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        manyRows.close();
        int4.close();
    }
}
