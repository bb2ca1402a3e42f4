package org.inferometer.execution.host.onednn;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.inferometer.execution.host.kernels.ActivationRows;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.Vectors;
import org.inferometer.execution.host.packed.PackedMatrix;

/// Products of many rows by oneDNN, with weights that are converted block by block.
///
/// An item is two units of outputs. Its weights are converted to a [FloatFormat], [#BLOCK_INPUTS] inputs at a time.
/// They stay in the L1 cache while oneDNN multiplies all rows and adds the products to those of earlier blocks.
/// [#requireSameBits] holds a processor to products that do not depend on the number of rows.
///
/// Shared by the workers of all lanes; the caller closes it after the last product.
public final class FloatProducts implements AutoCloseable {
    /// Inputs that are converted at a time: 128 KiB in BF16, 256 KiB in FP32 at 512 bits. Whole groups of INT4.
    public static final int BLOCK_INPUTS = 1024;
    /// Inputs of a block are padded with zeros to a multiple of this.
    private static final int INPUTS_MULTIPLE = 64;
    /// Rows of the prepared products, largest first; the smallest is a tile.
    private static final int[] ROWS = {256, 64, 16, ActivationRows.TILE};

    private final FloatFormat format;
    private final OneDnn library;
    private final Set<Integer> widths;
    private final Map<Shape, OneDnnProduct[]> prepared; // each by [#ROWS], null where steps are smaller

    /// @param inputs of a block, padded
    /// @param rowElements from one row to the next
    private record Shape(int inputs, int rowElements) {}

    private FloatProducts(FloatFormat format, OneDnn library, Set<Integer> widths,
            Map<Shape, OneDnnProduct[]> prepared) {
        this.format = format;
        this.library = library;
        this.widths = widths;
        this.prepared = prepared;
    }

    /// Prepares all products that a model may need, slow ones included.
    ///
    /// @param widths inputs of the matrices
    /// @param maxRows of a step
    /// @throws IOException with the reason, if the library is missing
    public static FloatProducts open(FloatFormat format, Set<Integer> widths, int maxRows) throws IOException {
        OneDnn library = OneDnn.load();
        try {
            Map<Shape, OneDnnProduct[]> prepared = new HashMap<>();
            for (int width : widths) {
                for (int from = 0; from < width; from += BLOCK_INPUTS) {
                    prepared.computeIfAbsent(shape(format, width, from),
                            shape -> products(library, format, shape, maxRows));
                }
            }
            return new FloatProducts(format, library, widths, prepared);
        } catch (RuntimeException refused) {
            library.close();
            throw refused;
        }
    }

    private static OneDnnProduct[] products(OneDnn library, FloatFormat format, Shape shape, int maxRows) {
        OneDnnProduct[] products = new OneDnnProduct[ROWS.length];
        for (int i = 0; i < ROWS.length; i++) {
            if (ROWS[i] <= BlockKernels.wholeTiles(maxRows)) {
                products[i] = OneDnnProduct.ofFloats(library, format, ROWS[i], shape.inputs(), FloatKernels.WIDTH,
                        shape.rowElements());
            }
        }
        return products;
    }

    private static Shape shape(FloatFormat format, int width, int from) {
        return new Shape(Math.min(BLOCK_INPUTS, padded(width - from)), FloatRows.rowElements(format, width));
    }

    /// Inputs with the zeros behind them.
    public static int padded(int inputs) {
        return Vectors.roundUp(inputs, INPUTS_MULTIPLE);
    }

    public FloatFormat format() {
        return format;
    }

    /// oneDNN's name of the product of most rows.
    public String implementation() {
        return prepared.values().stream().flatMap(Arrays::stream).filter(Objects::nonNull).findFirst()
                .map(OneDnnProduct::implementation).orElse("");
    }

    /// Refuses products whose rows depend on their number: each smaller one must give the bits of the largest.
    ///
    /// @throws IOException with the reason, a part of a sentence
    public void requireSameBits() throws IOException {
        for (Map.Entry<Shape, OneDnnProduct[]> entry : prepared.entrySet()) {
            if (!SameBits.of(format, entry.getKey().inputs(), entry.getKey().rowElements(), entry.getValue(), ROWS)) {
                throw new IOException("oneDNN's products of " + entry.getKey().inputs() + " inputs in " + format
                        + " depend on the number of rows");
            }
        }
    }

    @Override
    public void close() {
        library.close();
    }

    /// Bytes that each worker allocates.
    public long workerBytes(int maxRows) {
        return blockBytes() + targetBytes(maxRows) + scratchBytes();
    }

    private long blockBytes() {
        return (long) BLOCK_INPUTS * FloatKernels.WIDTH * format.bytes();
    }

    private static long targetBytes(int maxRows) {
        return 4L * BlockKernels.wholeTiles(maxRows) * FloatKernels.WIDTH;
    }

    private long scratchBytes() {
        long most = 1;
        for (OneDnnProduct[] products : prepared.values()) {
            for (OneDnnProduct product : products) {
                most = product == null ? most : Math.max(most, product.scratchBytes());
            }
        }
        return most;
    }

    /// One thread's calls and scratch memory; created by the opening thread, used by one other thread.
    public final class Worker {
        private final MemorySegment block; // as [FloatFormat] lays it out
        private final MemorySegment target; // [rows][WIDTH]
        private final Blocks[] blocks; // by padded inputs of a matrix / INPUTS_MULTIPLE, null where no matrix has so many
        private boolean alone;

        /// The calls of a matrix's blocks, each by [#ROWS].
        private record Blocks(OneDnnProduct.Call[][] calls) {}

        /// @param arena as long-lived as the worker
        public Worker(int maxRows, Arena arena) {
            block = arena.allocate(blockBytes(), 64);
            target = arena.allocate(targetBytes(maxRows), 64);
            MemorySegment scratch = arena.allocate(scratchBytes(), 64);
            Map<Shape, OneDnnProduct.Call[]> calls = new HashMap<>();
            prepared.forEach((shape, products) -> calls.put(shape,
                    OneDnnProduct.calls(products, block, target, scratch, arena)));
            int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(0);
            blocks = new Blocks[padded(widest) / INPUTS_MULTIPLE + 1];
            for (int width : widths) {
                OneDnnProduct.Call[][] each = new OneDnnProduct.Call[Math.ceilDiv(width, BLOCK_INPUTS)][];
                for (int i = 0; i < each.length; i++) {
                    each[i] = calls.get(shape(format, width, i * BLOCK_INPUTS));
                }
                blocks[padded(width) / INPUTS_MULTIPLE] = new Blocks(each);
            }
        }

        /// Fills `out[rows][WIDTH]` with an item's products.
        ///
        /// @param input prepared in whole tiles of rows
        public void multiply(PackedMatrix matrix, int item, FloatRows input, int rows, float[] out) {
            if (!alone) {
                library.useOneThread();
                alone = true;
            }
            int unit = 2 * item;
            int width = matrix.columns();
            OneDnnProduct.Call[][] calls = blocks[padded(width) / INPUTS_MULTIPLE].calls();
            target.asSlice(0, targetBytes(rows)).fill((byte) 0);
            for (int i = 0; i < calls.length; i++) {
                int inputs = Math.min(BLOCK_INPUTS, padded(width - i * BLOCK_INPUTS));
                FloatKernels.convert(matrix, unit, i * BLOCK_INPUTS, inputs, format, block, 0);
                FloatKernels.convert(matrix, Math.min(unit + 1, matrix.units() - 1), i * BLOCK_INPUTS, inputs, format,
                        block, PackedMatrix.LINE_BYTES);
                for (int row = 0; row < rows;) {
                    int size = sizeFor(rows - row);
                    calls[i][size].run(input.address(row, i), target.address() + targetBytes(row));
                    row += ROWS[size];
                }
            }
            float[] scales = matrix.rowScales();
            if (scales.length > 0) {
                FloatKernels.takeOutScaled(target, rows, scales, unit * Vectors.UNIT, out);
            } else {
                FloatKernels.takeOut(target, rows, out);
            }
        }

        /// The largest prepared product that whole tiles of rows can fill.
        private static int sizeFor(int rows) {
            int size = 0;
            while (ROWS[size] > BlockKernels.wholeTiles(rows)) {
                size++;
            }
            return size;
        }
    }
}
