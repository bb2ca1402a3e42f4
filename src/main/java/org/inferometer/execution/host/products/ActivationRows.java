package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.Bf16Rounding;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.GroupedRows;
import org.inferometer.execution.host.kernels.Int4Kernels;
import org.inferometer.execution.host.kernels.NormKernels;
import org.inferometer.execution.host.kernels.W4A8Rows;
import org.inferometer.execution.host.kernels.W8A8Rows;
import org.inferometer.execution.host.machine.Vectors;
import org.jspecify.annotations.Nullable;

/// Activation rows that go into matrices, with the formats that the kernels read.
///
/// Elements past a row's width stay zero: they meet the padding of the weights.
public final class ActivationRows implements GroupedRows {
    /// Rows with adjacent elements for [BlockKernels].
    public static final int TILE = BlockKernels.TILE_ROWS;
    /// Inputs of a block of the weights.
    private static final int BLOCK = WeightMatrix.Int4.GROUP_COLUMNS;
    private static final int MOST = 127;
    /// A group of nothing larger counts as zero; its inverse would not be finite.
    private static final float TINY = 0x1p-100f;
    private static final VectorSpecies<Byte> CODES =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(8 * Math.max(8, LANES)));
    /// For INT4, even inputs of eight before odd ones: see [IntegerKernels].
    private static final VectorShuffle<Byte> ORDER =
            VectorShuffle.fromOp(CODES, i -> i / 8 * 8 + i % 8 / 4 + 2 * (i % 4));

    /// How activations reach INT4 and INT8 matrices.
    public enum IntegerFormat {
        /// Not rounded.
        EXACT,
        /// Rounded to 8 bits a group.
        ROUNDED,
        /// The same, and as bytes for [IntegerProducts] from its fewest rows on.
        ROUNDED_BYTES
    }

    final int width;
    public final int stride;
    public final float[] values; // [rows, stride]
    /// The rows as several of them are multiplied; for INT4 as [Int4Kernels#order] has them.
    final float[] tiles; // [rows / TILE, stride, TILE]
    /// A single row for INT4 as [Int4Kernels#order] has it.
    final float[] orderedRow; // [stride]
    /// Groups of whole blocks; those behind the width stay zero.
    final int groups;
    private final float[] sums; // [rows, groups, SUMS]

    private final IntegerFormat integerFormat;
    private final int groupColumns;
    /// Inputs of INT4 and INT8 matrices: the values, or integers between -127 and 127.
    private final float[] integerValues; // [rows, stride]
    private final @Nullable MemorySegment codes; // [rows, groups, groupColumns] unsigned
    private final boolean nibbles;
    private final @Nullable W4A8Rows rounded;
    private final @Nullable W8A8Rows roundedForBytes;
    private final BatchedProduct batched;
    private final @Nullable FloatRows oneDnnRows;

    /// @param rows whole tiles
    /// @param arena as long-lived as the rows
    public ActivationRows(int width, int rows, ProductPlan plan, Arena arena) {
        this.width = width;
        integerFormat = plan.integers().format();
        groupColumns = plan.integers().groupColumns();
        nibbles = plan.integers().weights() == Precision.INT4;
        stride = Vectors.stride(width);
        values = new float[rows * stride];
        tiles = new float[rows * stride];
        orderedRow = new float[stride];
        groups = Vectors.roundUp(width, BLOCK) / groupColumns;
        sums = new float[SUMS * rows * groups];
        integerValues = integerFormat == IntegerFormat.EXACT ? values : new float[rows * stride];
        codes = integerFormat == IntegerFormat.ROUNDED_BYTES ? arena.allocate((long) rows * groups * groupColumns, 64)
                : null;
        boolean exact = integerFormat == IntegerFormat.EXACT;
        rounded = !exact && nibbles ? new W4A8Rows(width, rows) : null;
        roundedForBytes = !exact && !nibbles ? new W8A8Rows(width, rows) : null;
        batched = plan.batched();
        FloatProducts products = batched.products();
        oneDnnRows = products == null ? null : new FloatRows(products.format(), width, rows, arena);
    }

    public static long bytes(int width, int rows, ProductPlan plan) {
        IntegerFormat integerFormat = plan.integers().format();
        long stride = Vectors.stride(width);
        long groups = Vectors.roundUp(width, BLOCK) / plan.integers().groupColumns();
        long copies = integerFormat == IntegerFormat.EXACT ? 2 : 3;
        FloatProducts products = plan.batched().products();
        long floatBytes = products == null ? 0 : FloatRows.bytes(products.format(), width, rows);
        long codeBytes = integerFormat == IntegerFormat.ROUNDED_BYTES ? rows * (long) Vectors.roundUp(width, BLOCK) : 0;
        long roundedBytes = integerFormat == IntegerFormat.EXACT ? 0
                : plan.integers().weights() == Precision.INT4 ? W4A8Rows.bytes(width, rows)
                : W8A8Rows.bytes(width, rows);
        return 4 * (rows * (copies * stride + SUMS * groups) + stride) + codeBytes + roundedBytes + floatBytes;
    }

    @Override
    public float[] sums() {
        return sums;
    }

    @Override
    public int sumsAt(int row, int group) {
        return SUMS * (row * groups + group);
    }

    /// Whether [IntegerProducts] multiplies INT4 and INT8 matrices for this number of rows.
    boolean usesBytes(int rows) {
        return codes != null && rows >= IntegerProducts.FEWEST_ROWS;
    }

    /// The rounded rows for INT4; null if they are not rounded, or for INT8.
    @Nullable
    W4A8Rows rounded() {
        return rounded;
    }

    /// The rounded rows for INT8; null if they are not rounded, or for INT4.
    @Nullable
    W8A8Rows roundedForBytes() {
        return roundedForBytes;
    }

    /// Whether [FloatProducts] multiplies the rows.
    ///
    /// @param inUse rows of the whole input that are in use
    boolean converts(int inUse, boolean integers) {
        return !(integers && integerFormat != IntegerFormat.EXACT) && batched.converts(inUse, integers);
    }

    /// Whether the portable kernels multiply the rows one after the other, two units of outputs at a time.
    boolean oneByOne(int inUse, boolean integers) {
        return inUse == 1 || batched.oneByOne(inUse, integers);
    }

    /// The rows in the layout of [FloatProducts]; null if it multiplies none.
    @Nullable
    FloatRows converted() {
        return oneDnnRows;
    }

    @Override
    public long codesAddress(int row, int group) {
        if (codes == null) {
            throw new IllegalStateException("These rows are not quantized to bytes");
        }
        return codes.address() + codesAt(row, group);
    }

    private long codesAt(int row, int group) {
        return ((long) row * groups + group) * groupColumns;
    }

    /// Converts one tile of finished rows to the kernels' layout.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param integers whether the matrices that follow are INT4 or INT8
    public void prepare(int tile, int inUse, boolean integers, float[] spill) {
        int first = tile * TILE;
        int present = Math.min(TILE, inUse - first);
        boolean converted = oneDnnRows != null && converts(inUse, integers);
        if (batched.rounds(converted, integers)) {
            Bf16Rounding.round(values, first * stride, present * stride);
        }
        if (oneDnnRows != null && converted) {
            oneDnnRows.take(values, stride, first, present);
            return;
        }
        for (int row = first; integers && row < first + present; row++) {
            for (int group = 0; group * groupColumns < width; group++) {
                int from = row * stride + group * groupColumns;
                int count = Math.min(groupColumns, width - group * groupColumns);
                int at = sumsAt(row, group);
                sums[at + 2] = integerFormat == IntegerFormat.EXACT ? 1 : round(row, group, from, count);
                sums[at] = NormKernels.sum(integerValues, from, count, spill);
                sums[at + 1] = rounded == null ? 0 : W4A8Rows.share(count, sums[at]);
            }
        }
        if (integers && integerFormat != IntegerFormat.EXACT) {
            storeRounded(first, present, inUse);
        } else if (inUse > 1) {
            interleave(values, first, present, integers && nibbles);
        } else if (integers && nibbles) {
            Int4Kernels.order(Math.ceilDiv(width, Int4Kernels.PLACES), groupColumns / Int4Kernels.PLACES, integerValues,
                    0, orderedRow, 0, 1);
        }
    }

    private void storeRounded(int first, int present, int inUse) {
        if (rounded != null && inUse == 1) {
            rounded.storeSingle(integerValues);
            return;
        }
        for (int row = first; row < first + present && !usesBytes(inUse); row++) {
            if (rounded != null) {
                rounded.take(integerValues, row * stride, row);
            } else if (roundedForBytes != null) {
                roundedForBytes.take(integerValues, row * stride, row);
            }
        }
    }

    /// Rounds a group to integers between -127 and 127, halves to even. The scale is not finite if a value is not.
    ///
    /// @return the scale of the integers
    private float round(int row, int group, int from, int count) {
        IntVector most = IntVector.zero(INTS);
        for (int k = 0; k < count; k += LANES) {
            most = most.max(FloatVector.fromArray(FLOATS, values, from + k).reinterpretAsInts().and(Integer.MAX_VALUE));
        }
        float largest = Float.intBitsToFloat(most.reduceLanes(VectorOperators.MAX));
        boolean nothing = largest < TINY;
        FloatVector inverse = FloatVector.broadcast(FLOATS, nothing ? 0 : MOST / largest);
        FloatVector rounding = FloatVector.broadcast(FLOATS, W4A8Rows.ROUNDING);
        for (int k = 0; k < count; k += LANES) {
            FloatVector rounded = FloatVector.fromArray(FLOATS, values, from + k).fma(inverse, rounding);
            rounded.sub(rounding).intoArray(integerValues, from + k);
            if (codes != null) {
                IntVector code = rounded.reinterpretAsInts().sub(W4A8Rows.ROUNDING_BITS - IntegerKernels.OFFSET);
                ByteVector bytes = (ByteVector) code.convertShape(VectorOperators.I2B, CODES, 0);
                (nibbles ? bytes.rearrange(ORDER) : bytes).intoMemorySegment(codes, codesAt(row, group) + k,
                        ByteOrder.nativeOrder());
            }
        }
        return nothing ? 0 : largest / MOST;
    }

    /// @param ordered as [Int4Kernels] needs it
    private void interleave(float[] from, int first, int present, boolean ordered) {
        if (ordered) {
            for (int row = 0; row < present; row++) {
                int words = Math.ceilDiv(width, Int4Kernels.PLACES);
                Int4Kernels.order(words, groupColumns / Int4Kernels.PLACES, from, (first + row) * stride, tiles,
                        first * stride + row, TILE);
            }
            return;
        }
        for (int k = 0; k < stride; k += 4) {
            int to = first * stride + k * TILE;
            for (int row = 0; row < present; row++) {
                int at = (first + row) * stride + k;
                tiles[to + row] = from[at];
                tiles[to + TILE + row] = from[at + 1];
                tiles[to + 2 * TILE + row] = from[at + 2];
                tiles[to + 3 * TILE + row] = from[at + 3];
            }
        }
    }
}
