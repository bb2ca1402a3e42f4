package org.inferometer.execution.host.products;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.inferometer.engine.Bfloat16;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;
import org.inferometer.units.Seed;

/// Products of random numbers by oneDNN, tried for the order of their sums.
///
/// oneDNN promises no order, so sums are compared with those of each [SumOrder]. Subnormal numbers count as zero on
/// these processors; they are not tried.
final class TriedProducts {
    private static final long SEED = 1;

    /// Inputs of two chains of [SumOrder#TILES].
    private static final int TILE_INPUTS = 32;

    private final int rowElements;
    private final int[] rows;
    private final OneDnnProduct.Call[] calls;
    private final MemorySegment source;
    private final MemorySegment weights;
    private final MemorySegment target;
    private final int inputs;

    /// @param rows of each product, largest first
    private TriedProducts(int inputs, int rowElements, OneDnnProduct[] products, int[] rows, Arena arena) {
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
    /// @param products in BF16, by rows, largest first; null where steps are smaller
    static SumOrder of(int inputs, int rowElements, OneDnnProduct[] products, int[] rows) {
        // Confined memory would belong to a thread. C2 would then expect an owner in the loops of all kernels.
        try (Arena arena = Arena.ofShared()) {
            return new TriedProducts(inputs, rowElements, products, rows, arena).result();
        }
    }

    private SumOrder result() {
        int largest = 0;
        while (calls[largest] == null) {
            largest++;
        }
        float[] together = sums(largest, 0);
        if (!amongRows(largest, together) || !addsOnce(largest, together)) {
            return SumOrder.UNKNOWN;
        }
        return inOrder(SumOrder.CHAINS, largest, together) ? SumOrder.CHAINS
                : inOrder(SumOrder.TILES, largest, together) ? SumOrder.TILES
                : SumOrder.UNKNOWN;
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

    /// Whether finished sums are added to a target that holds some already.
    private boolean addsOnce(int largest, float[] together) {
        sums(largest, 0);
        run(largest, 0);
        for (int i = 0; i < together.length; i++) {
            if (!same(target.getAtIndex(ValueLayout.JAVA_FLOAT, i), 2 * together[i])) {
                return false;
            }
        }
        return true;
    }

    /// Whether the first and the last row are added up in an order.
    private boolean inOrder(SumOrder order, int largest, float[] together) {
        for (int row = 0; row < rows[largest]; row += Math.max(1, rows[largest] - 1)) {
            for (int output = 0; output < FloatKernels.WIDTH; output++) {
                float sum = order == SumOrder.CHAINS ? inChains(row, output) : inTiles(row, output);
                if (!same(together[row * FloatKernels.WIDTH + output], sum)) {
                    return false;
                }
            }
        }
        return true;
    }

    private float inChains(int row, int output) {
        int length = PackedMatrix.chainInputs(inputs);
        float sum = 0;
        float chain = 0;
        for (int input = 0; input < inputs; input++) {
            chain = multiplyAdd(row, output, input, chain);
            if ((input + 1) % length == 0 || input + 1 == inputs) {
                sum += chain;
                chain = 0;
            }
        }
        return sum;
    }

    private float inTiles(int row, int output) {
        float sum = 0;
        for (int first = 0; first < inputs; first += TILE_INPUTS) {
            float even = 0;
            float odd = 0;
            for (int input = first; input < Math.min(inputs, first + TILE_INPUTS); input += 2) {
                even = multiplyAdd(row, output, input, even);
                odd = multiplyAdd(row, output, input + 1, odd);
            }
            sum += even + odd;
        }
        return sum;
    }

    /// The upper half of a word has the first input of a pair.
    private float multiplyAdd(int row, int output, int input, float sum) {
        int half = input ^ 1;
        long weight = 2L * (input / 2 * FloatKernels.WIDTH + output) + (half & 1);
        return Math.fma(number(source, (long) row * rowElements + half), number(weights, weight), sum);
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
        calls[size].run(source.address() + (long) first * rowElements * FloatFormat.BF16.bytes(), target.address());
    }

    private static long sumBytes(int rows) {
        return 4L * rows * FloatKernels.WIDTH;
    }

    private MemorySegment filled(Arena arena, long count, RandomGenerator random) {
        MemorySegment numbers = arena.allocate(count * FloatFormat.BF16.bytes(), 64);
        for (long i = 0; i < count; i++) {
            numbers.setAtIndex(ValueLayout.JAVA_SHORT, i, Bfloat16.encode((float) random.nextGaussian()));
        }
        return numbers;
    }
}
