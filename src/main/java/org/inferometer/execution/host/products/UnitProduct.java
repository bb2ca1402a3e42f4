package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import org.inferometer.engine.Precision;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.EightRowKernels;
import org.inferometer.execution.host.kernels.Int4Groups;
import org.inferometer.execution.host.kernels.Int4Kernels;
import org.inferometer.execution.host.kernels.Int8Groups;
import org.inferometer.execution.host.kernels.Int8Kernels;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.RowKernels;
import org.inferometer.execution.host.kernels.SmallBatchKernels;
import org.inferometer.execution.host.kernels.TileOrderKernels;
import org.inferometer.execution.host.kernels.W4A8Rows;
import org.inferometer.execution.host.kernels.W8A8Rows;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;
import org.jspecify.annotations.Nullable;

/// Multiplies one item of a matrix with all rows of an input. An item is a unit of outputs, two units for a single row
/// and for oneDNN, or four for a single row of INT4 in FP32 and of integers in a large matrix.
///
/// One instance per worker; it holds the scratch memory.
public final class UnitProduct {
    /// Most units that are multiplied with a single row together: of INT4 in FP32, of integers in large matrices.
    static final int MOST_ROW_UNITS = 4;
    /// Units of a large matrix: sixteen items still divide evenly enough.
    static final int LARGE_UNITS = 16 * MOST_ROW_UNITS;

    /// Outputs of an item whose weights are converted for oneDNN.
    static final int CONVERTED_WIDTH = 2 * UNIT;

    private static final int TILE_ROWS = BlockKernels.TILE_ROWS;
    /// Bytes of a panel of rows: they fit the L2 cache together with a thread's blocks and sums.
    private static final int PANEL_BYTES = 512 << 10;
    /// Each panel decodes the weights again, at the cost of about four rows.
    private static final int FEWEST_PANEL_ROWS = 32;

    private final float[] block = new float[BlockKernels.COLUMNS * UNIT];
    private final float[] chains; // [rows, UNIT]: a group's unfinished sums
    private final IntegerProducts.@Nullable Worker integers;
    private final FloatProducts.@Nullable Worker floats;
    private final boolean tileOrder; // of single rows of floats
    private final @Nullable W4A8Product rounded;
    private final @Nullable W8A8Product roundedForBytes;

    /// @param plan as the inputs'
    /// @param arena as long-lived as the products
    public UnitProduct(int maxRows, ProductPlan plan, Arena arena) {
        IntegerProducts products = plan.integers().products();
        integers = products == null ? null : products.new Worker(maxRows, arena);
        FloatProducts converted = plan.batched().products();
        floats = converted == null ? null : converted.new Worker(maxRows, arena);
        tileOrder = plan.batched().order() == SumOrder.TILES;
        rounded = isRounded(plan, Precision.INT4) ? new W4A8Product() : null;
        roundedForBytes = isRounded(plan, Precision.INT8) ? new W8A8Product() : null;
        chains = new float[Vectors.roundUp(maxRows, TILE_ROWS) * UNIT];
    }

    public static long bytes(int maxRows, ProductPlan plan) {
        IntegerProducts integers = plan.integers().products();
        FloatProducts converted = plan.batched().products();
        long floats = converted == null ? 0 : converted.workerBytes(maxRows);
        long rounded = isRounded(plan, Precision.INT4) ? W4A8Product.bytes()
                : isRounded(plan, Precision.INT8) ? W8A8Product.bytes()
                : 0;
        long byIntegers = integers == null ? 0 : integers.workerBytes(maxRows);
        return 4L * UNIT * (BlockKernels.COLUMNS + Vectors.roundUp(maxRows, TILE_ROWS)) + byIntegers + floats + rounded;
    }

    private static boolean isRounded(ProductPlan plan, Precision weights) {
        return plan.integers().format() != ActivationRows.IntegerFormat.EXACT && plan.integers().weights() == weights;
    }

    /// Items of a matrix for this number of rows.
    static int items(PackedMatrix matrix, ActivationRows input, int rows) {
        return Math.ceilDiv(matrix.units() * Vectors.UNIT, width(matrix, input, rows));
    }

    /// Rows of a panel: they are multiplied with all items before the next panel.
    static int panel(PackedMatrix matrix, ActivationRows input, int rows) {
        return byIntegers(matrix, input, rows) ? rows : Math.min(rows, panel(input.stride));
    }

    /// Rows that stay in cache while all outputs are computed, in whole tiles.
    public static int panel(int stride) {
        return Math.max(FEWEST_PANEL_ROWS, PANEL_BYTES / (Float.BYTES * stride) / TILE_ROWS * TILE_ROWS);
    }

    /// Outputs of an item.
    static int width(PackedMatrix matrix, ActivationRows input, int rows) {
        if (byIntegers(matrix, input, rows)) {
            return 2 * UNIT;
        }
        return input.oneByOne(rows, matrix.precision().isInteger()) ? rowUnits(matrix, input) * UNIT : UNIT;
    }

    /// Units that are multiplied with a single row together: integers are read faster in four streams; smaller items divide small
    /// matrices better.
    private static int rowUnits(PackedMatrix matrix, ActivationRows input) {
        boolean four = switch (matrix.precision()) {
            case BF16, FP8 -> false;
            case INT8 -> input.roundedForBytes() != null && matrix.units() >= LARGE_UNITS;
            case INT4 -> input.rounded() == null || matrix.units() >= LARGE_UNITS;
        };
        return four ? MOST_ROW_UNITS : 2;
    }

    private static boolean byIntegers(PackedMatrix matrix, ActivationRows input, int rows) {
        return matrix.precision().isInteger() && input.usesBytes(rows);
    }

    /// Items of a matrix whose weights are converted for oneDNN.
    static int convertedItems(PackedMatrix matrix) {
        return Math.ceilDiv(matrix.units() * UNIT, CONVERTED_WIDTH);
    }

    /// Fills `out[rows][CONVERTED_WIDTH]` with the products of all rows by oneDNN in floats.
    void multiplyConverted(PackedMatrix matrix, int item, ActivationRows input, int rows, float[] out) {
        FloatRows converted = input.converted();
        if (floats == null || converted == null) {
            throw new IllegalStateException("These rows are not converted");
        }
        floats.multiply(matrix, item, converted, rows, out);
        if (matrix.precision() != Precision.FP8) {
            return;
        }
        for (int unit = 2 * item; unit < Math.min(2 * item + 2, matrix.units()); unit++) {
            for (int row = 0; row < rows; row++) {
                int at = row * CONVERTED_WIDTH + (unit - 2 * item) * UNIT;
                // FP32 has the exact decoding.
                if (converted.format() == FloatFormat.BF16) {
                    finishFp8(matrix, unit, input, row * input.stride, out, at);
                } else if (matrix.headers() == 0) {
                    scaleChannels(matrix, unit, out, at);
                }
            }
        }
    }

    /// Fills `out[count][width]`; `out` has room for whole tiles of rows.
    ///
    /// @param rows of the input that are in use
    /// @param first of a panel, and how many of it
    void multiply(PackedMatrix matrix, int item, ActivationRows input, int rows, int first, int count, float[] out) {
        if (integers != null && byIntegers(matrix, input, rows)) {
            integers.multiply(matrix, item, input, rows, out);
            return;
        }
        W4A8Rows x = matrix.precision() == Precision.INT4 ? input.rounded() : null;
        W8A8Rows bytes = matrix.precision() == Precision.INT8 ? input.roundedForBytes() : null;
        if (rounded != null && x != null && rows == 1) {
            int units = rowUnits(matrix, input);
            rounded.multiplyRow(matrix, units * item, units / 2, x, input, out);
        } else if (rounded != null && x != null) {
            rounded.multiplyRows(matrix, item, x, input, first, count, out);
        } else if (roundedForBytes != null && bytes != null && rows == 1) {
            int units = rowUnits(matrix, input);
            roundedForBytes.multiplyRow(matrix, units * item, units, bytes, input, out);
        } else if (roundedForBytes != null && bytes != null) {
            roundedForBytes.multiplyRows(matrix, item, bytes, input, first, count, out);
        } else if (input.oneByOne(rows, matrix.precision().isInteger())) {
            for (int row = first; row < first + count; row++) {
                multiplyRow(matrix, rowUnits(matrix, input) * item, input, row, out, (row - first) * 2 * UNIT);
            }
        } else {
            multiplyRows(matrix, item, input, first, count, out);
        }
    }

    /// @param at of the row in `out`, 0 for INT4 and INT8
    private void multiplyRow(PackedMatrix matrix, int unit, ActivationRows input, int row, float[] out, int at) {
        int second = Math.min(unit + 1, matrix.units() - 1);
        long a = matrix.unitOffset(unit);
        long b = matrix.unitOffset(second);
        switch (matrix.precision()) {
            case BF16, FP8 -> floatRow(matrix, unit, second, input, row * input.stride, out, at);
            case INT8 -> Int8Kernels.row(matrix, a, b, input.values, input.sums(), out);
            case INT4 -> {
                long c = matrix.unitOffset(Math.min(unit + 2, matrix.units() - 1));
                long d = matrix.unitOffset(Math.min(unit + 3, matrix.units() - 1));
                Int4Kernels.row(matrix, a, b, c, d, input.orderedRow, input.sums(), out);
            }
        }
    }

    /// @param x of the row in the input's values
    private void floatRow(PackedMatrix matrix, int unit, int second, ActivationRows input, int x, float[] out, int at) {
        if (matrix.headers() > 0) {
            Arrays.fill(out, at, at + 2 * UNIT, 0f);
            for (int group = 0; group < matrix.groups(); group++) {
                int word = group * matrix.groupWords();
                rowSums(matrix, unit, second, matrix.groupOffset(group), matrix.groupWords(group), input.values,
                        x + word * matrix.inputsPerWord(), chains);
                addGroup(matrix, unit, group, chains, 0, 1, out, at);
                addGroup(matrix, second, group, chains, UNIT, 1, out, at + UNIT);
            }
        } else if (tileOrder) {
            blockRow(matrix, unit, second, input, x, out, at);
        } else {
            rowSums(matrix, unit, second, 0, matrix.words(), input.values, x, out);
        }
        if (matrix.precision() == Precision.FP8) {
            finishFp8(matrix, unit, input, x, out, at);
            finishFp8(matrix, second, input, x, out, at + UNIT);
        }
    }

    /// One block of inputs after the other, as [FloatProducts] adds them up.
    private void blockRow(PackedMatrix matrix, int unit, int second, ActivationRows input, int x, float[] out, int at) {
        Arrays.fill(out, at, at + 2 * UNIT, 0f);
        InputBlocks blocks = InputBlocks.of(matrix.columns());
        int inputsPerWord = matrix.inputsPerWord();
        for (int block = 0; block < blocks.count(); block++) {
            int word = blocks.first(block) / inputsPerWord;
            int words = Math.min(blocks.inputs(block) / inputsPerWord, matrix.words() - word);
            rowSums(matrix, unit, second, (long) word * PackedMatrix.LINE_BYTES, words, input.values,
                    x + blocks.first(block), chains);
            addGroup(matrix, unit, 0, chains, 0, 1, out, at);
            addGroup(matrix, second, 0, chains, UNIT, 1, out, at + UNIT);
        }
    }

    /// Fills `sums[0..2·UNIT)` with the sums of two units over some words.
    ///
    /// @param offset of the words in their unit
    private void rowSums(PackedMatrix matrix, int unit, int second, long offset, int words, float[] x, int xo,
            float[] sums) {
        MemorySegment lines = matrix.lines();
        long a = matrix.unitOffset(unit) + offset;
        long b = matrix.unitOffset(second) + offset;
        if (matrix.precision() == Precision.BF16) {
            bf16Sums(lines, a, b, words, matrix.groupWords(), x, xo, sums);
            return;
        }
        boolean exact = matrix.corrections().exact(unit);
        boolean secondExact = matrix.corrections().exact(second);
        if (!exact || !secondExact) {
            fp8Sums(lines, a, b, words, matrix.groupWords(), x, xo, sums);
        }
        if (exact) {
            fp8ExactSums(lines, a, words, matrix.groupWords(), x, xo, sums, 0);
        }
        if (secondExact) {
            fp8ExactSums(lines, b, words, matrix.groupWords(), x, xo, sums, UNIT);
        }
    }

    private void bf16Sums(MemorySegment w, long a, long b, int words, int chain, float[] x, int xo, float[] sums) {
        if (tileOrder) {
            TileOrderKernels.bf16(w, a, b, words, x, xo, sums);
        } else {
            RowKernels.bf16(w, a, b, words, chain, x, xo, sums);
        }
    }

    private void fp8Sums(MemorySegment w, long a, long b, int words, int chain, float[] x, int xo, float[] sums) {
        if (tileOrder) {
            TileOrderKernels.fp8(w, a, b, words, x, xo, sums);
        } else {
            RowKernels.fp8(w, a, b, words, chain, x, xo, sums);
        }
    }

    private void fp8ExactSums(MemorySegment w, long unit, int words, int chain, float[] x, int xo, float[] sums,
            int at) {
        if (tileOrder) {
            RowKernels.fp8Exact(w, unit, words, TileOrderKernels.FP8_WORDS, 2, x, xo, sums, at);
        } else {
            RowKernels.fp8Exact(w, unit, words, chain, 1, x, xo, sums, at);
        }
    }

    /// Corrects and scales the finished sums of a row.
    private static void finishFp8(PackedMatrix matrix, int unit, ActivationRows input, int xo, float[] out, int at) {
        if (!matrix.corrections().exact(unit)) {
            matrix.corrections().apply(unit, input.values, xo, out, at);
        }
        if (matrix.headers() == 0) {
            scaleChannels(matrix, unit, out, at);
        }
    }

    private void multiplyRows(PackedMatrix matrix, int unit, ActivationRows input, int first, int rows, float[] out) {
        long from = matrix.unitOffset(unit);
        switch (matrix.precision()) {
            case BF16, FP8 -> {
                floatRows(matrix, unit, input, first, rows, out);
                for (int row = 0; row < rows && matrix.precision() == Precision.FP8; row++) {
                    finishFp8(matrix, unit, input, (first + row) * input.stride, out, row * UNIT);
                }
            }
            case INT8 -> int8Rows(matrix, from, input, first, rows, out);
            case INT4 -> {
                Arrays.fill(out, 0, Vectors.roundUp(rows, TILE_ROWS) * UNIT, 0f);
                int4Rows(matrix, from, input, first, rows, out);
            }
        }
    }

    private void floatRows(PackedMatrix matrix, int unit, ActivationRows input, int first, int rows, float[] out) {
        Arrays.fill(out, 0, rows * UNIT, 0f);
        long from = matrix.unitOffset(unit);
        int inputs = matrix.groupWords() * matrix.inputsPerWord();
        for (int group = 0; group < matrix.groups(); group++) {
            int x = first * input.stride + group * inputs * TILE_ROWS;
            chains(matrix, unit, from + matrix.groupOffset(group), matrix.groupWords(group), input, x, rows);
            addGroup(matrix, unit, group, chains, 0, rows, out, 0);
        }
    }

    /// Fills `chains[rows][UNIT]` with a group's chains.
    ///
    /// @param from first byte of the words
    /// @param x where the first tile's inputs begin
    private void chains(PackedMatrix matrix, int unit, long from, int words, ActivationRows input, int x, int rows) {
        boolean fp8 = matrix.precision() == Precision.FP8;
        boolean exact = fp8 && matrix.corrections().exact(unit);
        if (rows <= SmallBatchKernels.ROWS && !exact) {
            fewFloatRows(matrix, from, words, input, x, rows, chains);
            return;
        }
        if (Vectors.MANY_REGISTERS && rows <= EightRowKernels.ROWS && fp8 && !exact) {
            for (int row = 0; row < rows; row += TILE_ROWS) {
                EightRowKernels.fp8(matrix.lines(), from, words, input.tiles, x + row * input.stride, chains,
                        row * UNIT);
            }
            return;
        }
        Arrays.fill(chains, 0, Vectors.roundUp(rows, TILE_ROWS) * UNIT, 0f);
        int perWord = fp8 ? 4 : 2;
        int step = BlockKernels.COLUMNS / perWord;
        for (int word = 0; word < words; word += step) {
            int count = Math.min(step, words - word);
            long at = from + (long) word * PackedMatrix.LINE_BYTES;
            if (exact) {
                BlockKernels.expandFp8Exact(matrix.lines(), at, count, block);
            } else if (fp8) {
                BlockKernels.expandFp8(matrix.lines(), at, count, block);
            } else {
                BlockKernels.expandBf16(matrix.lines(), at, count, block);
            }
            continueChains(count * perWord, input, x + word * perWord * TILE_ROWS, rows, chains);
        }
    }

    private static void fewFloatRows(PackedMatrix matrix, long from, int words, ActivationRows input, int x, int rows,
            float[] out) {
        if (matrix.precision() == Precision.FP8) {
            if (rows == 2) {
                SmallBatchKernels.fp8ByTwo(matrix.lines(), from, words, input.tiles, x, out);
            } else {
                SmallBatchKernels.fp8ByFour(matrix.lines(), from, words, input.tiles, x, out);
            }
        } else if (rows == 2) {
            SmallBatchKernels.bf16ByTwo(matrix.lines(), from, words, input.tiles, x, out);
        } else {
            SmallBatchKernels.bf16ByFour(matrix.lines(), from, words, input.tiles, x, out);
        }
    }

    private void int8Rows(PackedMatrix matrix, long from, ActivationRows input, int first, int rows, float[] out) {
        Arrays.fill(out, 0, rows * UNIT, 0f);
        for (int group = 0; group < matrix.groups(); group++) {
            int words = matrix.groupWords(group);
            int inputs = matrix.inputsPerWord();
            Int8Kernels.expand(matrix.lines(), from + matrix.groupOffset(group), words, block);
            Arrays.fill(chains, 0, Vectors.roundUp(rows, TILE_ROWS) * UNIT, 0f);
            int x = first * input.stride + group * matrix.groupWords() * inputs * TILE_ROWS;
            continueChains(words * inputs, input, x, rows, chains);
            Int8Groups.add(matrix.lines(), from + matrix.headerOffset(group), group, chains, 0, rows, input.sums(),
                    input.sumsAt(first, group), input.sumsAt(1, 0), out, 0);
        }
    }

    private void int4Rows(PackedMatrix matrix, long from, ActivationRows input, int first, int rows, float[] out) {
        for (int group = 0; group < matrix.groups(); group++) {
            int words = matrix.groupWords(group);
            long at = from + matrix.groupOffset(group);
            int x = first * input.stride + group * matrix.groupWords() * Int4Kernels.PLACES * TILE_ROWS;
            convertedBlocks(matrix, at, words, input, x, rows);
            Int4Groups.addGroups(matrix.lines(), from + matrix.headerOffset(group), chains, rows, input.sums(),
                    input.sumsAt(first, group), input.sumsAt(1, 0), out);
        }
    }

    /// @param at first byte of the group's words
    /// @param x where the first tile's group begins
    private void convertedBlocks(PackedMatrix matrix, long at, int words, ActivationRows input, int x, int rows) {
        Arrays.fill(chains, 0, Vectors.roundUp(rows, TILE_ROWS) * UNIT, 0f);
        for (int place = 0; place < Int4Kernels.PLACES; place += Int4Kernels.EXPANDED) {
            Int4Kernels.expand(matrix.lines(), at, words, place, block);
            continueChains(Int4Kernels.EXPANDED * words, input, x + place * words * TILE_ROWS, rows, chains);
        }
    }

    /// @param x where the first tile's inputs begin
    private void continueChains(int columns, ActivationRows input, int x, int rows, float[] sums) {
        for (int row = 0; row < rows; row += TILE_ROWS) {
            BlockKernels.tile(block, columns, rows - row, input.tiles, x + row * input.stride, sums, row * UNIT);
        }
    }

    /// total + chain of one unit and several rows; total + scale · chain if the group has scales.
    ///
    /// @param chains `[rows][UNIT]` from `from` on
    /// @param total laid out alike, from `at` on
    private static void addGroup(PackedMatrix matrix, int unit, int group, float[] chains, int from, int rows,
            float[] total, int at) {
        boolean scaled = matrix.headers() > 0;
        long header = matrix.unitOffset(unit) + matrix.headerOffset(group);
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector scale = scaled
                    ? FloatVector.fromMemorySegment(FLOATS, matrix.lines(), header + 4L * i, ByteOrder.nativeOrder())
                    : FloatVector.broadcast(FLOATS, 1f);
            for (int row = 0; row < rows; row++) {
                int to = at + row * UNIT + i;
                scale.fma(FloatVector.fromArray(FLOATS, chains, from + row * UNIT + i),
                        FloatVector.fromArray(FLOATS, total, to)).intoArray(total, to);
            }
        }
    }

    private static void scaleChannels(PackedMatrix matrix, int unit, float[] out, int at) {
        float[] scales = matrix.rowScales();
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector.fromArray(FLOATS, out, at + i).mul(FloatVector.fromArray(FLOATS, scales, unit * UNIT + i))
                    .intoArray(out, at + i);
        }
    }
}
