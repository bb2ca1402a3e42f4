package org.inferometer.execution.host;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.ExecutorSizes;

/// How one executor multiplies: chosen once, at opening; closed after the lanes.
///
/// @param int4 INT4 matrices, where activations are rounded for them
/// @param manyRows all others
record ProductPlan(Int4Plan int4, ManyRows manyRows) implements AutoCloseable {
    /// The portable kernels with activations as they are.
    static final ProductPlan PORTABLE = new ProductPlan(Int4Plan.EXACT, new ManyRows.Portable(""));

    /// Holds a race, on the calling thread.
    interface Racing {
        /// @param inputs of the widest matrix
        /// @param maxRows of a step
        ProductRace hold(int inputs, int maxRows);
    }

    /// Only kernels that are not bound to be batch-invariant race.
    static ProductPlan of(ModelWeights weights, HostOptions options, ExecutorSizes sizes, Racing racing) {
        int maxRows = maxRows(sizes);
        Int4Plan int4 = Int4Plan.of(weights, options, maxRows);
        List<WeightMatrix> others = PackedModel.distinct(weights).stream()
                .filter(matrix -> matrix.precision() != Precision.INT4 || int4.form() == RowInput.Int4Form.EXACT)
                .toList();
        if (options.deterministic() || others.isEmpty()) {
            return new ProductPlan(int4, new ManyRows.Portable(""));
        }
        try {
            Set<Integer> widths =
                    others.stream().map(WeightMatrix::columns).collect(Collectors.toCollection(HashSet::new));
            int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(1);
            return new ProductPlan(int4, ManyRows.winner(racing.hold(widest, maxRows), widths, maxRows));
        } catch (RuntimeException | Error failed) {
            int4.close();
            throw failed;
        }
    }

    /// Rows of the largest product of a step.
    static int maxRows(ExecutorSizes sizes) {
        return Math.max(sizes.maxStepPositions(), sizes.maxSampledRows());
    }

    /// What was chosen, for people and records, batch invariance first.
    ///
    /// @param asked whether it was asked for
    String words(boolean asked) {
        String first = switch (manyRows) {
            case ManyRows.Portable(String words) when asked -> "deterministic";
            case ManyRows.Portable(String words) when words.isEmpty() ->
                "deterministic (not asked for, but every kernel is batch-invariant)";
            case ManyRows.Portable(String words) -> "deterministic (not asked for; " + words + ")";
            case ManyRows.Widened widened -> "not batch-invariant: " + widened.words();
        };
        return Stream.of(first, int4.words()).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        manyRows.close();
        int4.close();
    }
}
