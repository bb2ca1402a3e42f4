package org.inferometer.execution.host.products;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.Fp8Corrections;
import org.inferometer.execution.host.kernels.PackedMatrix;

/// Products of many rows by oneDNN, with weights that are converted block by block.
///
/// An item is two units of outputs. Its weights are converted to a [FloatFormat], a block of [InputBlocks] at a time.
/// They stay in the L2 cache while oneDNN multiplies all rows and adds the products to those of earlier blocks.
/// [#sumOrder] says how these products add up on this processor.
///
/// Shared by the workers of all lanes; the caller closes it after the last product.
public final class FloatProducts implements AutoCloseable {
    /// Inputs whose sums are scaled one by one: FP8 with scales of groups, in BF16.
    private static final int SCALED_INPUTS = WeightMatrix.Fp8.GROUP_COLUMNS;
    /// Rows of the prepared products, largest first; the smallest is a tile.
    private static final int[] ROWS = {256, 64, 16, BlockKernels.TILE_ROWS};

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
    /// @param groups whether FP8 matrices have scales of groups
    /// @param maxRows of a step
    /// @throws IOException with the reason, if the library is missing
    public static FloatProducts open(FloatFormat format, Set<Integer> widths, boolean groups, int maxRows)
            throws IOException {
        OneDnn library = OneDnn.load();
        try {
            Map<Shape, OneDnnProduct[]> prepared = new HashMap<>();
            for (int width : widths) {
                for (Shape each : shapes(format, width, groups)) {
                    prepared.computeIfAbsent(each, shape -> products(library, format, shape, maxRows));
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

    /// The shapes of a matrix's blocks, and of its groups where they are scaled one by one.
    private static Set<Shape> shapes(FloatFormat format, int width, boolean groups) {
        Set<Shape> shapes = new LinkedHashSet<>();
        InputBlocks blocks = InputBlocks.of(width);
        for (int i = 0; i < blocks.count(); i++) {
            shapes.add(new Shape(blocks.inputs(i), FloatRows.rowElements(format, width)));
        }
        for (int from = 0; groups && format == FloatFormat.BF16 && from < blocks.padded(); from += SCALED_INPUTS) {
            shapes.add(new Shape(group(blocks, from), FloatRows.rowElements(format, width)));
        }
        return shapes;
    }

    /// Inputs of the group that begins with an input.
    private static int group(InputBlocks blocks, int from) {
        return Math.min(SCALED_INPUTS, blocks.padded() - from);
    }

    public FloatFormat format() {
        return format;
    }

    /// oneDNN's name of the product of most rows.
    public String implementation() {
        return prepared.values().stream().flatMap(Arrays::stream).filter(Objects::nonNull).findFirst()
                .map(OneDnnProduct::implementation).orElse("");
    }

    /// How products in BF16 add up on this processor, tried with random numbers.
    public SumOrder sumOrder() {
        EnumSet<SumOrder> orders = EnumSet.noneOf(SumOrder.class);
        prepared.forEach(
                (shape, products) -> orders.add(TriedProducts.of(shape.inputs(), shape.rowElements(), products, ROWS)));
        return orders.size() == 1 ? orders.iterator().next() : SumOrder.UNKNOWN;
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
        int most = widths.stream().mapToInt(width -> InputBlocks.of(width).most()).max().orElse(0);
        return (long) most * FloatKernels.WIDTH * format.bytes();
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
        private final Calls[] matrices; // by padded inputs / MULTIPLE, null where no matrix has so many
        private boolean alone;

        /// The calls of a matrix's blocks, and of its groups, each by [#ROWS].
        private record Calls(InputBlocks blocks, OneDnnProduct.Call[][] ofBlocks, OneDnnProduct.Call[][] ofGroups) {}

        /// @param arena as long-lived as the worker
        public Worker(int maxRows, Arena arena) {
            block = arena.allocate(blockBytes(), 64);
            target = arena.allocate(targetBytes(maxRows), 64);
            MemorySegment scratch = arena.allocate(scratchBytes(), 64);
            Map<Shape, OneDnnProduct.Call[]> calls = new HashMap<>();
            prepared.forEach((shape, products) -> calls.put(shape,
                    OneDnnProduct.calls(products, block, target, scratch, arena)));
            int widest = widths.stream().mapToInt(Integer::intValue).max().orElse(0);
            matrices = new Calls[Math.ceilDiv(widest, InputBlocks.MULTIPLE) + 1];
            for (int width : widths) {
                InputBlocks blocks = InputBlocks.of(width);
                int elements = FloatRows.rowElements(format, width);
                OneDnnProduct.Call[][] ofBlocks = new OneDnnProduct.Call[blocks.count()][];
                for (int i = 0; i < ofBlocks.length; i++) {
                    ofBlocks[i] = calls.get(new Shape(blocks.inputs(i), elements));
                }
                OneDnnProduct.Call[][] ofGroups =
                        new OneDnnProduct.Call[Math.ceilDiv(blocks.padded(), SCALED_INPUTS)][];
                for (int i = 0; i < ofGroups.length; i++) {
                    ofGroups[i] = calls.get(new Shape(group(blocks, i * SCALED_INPUTS), elements));
                }
                matrices[blocks.padded() / InputBlocks.MULTIPLE] = new Calls(blocks, ofBlocks, ofGroups);
            }
        }

        /// Fills `out[rows][WIDTH]` with an item's products, without scales of outputs. In BF16 those of FP8 also lack
        /// [Fp8Corrections].
        ///
        /// @param input prepared in whole tiles of rows
        public void multiply(PackedMatrix matrix, int item, FloatRows input, int rows, float[] out) {
            if (!alone) {
                library.useOneThread();
                alone = true;
            }
            Calls calls = matrices[Math.ceilDiv(matrix.columns(), InputBlocks.MULTIPLE)];
            if (format == FloatFormat.BF16 && matrix.precision() == Precision.FP8 && matrix.headers() > 0) {
                multiplyGroups(matrix, item, input, rows, calls, out);
                return;
            }
            target.asSlice(0, targetBytes(rows)).fill((byte) 0);
            InputBlocks blocks = calls.blocks();
            for (int i = 0; i < blocks.count(); i++) {
                add(matrix, item, input, rows, blocks.first(i), blocks.inputs(i), calls.ofBlocks()[i]);
            }
            FloatKernels.takeOut(target, rows, out);
        }

        private void multiplyGroups(PackedMatrix matrix, int item, FloatRows input, int rows, Calls calls,
                float[] out) {
            Arrays.fill(out, 0, rows * FloatKernels.WIDTH, 0f);
            for (int group = 0; group < calls.ofGroups().length; group++) {
                int from = group * SCALED_INPUTS;
                target.asSlice(0, targetBytes(rows)).fill((byte) 0);
                add(matrix, item, input, rows, from, group(calls.blocks(), from), calls.ofGroups()[group]);
                FloatKernels.addScaled(target, rows, matrix, 2 * item, second(matrix, item), group, out);
            }
        }

        /// Adds the products of some inputs to the target.
        private void add(PackedMatrix matrix, int item, FloatRows input, int rows, int from, int inputs,
                OneDnnProduct.Call[] calls) {
            FloatKernels.convert(matrix, 2 * item, second(matrix, item), from, inputs, format, block);
            for (int row = 0; row < rows;) {
                int size = sizeFor(rows - row);
                calls[size].run(input.address(row, from), target.address() + targetBytes(row));
                row += ROWS[size];
            }
        }

        /// The second unit of an item; the first once more where the matrix has none.
        private static int second(PackedMatrix matrix, int item) {
            return Math.min(2 * item + 1, matrix.units() - 1);
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

    /// Number formats of weights and activations in [FloatProducts].
    public enum FloatFormat {
        /// Weights `[inputs][outputs]`. FP32 holds every weight as `WeightMatrix.row` gives it; only sums are rounded.
        FP32(4),
        /// Weights `[inputs / 2][outputs][2]`. Activations, and weights times the scale of a group, are rounded to BF16, halves
        /// to even. BF16 weights and FP8 codes are exact; FP8's channel scale multiplies the sums.
        BF16(2);

        private final int bytes;

        FloatFormat(int bytes) {
            this.bytes = bytes;
        }

        /// Bytes of a number.
        public int bytes() {
            return bytes;
        }

        /// Adjacent inputs of one output: four bytes.
        int inputsPerLine() {
            return Float.BYTES / bytes;
        }
    }

    /// The order in which a product adds up a row, whatever the number of rows.
    public enum SumOrder {
        /// Another order, or one that depends on the number of rows.
        UNKNOWN,
        /// Chains of multiply-adds over inputs in ascending order, as long as `PackedMatrix.chainInputs` says: AVX-512 BF16.
        CHAINS,
        /// 32 inputs at a time: a chain over the even ones and a chain over the odd ones, added to each other and then to
        /// the sum of the inputs before. Source: TDPBF16PS in Intel's Architecture Instruction Set Extensions (AMX).
        TILES
    }
}
