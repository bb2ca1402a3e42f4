package org.inferometer.execution.host.products;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;
import org.jspecify.annotations.Nullable;

/// What multiplies many rows that are not rounded to integers, chosen when the executor opens. Closed after the lanes.
///
/// The choice follows from the options, the weights and the processor's instructions. Nothing is timed, so a machine
/// chooses the same way each time.
///
/// @param products oneDNN's for large steps, closed with this; absent if the portable kernels multiply any number of rows
/// @param order in which the portable kernels add up fewer BF16 and FP8 rows, to the same bits; [SumOrder#UNKNOWN] if a row may
///     depend on the number of rows
/// @param fewestRows of a large step
/// @param description the choice and its reason, a part of a sentence; empty if there was no other candidate
public record BatchedProduct(@Nullable FloatProducts products, SumOrder order, int fewestRows,
        String description) implements AutoCloseable {
    /// From so many rows on BF16 is faster than the portable kernels, widened weights included.
    static final int BF16_ROWS = 16;
    /// The same of matrix tiles, which multiply sixteen rows in the time of one.
    static final int TILE_ROWS = 3;
    /// The same of FP32, which gains a third at most.
    static final int FP32_ROWS = 128;

    /// Kernels in Java, for any number of rows.
    public static BatchedProduct portable(String description) {
        return new BatchedProduct(null, SumOrder.UNKNOWN, Integer.MAX_VALUE, description);
    }

    /// Whether activations are rounded to BF16.
    ///
    /// @param converted whether oneDNN multiplies them
    /// @param integers whether the weights are INT4 or INT8
    boolean rounds(boolean converted, boolean integers) {
        return products != null && products.format() == FloatFormat.BF16
                && (converted || (order != SumOrder.UNKNOWN && !integers));
    }

    /// Whether oneDNN multiplies the rows.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param integers whether the weights are INT4 or INT8
    boolean converts(int inUse, boolean integers) {
        return inUse >= fewestRows && !(integers && order != SumOrder.UNKNOWN);
    }

    /// Whether the portable kernels multiply several rows one after the other.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param integers whether the weights are INT4 or INT8
    boolean oneByOne(int inUse, boolean integers) {
        return order == SumOrder.TILES && inUse < fewestRows && !integers;
    }

    @Override
    public void close() {
        if (products != null) {
            products.close();
        }
    }

    /// What a processor multiplies, and in which order it adds up.
    @FunctionalInterface
    public interface Processor {
        /// Whether it has instructions for BF16.
        ///
        /// @throws IOException with the reason, if oneDNN is missing
        boolean multipliesBf16() throws IOException;

        /// How oneDNN's products in BF16 add up.
        default SumOrder sumOrder(FloatProducts products) {
            return products.sumOrder();
        }
    }

    /// The products of matrices whose activations are not rounded to integers.
    ///
    /// @param rounded whether activations of INT4 and INT8 are
    /// @param maxRows of a step
    static BatchedProduct of(ModelWeights weights, HostOptions options, boolean rounded, int maxRows,
            Processor processor) {
        boolean deterministic = options.deterministic();
        List<WeightMatrix> matrices = PackedModel.distinct(weights).stream()
                .filter(matrix -> !matrix.precision().isInteger() || !(rounded || deterministic)).toList();
        boolean exact = options.floatActivations() == HostOptions.FloatActivations.FP32;
        if (matrices.isEmpty() || (deterministic && exact)) {
            return portable("");
        }
        try {
            boolean bf16 = processor.multipliesBf16();
            if (deterministic) {
                return bf16 ? inBf16(matrices, maxRows, processor)
                        : portable("activations in FP32, because the processor does not multiply BF16");
            }
            return manyRows(bf16 ? FloatFormat.BF16 : FloatFormat.FP32, bf16 ? BF16_ROWS : FP32_ROWS, matrices,
                    maxRows);
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            // Server archives contain neither the library nor the classes that load it.
            return portable("portable kernels, because " + unavailable.getMessage());
        }
    }

    private static FloatProducts open(FloatFormat format, List<WeightMatrix> matrices, int maxRows) throws IOException {
        Set<Integer> widths = matrices.stream().map(WeightMatrix::columns).collect(Collectors.toSet());
        boolean groups =
                matrices.stream().anyMatch(matrix -> matrix instanceof WeightMatrix.Fp8 fp8 && fp8.groupColumns() > 0);
        return FloatProducts.open(format, widths, groups, maxRows);
    }

    private static BatchedProduct manyRows(FloatFormat format, int fewestRows, List<WeightMatrix> matrices, int maxRows)
            throws IOException {
        if (fewestRows > maxRows) {
            return portable("steps have at most " + maxRows + " rows, and oneDNN in " + format + " pays from "
                    + fewestRows + " on");
        }
        FloatProducts products = open(format, matrices, maxRows);
        return new BatchedProduct(products, SumOrder.UNKNOWN, fewestRows, "not batch-invariant: steps of " + fewestRows
                + " rows and more by oneDNN in " + format + " (" + products.implementation() + ")");
    }

    /// @throws IOException with the reason, if oneDNN is missing or adds up in an order that the portable kernels lack
    private static BatchedProduct inBf16(List<WeightMatrix> matrices, int maxRows, Processor processor)
            throws IOException {
        FloatProducts products = open(FloatFormat.BF16, matrices, maxRows);
        try {
            SumOrder order = processor.sumOrder(products);
            int fewestRows = switch (order) {
                case CHAINS -> BF16_ROWS;
                case TILES -> TILE_ROWS;
                case UNKNOWN -> throw new IOException(
                        "oneDNN's products in BF16 (" + products.implementation() + ") add up in another order");
            };
            return new BatchedProduct(products, order, fewestRows, "deterministic, activations in BF16, " + fewestRows
                    + " rows and more by oneDNN (" + products.implementation() + ")");
        } catch (IOException | RuntimeException refused) {
            products.close();
            throw refused;
        }
    }
}
