package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.IntegerProducts;
import org.jspecify.annotations.Nullable;

/// What multiplies many rows, chosen when the executor opens. Closed after the lanes.
public sealed interface BatchedProduct extends AutoCloseable {
    /// The least gain that is worth giving up batch invariance.
    double LEAST_GAIN = 1.05;
    /// Cost of converting weights, beyond the portable kernels' decoding, in rows of the product per byte of a
    /// converted weight. Measured in FP32 at 2.5 GHz and 512 bits: 26 rows for four bytes.
    double CONVERSION_ROWS_PER_BYTE = 6.5;

    /// The choice and its reason, a part of a sentence; empty if there was no other candidate.
    String description();

    @Override
    void close();

    /// The batch-invariant kernels.
    record Portable(String description) implements BatchedProduct {
        @Override
        public void close() {}
    }

    /// oneDNN for `fewestRows` and more.
    ///
    /// @param products closed with this
    record ByOneDnn(FloatProducts products, int fewestRows, String description) implements BatchedProduct {
        @Override
        public void close() {
            products.close();
        }
    }

    /// oneDNN's fastest format if it gains [#LEAST_GAIN] and steps are large enough to pay for the conversion, else the portable kernels.
    ///
    /// @param widths inputs of the matrices that are multiplied
    /// @param maxRows of a step
    static BatchedProduct fastest(ProductAutotuner.Timings timings, Set<Integer> widths, int maxRows) {
        Map.@Nullable Entry<FloatFormat, Double> best =
                timings.oneDnn().entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
        if (best == null) {
            return new Portable("portable kernels" + others(timings, null));
        }
        if (timings.portable().isEmpty()) {
            return new Portable("portable kernels, which were not compiled in time to be compared with oneDNN");
        }
        double portable = timings.portable().getAsDouble();
        double gain = best.getValue() / portable;
        FloatFormat format = best.getKey();
        if (gain < LEAST_GAIN) {
            return new Portable("portable kernels at " + gigaflops(portable) + " per thread" + others(timings, null));
        }
        int fewest = fewestRows(format, gain);
        String measured =
                String.format(Locale.ROOT, "oneDNN in %s (%s), %.2f times the portable kernels' %s per thread", format,
                        timings.names().get(format), gain, gigaflops(portable));
        if (fewest > maxRows) {
            return new Portable("portable kernels, because steps have at most " + maxRows + " rows and " + measured
                    + " pays from " + fewest + " on" + others(timings, format));
        }
        try {
            FloatProducts products = FloatProducts.open(format, widths, maxRows);
            return new ByOneDnn(products, fewest, fewest + " rows and more by " + measured + others(timings, format));
        } catch (IOException | RuntimeException unavailable) {
            return new Portable("portable kernels, " + unavailable.getMessage());
        }
    }

    /// The fewest rows for which a product that is `gain` times as fast pays for converting the weights.
    static int fewestRows(FloatFormat format, double gain) {
        return Math.max(IntegerProducts.FEWEST_ROWS,
                (int) Math.ceil(CONVERSION_ROWS_PER_BYTE * format.bytes() / (1 - 1 / gain)));
    }

    private static String others(ProductAutotuner.Timings timings, @Nullable FloatFormat chosen) {
        String others = Stream.concat(
                timings.oneDnn().entrySet().stream().filter(of -> of.getKey() != chosen)
                        .map(of -> "oneDNN in " + of.getKey() + " at " + gigaflops(of.getValue())),
                timings.refusals().stream()).collect(Collectors.joining("; "));
        return others.isEmpty() ? "" : "; " + others;
    }

    private static String gigaflops(double flops) {
        return String.format(Locale.ROOT, "%.0f GFLOP/s", flops / 1e9);
    }
}
