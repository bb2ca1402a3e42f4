package org.inferometer.execution.host.kernels;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.units.Clock;

/// What came of a race over a block of weights in the cache, on one thread.
///
/// @param portable multiplications and additions a second of the portable kernel; absent where nothing else ran or the kernel was
///     not compiled in time
/// @param wide the same of the forms that ran
/// @param names what computes them
/// @param refusals why the other forms did not run, each a part of a sentence
public record ProductAutotuner(OptionalDouble portable, Map<FloatFormat, Double> wide, Map<FloatFormat, String> names,
        List<String> refusals) {
    private static final int MOST_ROWS = 512;
    /// Slices that each contestant runs, half a millisecond each at most; the best of so many is steady.
    private static final int SLICES = 30;
    /// Time for the portable kernel to be compiled, at most.
    private static final long PATIENCE_NANOS = 3_000_000_000L;
    /// The portable kernel starts interpreted, hundreds of times slower. Compiled it reaches more than this part of oneDNN's FP32
    /// product, which uses the same instructions.
    private static final double COMPILED = 0.25;

    /// Lets all that could multiply many rows take turns, each keeping its best slice: tens of milliseconds once the portable kernel
    /// is compiled, which the steps would wait for otherwise.
    ///
    /// @param inputs of the model's matrices
    /// @param maxRows of a step
    public static ProductAutotuner run(int inputs, int maxRows, Clock clock) {
        try (BlockProducts products = new BlockProducts(inputs, rows(maxRows))) {
            Map<FloatFormat, Double> wide = new EnumMap<>(FloatFormat.class);
            Map<FloatFormat, String> names = new EnumMap<>(FloatFormat.class);
            for (FloatFormat form : products.forms()) {
                names.put(form, products.implementation(form));
                runWide(products, form, wide, clock);
                runWide(products, form, wide, clock);
            }
            if (wide.isEmpty() || !compiled(products, wide, clock)) {
                return new ProductAutotuner(OptionalDouble.empty(), wide, names, products.refusals());
            }
            double portable = 0;
            for (int i = 0; i < SLICES; i++) {
                portable = Math.max(portable, rate(clock, products.work(), products::portable));
                for (FloatFormat form : products.forms()) {
                    runWide(products, form, wide, clock);
                }
            }
            return new ProductAutotuner(OptionalDouble.of(portable), wide, names, products.refusals());
        }
    }

    private static int rows(int maxRows) {
        return maxRows >= MOST_ROWS ? MOST_ROWS : Math.min(MOST_ROWS / 2, BlockKernels.wholeTiles(maxRows));
    }

    /// Runs the portable kernel until it is compiled.
    private static boolean compiled(BlockProducts products, Map<FloatFormat, Double> wide, Clock clock) {
        double least = COMPILED * wide.entrySet().stream().mapToDouble(of -> of.getValue() / of.getKey().mostOverFp32())
                .max().orElse(0);
        int rows = BlockKernels.TILE_ROWS;
        for (long start = clock.nanos(); clock.nanos() - start < PATIENCE_NANOS;) {
            if (rate(clock, products.work(rows), () -> products.portable(rows)) > least) {
                return true;
            }
        }
        return false;
    }

    private static void runWide(BlockProducts products, FloatFormat form, Map<FloatFormat, Double> wide, Clock clock) {
        wide.merge(form, rate(clock, products.work(), () -> products.wide(form)), Math::max);
    }

    private static double rate(Clock clock, double work, Runnable product) {
        long start = clock.nanos();
        product.run();
        return work * 1e9 / Math.max(1, clock.nanos() - start);
    }
}
