package org.inferometer.execution.host.onednn;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.inferometer.engine.Bfloat16;
import org.inferometer.units.Seed;

/// Whether products of different numbers of rows give a row the same bits, tried with random numbers.
///
/// oneDNN does not promise it. It holds where each sum is added up in the same order whatever the number of rows.
final class SameBits {
    private static final long SEED = 1;

    private final FloatFormat format;
    private final int rowElements;
    private final int[] rows;
    private final OneDnnProduct.Call[] calls;
    private final MemorySegment source;
    private final MemorySegment target;

    /// @param rows of each product, largest first
    private SameBits(FloatFormat format, int inputs, int rowElements, OneDnnProduct[] products, int[] rows,
            Arena arena) {
        this.format = format;
        this.rowElements = rowElements;
        this.rows = rows;
        int most = 0;
        long scratchBytes = 1;
        for (int i = 0; i < products.length; i++) {
            if (products[i] != null) {
                most = Math.max(most, rows[i]);
                scratchBytes = Math.max(scratchBytes, products[i].scratchBytes());
            }
        }
        RandomGenerator random = new Seed(SEED).generator();
        source = filled(arena, (long) most * rowElements, random);
        target = arena.allocate(sumBytes(most), 64);
        MemorySegment weights = filled(arena, (long) inputs * FloatKernels.WIDTH, random);
        calls = OneDnnProduct.calls(products, weights, target, arena.allocate(scratchBytes, 64), arena);
    }

    /// @param inputs and distance of rows as the products have them
    /// @param products by rows, largest first; null where steps are smaller
    static boolean of(FloatFormat format, int inputs, int rowElements, OneDnnProduct[] products, int[] rows) {
        // Confined memory would belong to a thread. C2 would then expect an owner in the loops of all kernels.
        try (Arena arena = Arena.ofShared()) {
            return new SameBits(format, inputs, rowElements, products, rows, arena).hold();
        }
    }

    private boolean hold() {
        int largest = 0;
        while (calls[largest] == null) {
            largest++;
        }
        float[] together = sums(largest, 0);
        for (int size = largest + 1; size < calls.length; size++) {
            for (int first : new int[]{0, rows[largest] - rows[size]}) {
                float[] part = sums(size, first);
                for (int i = 0; i < part.length; i++) {
                    int expected = Float.floatToRawIntBits(together[first * FloatKernels.WIDTH + i]);
                    if (Float.floatToRawIntBits(part[i]) != expected) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// The sums of a product of rows that begin with `first`.
    private float[] sums(int size, int first) {
        target.fill((byte) 0);
        calls[size].run(source.address() + (long) first * rowElements * format.bytes(), target.address());
        return target.asSlice(0, sumBytes(rows[size])).toArray(ValueLayout.JAVA_FLOAT);
    }

    private static long sumBytes(int rows) {
        return 4L * rows * FloatKernels.WIDTH;
    }

    private MemorySegment filled(Arena arena, long count, RandomGenerator random) {
        MemorySegment numbers = arena.allocate(count * format.bytes(), 64);
        for (long i = 0; i < count; i++) {
            float number = (float) random.nextGaussian();
            switch (format) {
                case FP32 -> numbers.setAtIndex(ValueLayout.JAVA_FLOAT, i, number);
                case BF16 -> numbers.setAtIndex(ValueLayout.JAVA_SHORT, i, Bfloat16.encode(number));
            }
        }
        return numbers;
    }
}
