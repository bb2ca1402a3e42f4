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

/// What multiplies many rows: chosen once, at opening. Closed after the lanes.
public sealed interface BatchedProduct extends AutoCloseable {
    /// Less of a gain is not worth leaving the batch-invariant kernels for.
    double LEAST_GAIN = 1.05;
    /// What widening costs beyond the portable kernels' own decoding, in rows of their product for each byte of a widened weight.
    /// Measured in FP32 on 2.5 GHz and 512 bits: 26 rows for four bytes ("Many rows through oneDNN" in the page on performance).
    double WIDENING_ROWS_A_BYTE = 6.5;

    /// What was chosen and why, a part of a sentence; empty where nothing else was thought of.
    String words();

    @Override
    void close();

    /// The kernels that the other rows take as well, batch-invariant.
    record Portable(String words) implements BatchedProduct {
        @Override
        public void close() {}
    }

    /// oneDNN, from so many rows on.
    ///
    /// @param products closed with the choice
    record Widened(FloatProducts products, int fewestRows, String words) implements BatchedProduct {
        @Override
        public void close() {
            products.close();
        }
    }

    /// What won a race, if it won by [#LEAST_GAIN] and steps are large enough for it to pay.
    ///
    /// @param widths inputs of the matrices that are multiplied
    /// @param maxRows of a step
    static BatchedProduct winner(ProductAutotuner race, Set<Integer> widths, int maxRows) {
        Map.@Nullable Entry<FloatFormat, Double> best =
                race.wide().entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
        if (best == null) {
            return new Portable("portable kernels" + others(race, null));
        }
        if (race.portable().isEmpty()) {
            return new Portable("portable kernels, which were not compiled in time to race with oneDNN");
        }
        double portable = race.portable().getAsDouble();
        double gain = best.getValue() / portable;
        FloatFormat form = best.getKey();
        if (gain < LEAST_GAIN) {
            return new Portable("portable kernels at " + gigaflops(portable) + " a thread" + others(race, null));
        }
        int fewest = fewestRows(form, gain);
        String measured = String.format(Locale.ROOT, "oneDNN in %s (%s), %.2f times the portable kernels' %s a thread",
                form, race.names().get(form), gain, gigaflops(portable));
        if (fewest > maxRows) {
            return new Portable("portable kernels, because steps have at most " + maxRows + " rows and " + measured
                    + " pays from " + fewest + " on" + others(race, form));
        }
        try {
            FloatProducts products = FloatProducts.open(form, widths, maxRows);
            return new Widened(products, fewest, fewest + " rows and more by " + measured + others(race, form));
        } catch (IOException | RuntimeException unavailable) {
            return new Portable("portable kernels, " + unavailable.getMessage());
        }
    }

    /// From how many rows on a product so many times as fast pays for widening the weights.
    static int fewestRows(FloatFormat form, double gain) {
        return Math.max(IntegerProducts.FEWEST_ROWS,
                (int) Math.ceil(WIDENING_ROWS_A_BYTE * form.bytes() / (1 - 1 / gain)));
    }

    private static String others(ProductAutotuner race, @Nullable FloatFormat chosen) {
        String others = Stream
                .concat(race.wide().entrySet().stream().filter(of -> of.getKey() != chosen).map(
                        of -> "oneDNN in " + of.getKey() + " at " + gigaflops(of.getValue())), race.refusals().stream())
                .collect(Collectors.joining("; "));
        return others.isEmpty() ? "" : "; " + others;
    }

    private static String gigaflops(double flops) {
        return String.format(Locale.ROOT, "%.0f GFLOP/s", flops / 1e9);
    }
}
