package org.inferometer.execution.host.onednn;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.inferometer.engine.Bfloat16;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.units.Seed;

/// Products of random numbers by oneDNN, tried for the order of their sums.
///
/// oneDNN promises no order. Rows have equal bits where each sum is added up in the same order whatever the number of rows. With AVX-512
/// BF16 the order is that of the portable kernels. Subnormal numbers count as zero there; they are not tried.
final class TriedProducts {
    private static final long SEED = 1;

    private final FloatFormat format;
    private final int rowElements;
    private final int[] rows;
    private final OneDnnProduct.Call[] calls;
    private final MemorySegment source;
    private final MemorySegment weights;
    private final MemorySegment target;
    private final int inputs;

    /// @param rows of each product, largest first
    private TriedProducts(FloatFormat format, int inputs, int rowElements, OneDnnProduct[] products, int[] rows,
            Arena arena) {
        this.format = format;
        this.inputs = inputs;
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
        weights = filled(arena, (long) inputs * FloatKernels.WIDTH, random);
        calls = OneDnnProduct.calls(products, weights, target, arena.allocate(scratchBytes, 64), arena);
    }

    /// @param inputs and distance of rows as the products have them
    /// @param products by rows, largest first; null where steps are smaller
    static SameBits of(FloatFormat format, int inputs, int rowElements, OneDnnProduct[] products, int[] rows) {
        // Confined memory would belong to a thread. C2 would then expect an owner in the loops of all kernels.
        try (Arena arena = Arena.ofShared()) {
            return new TriedProducts(format, inputs, rowElements, products, rows, arena).result();
        }
    }

    private SameBits result() {
        int largest = 0;
        while (calls[largest] == null) {
            largest++;
        }
        float[] together = sums(largest, 0);
        if (!amongRows(largest, together)) {
            return SameBits.NONE;
        }
        return format == FloatFormat.BF16 && inChains(largest, together) ? SameBits.PORTABLE : SameBits.AMONG_ROWS;
    }

    private boolean amongRows(int largest, float[] together) {
        for (int size = largest + 1; size < calls.length; size++) {
            for (int first : new int[]{0, rows[largest] - rows[size]}) {
                float[] part = sums(size, first);
                for (int i = 0; i < part.length; i++) {
                    if (!same(part[i], together[first * FloatKernels.WIDTH + i])) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// Whether the sums are chains, and are added to a target that holds them already.
    private boolean inChains(int largest, float[] together) {
        for (int row = 0; row < rows[largest]; row += Math.max(1, rows[largest] - 1)) {
            for (int output = 0; output < FloatKernels.WIDTH; output++) {
                if (!same(together[row * FloatKernels.WIDTH + output], sum(row, output))) {
                    return false;
                }
            }
        }
        sums(largest, 0);
        run(largest, 0);
        for (int i = 0; i < together.length; i++) {
            if (!same(target.getAtIndex(ValueLayout.JAVA_FLOAT, i), 2 * together[i])) {
                return false;
            }
        }
        return true;
    }

    /// The upper half of a word, which has the first input of a pair, comes first.
    private float sum(int row, int output) {
        int length = PackedMatrix.chainInputs(inputs);
        float sum = 0;
        float chain = 0;
        for (int input = 0; input < inputs; input++) {
            int half = input ^ 1;
            long weight = 2L * (input / 2 * FloatKernels.WIDTH + output) + (half & 1);
            chain = Math.fma(number(source, (long) row * rowElements + half), number(weights, weight), chain);
            if ((input + 1) % length == 0 || input + 1 == inputs) {
                sum += chain;
                chain = 0;
            }
        }
        return sum;
    }

    private static float number(MemorySegment numbers, long index) {
        return Bfloat16.decode(numbers.getAtIndex(ValueLayout.JAVA_SHORT, index));
    }

    private static boolean same(float a, float b) {
        return Float.floatToRawIntBits(a) == Float.floatToRawIntBits(b);
    }

    /// The sums of a product of rows that begin with `first`.
    private float[] sums(int size, int first) {
        target.fill((byte) 0);
        run(size, first);
        return target.asSlice(0, sumBytes(rows[size])).toArray(ValueLayout.JAVA_FLOAT);
    }

    private void run(int size, int first) {
        calls[size].run(source.address() + (long) first * rowElements * format.bytes(), target.address());
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
