package org.inferometer.execution.host.kernels;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.units.Clock;

/// Times everything that could multiply many rows, on one block of weights in the cache and one thread.
public final class ProductAutotuner {
    private static final int MOST_ROWS = 512;
    /// Timed slices of each candidate, at most half a millisecond each; the best of these is stable.
    private static final int SLICES = 30;
    private static final long COMPILE_TIMEOUT_NANOS = 3_000_000_000L;
    /// The portable kernel starts interpreted, hundreds of times slower. Compiled, it exceeds this share of oneDNN's
    /// FP32 product, which uses the same instructions.
    private static final double COMPILED = 0.25;

    private ProductAutotuner() {}

    /// Best rates in multiplications and additions a second.
    ///
    /// @param portable the portable kernel's; absent if nothing else ran or it was not compiled in time
    /// @param oneDnn by format
    /// @param names oneDNN's implementation of each format
    /// @param refusals why the other formats did not run, each a part of a sentence
    public record Timings(OptionalDouble portable, Map<FloatFormat, Double> oneDnn, Map<FloatFormat, String> names,
            List<String> refusals) {}

    /// The candidates alternate and each keeps its best slice. This takes tens of milliseconds once the portable kernel
    /// is compiled.
    ///
    /// @param inputs of the model's matrices
    /// @param maxRows of a step
    public static Timings run(int inputs, int maxRows, Clock clock) {
        try (BlockProducts products = new BlockProducts(inputs, rows(maxRows))) {
            Map<FloatFormat, Double> oneDnn = new EnumMap<>(FloatFormat.class);
            Map<FloatFormat, String> names = new EnumMap<>(FloatFormat.class);
            for (FloatFormat format : products.formats()) {
                names.put(format, products.implementation(format));
                runOneDnn(products, format, oneDnn, clock);
                runOneDnn(products, format, oneDnn, clock);
            }
            if (oneDnn.isEmpty() || !compiled(products, oneDnn, clock)) {
                return new Timings(OptionalDouble.empty(), oneDnn, names, products.refusals());
            }
            double portable = 0;
            for (int i = 0; i < SLICES; i++) {
                portable = Math.max(portable, rate(clock, products.work(), products::portable));
                for (FloatFormat format : products.formats()) {
                    runOneDnn(products, format, oneDnn, clock);
                }
            }
            return new Timings(OptionalDouble.of(portable), oneDnn, names, products.refusals());
        }
    }

    private static int rows(int maxRows) {
        return maxRows >= MOST_ROWS ? MOST_ROWS : Math.min(MOST_ROWS / 2, BlockKernels.wholeTiles(maxRows));
    }

    /// Runs the portable kernel until it is compiled.
    private static boolean compiled(BlockProducts products, Map<FloatFormat, Double> oneDnn, Clock clock) {
        double least = COMPILED * oneDnn.entrySet().stream()
                .mapToDouble(of -> of.getValue() / of.getKey().maxSpeedupOverFp32()).max().orElse(0);
        int rows = BlockKernels.TILE_ROWS;
        for (long start = clock.nanos(); clock.nanos() - start < COMPILE_TIMEOUT_NANOS;) {
            if (rate(clock, products.work(rows), () -> products.portable(rows)) > least) {
                return true;
            }
        }
        return false;
    }

    private static void runOneDnn(BlockProducts products, FloatFormat format, Map<FloatFormat, Double> oneDnn,
            Clock clock) {
        oneDnn.merge(format, rate(clock, products.work(), () -> products.oneDnn(format)), Math::max);
    }

    private static double rate(Clock clock, double work, Runnable product) {
        long start = clock.nanos();
        product.run();
        return work * 1e9 / Math.max(1, clock.nanos() - start);
    }
}
