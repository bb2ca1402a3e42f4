package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.SameBits;
import org.inferometer.execution.host.packed.PackedModel;

/// What multiplies many rows that are not rounded to integers, chosen when the executor opens. Closed after the lanes.
///
/// The choice follows from the options, the weights and the processor's instructions. Nothing is timed, so a machine
/// chooses the same way each time.
public sealed interface BatchedProduct extends AutoCloseable {
    /// The choice and its reason, a part of a sentence; empty if there was no other candidate.
    String description();

    /// Whether oneDNN multiplies the rows of prompts, which come first in a step.
    boolean multipliesPrompts();

    /// Whether activations are rounded to BF16.
    ///
    /// @param converted whether oneDNN multiplies them
    /// @param integers whether the weights are INT4 or INT8
    boolean rounds(boolean converted, boolean integers);

    /// Leading rows that oneDNN multiplies.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param promptRows leading rows of prompts
    /// @param integers whether the weights are INT4 or INT8
    int rows(int inUse, int promptRows, boolean integers);

    @Override
    void close();

    /// What a processor multiplies, and in which order it adds up.
    @FunctionalInterface
    interface Processor {
        /// Whether it has instructions for BF16.
        ///
        /// @throws IOException with the reason, if oneDNN is missing
        boolean multipliesBf16() throws IOException;

        /// Which products have the bits of oneDNN's.
        default SameBits sameBits(FloatProducts products) {
            return products.sameBits();
        }
    }

    /// Kernels in Java, for any number of rows.
    record Portable(String description) implements BatchedProduct {
        @Override
        public boolean multipliesPrompts() {
            return false;
        }

        @Override
        public boolean rounds(boolean converted, boolean integers) {
            return false;
        }

        @Override
        public int rows(int inUse, int promptRows, boolean integers) {
            return 0;
        }

        @Override
        public void close() {}
    }

    /// Which rows oneDNN multiplies.
    enum Use {
        /// Those of prompts, in steps of any size: a row's place in its request decides. BF16 and FP8 weights.
        PROMPTS,
        /// All rows of a large step, because its products have the bits of the portable kernels. BF16 and FP8 weights.
        MANY_EXACT,
        /// All rows of a large step, so that a row depends on their number.
        MANY
    }

    /// oneDNN for some rows.
    ///
    /// @param products closed with this
    /// @param fewestRows of a large step
    record ByOneDnn(FloatProducts products, Use use, int fewestRows, String description) implements BatchedProduct {
        @Override
        public boolean multipliesPrompts() {
            return use == Use.PROMPTS;
        }

        @Override
        public boolean rounds(boolean converted, boolean integers) {
            return products.format() == FloatFormat.BF16 && (converted || (use == Use.MANY_EXACT && !integers));
        }

        @Override
        public int rows(int inUse, int promptRows, boolean integers) {
            int all = inUse >= fewestRows ? inUse : 0;
            return switch (use) {
                case PROMPTS -> integers ? 0 : promptRows;
                case MANY_EXACT -> integers ? 0 : all;
                case MANY -> all;
            };
        }

        @Override
        public void close() {
            products.close();
        }
    }

    /// From so many rows on BF16 is faster than the portable kernels, widened weights included.
    int BF16_ROWS = 16;
    /// The same of FP32, which gains a third at most.
    int FP32_ROWS = 128;

    /// The products of matrices whose activations are not rounded to integers.
    ///
    /// @param rounded whether activations of INT4 and INT8 are
    /// @param maxRows of a step
    static BatchedProduct of(ModelWeights weights, HostOptions options, boolean rounded, int maxRows,
            Processor processor) {
        boolean deterministic = options.deterministic();
        Set<Integer> widths = PackedModel.distinct(weights).stream()
                .filter(matrix -> !matrix.precision().isInteger() || !(rounded || deterministic))
                .map(WeightMatrix::columns).collect(Collectors.toSet());
        boolean exact = options.floatActivations() == HostOptions.FloatActivations.FP32;
        if (widths.isEmpty() || (deterministic && exact)) {
            return new Portable("");
        }
        try {
            boolean bf16 = processor.multipliesBf16();
            if (deterministic) {
                return bf16 ? inBf16(widths, maxRows, processor)
                        : new Portable("activations in FP32, because the processor does not multiply BF16");
            }
            return manyRows(bf16 ? FloatFormat.BF16 : FloatFormat.FP32, bf16 ? BF16_ROWS : FP32_ROWS, widths, maxRows);
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            // Server archives contain neither the library nor the classes that load it.
            return new Portable("portable kernels, because " + unavailable.getMessage());
        }
    }

    private static BatchedProduct manyRows(FloatFormat format, int fewestRows, Set<Integer> widths, int maxRows)
            throws IOException {
        if (fewestRows > maxRows) {
            return new Portable("steps have at most " + maxRows + " rows, and oneDNN in " + format + " pays from "
                    + fewestRows + " on");
        }
        FloatProducts products = FloatProducts.open(format, widths, maxRows);
        return new ByOneDnn(products, Use.MANY, fewestRows, "not batch-invariant: steps of " + fewestRows
                + " rows and more by oneDNN in " + format + " (" + products.implementation() + ")");
    }

    /// @throws IOException with the reason, if oneDNN is missing or its rows depend on their number
    private static BatchedProduct inBf16(Set<Integer> widths, int maxRows, Processor processor) throws IOException {
        FloatProducts products = FloatProducts.open(FloatFormat.BF16, widths, maxRows);
        try {
            return switch (processor.sameBits(products)) {
                case NONE -> throw new IOException("rows of oneDNN's products depend on their number");
                case AMONG_ROWS -> new ByOneDnn(products, Use.PROMPTS, BF16_ROWS,
                        "deterministic, prompts by oneDNN in BF16 (" + products.implementation() + ")");
                case PORTABLE ->
                    new ByOneDnn(products, Use.MANY_EXACT, BF16_ROWS, "deterministic, activations in BF16, " + BF16_ROWS
                            + " rows and more by oneDNN (" + products.implementation() + ")");
            };
        } catch (IOException | RuntimeException refused) {
            products.close();
            throw refused;
        }
    }
}
