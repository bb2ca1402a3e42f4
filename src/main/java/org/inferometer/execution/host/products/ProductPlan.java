package org.inferometer.execution.host.products;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.host.machine.HostOptions;

/// The products of one executor: chosen when it opens, closed after the lanes.
///
/// @param integers for INT4 and INT8 matrices if activations are rounded
/// @param batched for all others
public record ProductPlan(IntegerPlan integers, BatchedProduct batched) implements AutoCloseable {
    /// The portable kernels with activations as they are.
    public static final ProductPlan PORTABLE = new ProductPlan(IntegerPlan.EXACT, BatchedProduct.portable(""));

    /// The fastest that the options allow on a processor.
    ///
    /// @param maxRows of a step
    public static ProductPlan of(ModelWeights weights, HostOptions options, int maxRows,
            BatchedProduct.Processor processor) {
        IntegerPlan integers = IntegerPlan.of(weights, options, maxRows);
        try {
            boolean rounded = integers.format() != ActivationRows.IntegerFormat.EXACT;
            return new ProductPlan(integers, BatchedProduct.of(weights, options, rounded, maxRows, processor));
        } catch (RuntimeException | Error failed) {
            integers.close();
            throw failed;
        }
    }

    /// A description of the products, batch invariance first: "deterministic".
    public String describe() {
        String reason = batched.description();
        String first = batched.products() != null ? reason : reason.isEmpty() ? "deterministic"
                : "deterministic (" + reason + ")";
        return Stream.of(first, integers.description()).filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        batched.close();
        integers.close();
    }
}
