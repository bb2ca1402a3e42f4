package org.inferometer.execution.check;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.FloatKernels;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatRows;
import org.inferometer.execution.host.products.InputBlocks;
import org.inferometer.execution.host.products.OneDnn;
import org.inferometer.execution.host.products.OneDnnProduct;
import org.inferometer.execution.host.products.UnitProduct;

/// One product of many rows by each candidate, with a block of weights that is decoded and in the cache: the upper bound of
/// each.
///
/// Used by one thread, which calls [#useOneThread] first. The caller closes it after the last product.
public final class BlockProducts implements AutoCloseable {
    /// Outputs of the product.
    public static final int OUTPUTS = FloatKernels.WIDTH;

    private static final int MOST_AT_ONCE = 256;
    /// Bits of two BF16 ones, and of an FP32 number slightly above one.
    private static final int ONES = 0x3F803F80;

    private final int inputs;
    private final int rows;
    private final Arena arena = Arena.ofShared();
    private final float[] block = new float[BlockKernels.COLUMNS * Vectors.UNIT];
    private final float[] tiles; // [rows / TILE, inputs, TILE]
    private final float[] sums; // [rows, UNIT]
    private final Map<FloatFormat, Prepared> prepared = new EnumMap<>(FloatFormat.class);
    private final List<OneDnn> libraries = new ArrayList<>();

    private record Prepared(OneDnn library, OneDnnProduct product, OneDnnProduct.Call call, MemorySegment source,
            MemorySegment target) {}

    /// @param inputs at most a block of [FloatProducts] is used
    /// @param rows a multiple of eight; above 256, of 256
    public BlockProducts(int inputs, int rows) {
        this.inputs = InputBlocks.of(inputs).inputs(0);
        this.rows = rows;
        tiles = new float[rows * this.inputs];
        sums = new float[rows * Vectors.UNIT];
        Arrays.fill(tiles, 1);
        Arrays.fill(block, 1);
        for (FloatFormat format : FloatFormat.values()) {
            try {
                prepared.put(format, open(format));
            } catch (IOException | RuntimeException _) {
                // The other format may run.
            }
        }
    }

    private Prepared open(FloatFormat format) throws IOException {
        OneDnn library = OneDnn.load();
        libraries.add(library);
        int rowElements = FloatRows.rowElements(format, inputs);
        OneDnnProduct product = OneDnnProduct
                .ofFloats(library, format, Math.min(rows, MOST_AT_ONCE), inputs, OUTPUTS, rowElements).requireFast();
        MemorySegment source = ones((long) rows * rowElements * format.bytes());
        MemorySegment target = arena.allocate(4L * rows * OUTPUTS, 64);
        OneDnnProduct.Call call = product.new Call(ones((long) inputs * OUTPUTS * format.bytes()), target,
                arena.allocate(Math.max(1, product.scratchBytes()), 64), arena);
        return new Prepared(library, product, call, source, target);
    }

    private MemorySegment ones(long bytes) {
        MemorySegment ones = arena.allocate(bytes, 64);
        for (long at = 0; at + 4 <= bytes; at += 4) {
            ones.set(ValueLayout.JAVA_INT, at, ONES);
        }
        return ones;
    }

    /// Multiplications and additions of a product.
    public double work() {
        return 2.0 * rows * inputs * OUTPUTS;
    }

    /// Formats for which oneDNN has a fast product.
    Iterable<FloatFormat> formats() {
        return prepared.keySet();
    }

    private Prepared of(FloatFormat format) {
        Prepared of = prepared.get(format);
        if (of == null) {
            throw new IllegalStateException("oneDNN has no fast product for " + format);
        }
        return of;
    }

    /// Limits oneDNN to the calling thread, for calls of this thread.
    public void useOneThread() {
        prepared.values().forEach(of -> of.library().useOneThread());
    }

    /// The portable kernel's product.
    public void portable() {
        int panel = UnitProduct.panel(inputs);
        for (int row = 0; row < rows; row += panel) {
            for (int unit = 0; unit < OUTPUTS / Vectors.UNIT; unit++) {
                portable(row, Math.min(row + panel, rows));
            }
        }
    }

    private void portable(int first, int end) {
        for (int column = 0; column < inputs; column += BlockKernels.COLUMNS) {
            for (int row = first; row < end; row += BlockKernels.TILE_ROWS) {
                BlockKernels.tile(block, BlockKernels.COLUMNS, end - row, tiles,
                        row * inputs + column * BlockKernels.TILE_ROWS, sums, row * Vectors.UNIT);
            }
        }
    }

    /// oneDNN's product.
    public void oneDnn(FloatFormat format) {
        Prepared of = of(format);
        for (int row = 0; row < rows; row += MOST_AT_ONCE) {
            of.call().run(of.source().address() + (long) row * FloatRows.rowElements(format, inputs) * format.bytes(),
                    of.target().address() + 4L * row * OUTPUTS);
        }
    }

    @Override
    public void close() {
        libraries.forEach(OneDnn::close);
        arena.close();
    }
}
