package org.inferometer.execution.host.kernels;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.packed.PackedModel;

/// The products of one executor: chosen when it opens, closed after the lanes.
///
/// @param integers for INT4 and INT8 matrices if activations are rounded
/// @param batched for all others
public record ProductPlan(IntegerPlan integers, BatchedProduct batched) implements AutoCloseable {
    /// The portable kernels with activations as they are.
    public static final ProductPlan PORTABLE = new ProductPlan(IntegerPlan.EXACT, new BatchedProduct.Portable(""));

    /// Times the candidates, on the calling thread.
    public interface Autotuning {
        /// @param inputs of the widest matrix
        /// @param maxRows of a step
        ProductAutotuner.Timings run(int inputs, int maxRows);
    }

    /// Autotunes unless the options ask for batch-invariant kernels.
    public static ProductPlan of(ModelWeights weights, HostOptions options, ExecutorSizes sizes,
            Autotuning autotuning) {
        int maxRows = maxRows(sizes);
        IntegerPlan integers = IntegerPlan.of(weights, options, maxRows);
        List<WeightMatrix> others = PackedModel.distinct(weights).stream().filter(
                matrix -> !matrix.precision().isInteger() || integers.format() == ActivationRows.IntegerFormat.EXACT)
                .toList();
        if (options.deterministic() || others.isEmpty()) {
            return new ProductPlan(integers, new BatchedProduct.Portable(""));
        }
        try {
            Set<Integer> widths =
                    others.stream().map(WeightMatrix::columns).collect(Collectors.toCollection(HashSet::new));
            int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(1);
            return new ProductPlan(integers, BatchedProduct.fastest(autotuning.run(widest, maxRows), widths, maxRows));
        } catch (RuntimeException | Error failed) {
            integers.close();
            throw failed;
        }
    }

    /// Rows of the largest product of a step.
    public static int maxRows(ExecutorSizes sizes) {
        return Math.max(sizes.maxStepPositions(), sizes.maxSampledRows());
    }

    /// A description of the products, batch invariance first: "deterministic".
    ///
    /// @param deterministic as the options say
    public String describe(boolean deterministic) {
        String first = switch (batched) {
            case BatchedProduct.Portable(String _) when deterministic -> "deterministic";
            case BatchedProduct.Portable(String reason) when reason.isEmpty() ->
                "deterministic (every kernel is batch-invariant)";
            case BatchedProduct.Portable(String reason) -> "deterministic (" + reason + ")";
            case BatchedProduct.ByOneDnn oneDnn -> "not batch-invariant: " + oneDnn.description();
        };
        return Stream.of(first, integers.description()).filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        batched.close();
        integers.close();
    }
}
