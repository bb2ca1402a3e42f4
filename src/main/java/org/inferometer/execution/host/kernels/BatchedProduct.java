package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.packed.PackedModel;

/// What multiplies many rows that are not rounded to integers, chosen when the executor opens. Closed after the lanes.
///
/// The choice follows from the options, the weights and the processor's instructions. Nothing is timed, so a machine
/// chooses the same way each time.
public sealed interface BatchedProduct extends AutoCloseable {
    /// No number of rows is large enough.
    int NEVER = Integer.MAX_VALUE;

    /// The choice and its reason, a part of a sentence; empty if there was no other candidate.
    String description();

    /// Whether oneDNN multiplies the rows of prompts, which come first in a step.
    boolean multipliesPrompts();

    /// Leading rows that oneDNN multiplies.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param promptRows leading rows of prompts
    /// @param integers whether the weights are INT4 or INT8
    int rows(int inUse, int promptRows, boolean integers);

    @Override
    void close();

    /// Whether a processor multiplies BF16.
    @FunctionalInterface
    interface Processor {
        /// @throws IOException with the reason, if oneDNN is missing
        boolean multipliesBf16() throws IOException;
    }

    /// Kernels in Java, for any number of rows.
    record Portable(String description) implements BatchedProduct {
        @Override
        public boolean multipliesPrompts() {
            return false;
        }

        @Override
        public int rows(int inUse, int promptRows, boolean integers) {
            return 0;
        }

        @Override
        public void close() {}
    }

    /// oneDNN for the rows of prompts, or for all rows of a large step.
    ///
    /// @param products closed with this
    /// @param prompts whether it multiplies the rows of prompts with BF16 and FP8 weights, in steps of any size
    /// @param fewestRows from which on it multiplies all rows, so that a row depends on their number
    record ByOneDnn(FloatProducts products, boolean prompts, int fewestRows,
            String description) implements BatchedProduct {
        @Override
        public boolean multipliesPrompts() {
            return prompts;
        }

        @Override
        public int rows(int inUse, int promptRows, boolean integers) {
            return inUse >= fewestRows ? inUse : prompts && !integers ? promptRows : 0;
        }

        @Override
        public void close() {
            products.close();
        }
    }

    /// The rows that oneDNN would multiply, and how.
    ///
    /// @param prompts as [ByOneDnn] has them
    /// @param fewestRows as well
    record Choice(FloatFormat format, boolean prompts, int fewestRows) {
        /// From so many rows on BF16 is faster than the portable kernels, widened weights included.
        private static final int BF16_ROWS = 16;
        /// The same of FP32, which gains a third at most.
        private static final int FP32_ROWS = 128;

        private static Choice of(HostOptions options, boolean multipliesBf16) {
            boolean prompts = options.prefillActivations() == HostOptions.PrefillActivations.BF16;
            if (multipliesBf16 && (prompts || !options.deterministic())) {
                return new Choice(FloatFormat.BF16, prompts, options.deterministic() ? NEVER : BF16_ROWS);
            }
            return new Choice(FloatFormat.FP32, false, options.deterministic() ? NEVER : FP32_ROWS);
        }

        private String description(FloatProducts products) {
            String all = fewestRows == NEVER ? "deterministic"
                    : "not batch-invariant: steps of " + fewestRows + " rows and more by oneDNN in " + format;
            return all + (prompts ? ", prompts by oneDNN in " + format : "") + " (" + products.implementation() + ")";
        }
    }

    /// The products of matrices whose activations are not rounded to integers.
    ///
    /// @param rounded whether activations of INT4 and INT8 are
    /// @param maxRows of a step
    static BatchedProduct of(ModelWeights weights, HostOptions options, boolean rounded, int maxRows,
            Processor processor) {
        boolean deterministic = options.deterministic();
        // The rows of a head are sampled rows: prompts do not reach it.
        List<WeightMatrix> matrices = deterministic ? PackedModel.ofLayers(weights) : PackedModel.distinct(weights);
        Set<Integer> widths =
                matrices.stream().filter(matrix -> !matrix.precision().isInteger() || !(rounded || deterministic))
                        .map(WeightMatrix::columns).collect(Collectors.toSet());
        boolean exactPrompts = options.prefillActivations() == HostOptions.PrefillActivations.FP32;
        if (widths.isEmpty() || (deterministic && exactPrompts)) {
            return new Portable("");
        }
        try {
            Choice choice = Choice.of(options, processor.multipliesBf16());
            if (!choice.prompts() && deterministic) {
                return new Portable("prompts in FP32, because the processor does not multiply BF16");
            }
            if (!choice.prompts() && choice.fewestRows() > maxRows) {
                return new Portable("steps have at most " + maxRows + " rows, and oneDNN in " + choice.format()
                        + " pays from " + choice.fewestRows() + " on");
            }
            return byOneDnn(choice, widths, maxRows);
        } catch (IOException | RuntimeException | LinkageError unavailable) {
            // Server archives contain neither the library nor the classes that load it.
            return new Portable("portable kernels, because " + unavailable.getMessage());
        }
    }

    /// @throws IOException with the reason, if oneDNN is missing or its rows depend on their number
    private static BatchedProduct byOneDnn(Choice choice, Set<Integer> widths, int maxRows) throws IOException {
        FloatProducts products = FloatProducts.open(choice.format(), widths, maxRows);
        try {
            if (choice.fewestRows() == NEVER) {
                products.requireSameBits();
            }
            return new ByOneDnn(products, choice.prompts(), choice.fewestRows(), choice.description(products));
        } catch (IOException | RuntimeException refused) {
            products.close();
            throw refused;
        }
    }
}
