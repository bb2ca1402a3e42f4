package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.inferometer.execution.host.kernels.Bf16Rounding;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;

/// Activation rows for [FloatProducts], off-heap: `[blocks][rows][inputs of a block]`. Inputs after a row's width stay
/// zero. In BF16 the inputs of a pair are swapped: see [FloatKernels].
public final class FloatRows {
    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64, 16 * LANES)));
    /// Gap between rows, so that rows of a power of two do not map to the same cache lines.
    private static final int GAP_BYTES = 64;
    private static final VectorShuffle<Short> SWAPPED = VectorShuffle.fromOp(SHORTS, i -> i ^ 1);

    private final FloatFormat format;
    private final int width;
    private final InputBlocks blocks;
    private final int rows;
    private final MemorySegment numbers;

    /// @param rows whole tiles
    /// @param arena as long-lived as the rows
    public FloatRows(FloatFormat format, int width, int rows, Arena arena) {
        this.format = format;
        this.width = width;
        this.blocks = InputBlocks.of(width);
        this.rows = rows;
        numbers = arena.allocate(bytes(format, width, rows), 64);
    }

    public static long bytes(FloatFormat format, int width, int rows) {
        return (long) InputBlocks.of(width).count() * rows * rowElements(format, width) * format.bytes();
    }

    /// The stride between rows of a block, in elements.
    public static int rowElements(FloatFormat format, int width) {
        return InputBlocks.of(width).most() + GAP_BYTES / format.bytes();
    }

    public FloatFormat format() {
        return format;
    }

    /// Address of a row's input.
    long address(int row, int input) {
        int block = blocks.blockOf(input);
        return numbers.address() + at(row, block) + (long) (input - blocks.first(block)) * format.bytes();
    }

    private long at(int row, int block) {
        return ((long) block * rows + row) * rowElements(format, width) * format.bytes();
    }

    /// Stores finished rows.
    ///
    /// @param values `[rows][stride]`, zero past the width
    public void take(float[] values, int stride, int first, int present) {
        for (int row = first; row < first + present; row++) {
            for (int block = 0; block < blocks.count(); block++) {
                int from = blocks.first(block);
                int count = Math.min(blocks.inputs(block), width - from);
                long to = at(row, block);
                // The last vector may reach beyond the width into the padding, where values are zero.
                MemorySegment part = numbers.asSlice(to, (long) Vectors.roundUp(count, LANES) * format.bytes());
                if (format == FloatFormat.FP32) {
                    copy(values, row * stride + from, count, part);
                } else {
                    round(values, row * stride + from, count, part);
                }
            }
        }
    }

    private static void copy(float[] values, int from, int count, MemorySegment part) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector.fromArray(FLOATS, values, from + i).intoMemorySegment(part, 4L * i, ByteOrder.nativeOrder());
        }
    }

    private static void round(float[] values, int from, int count, MemorySegment part) {
        for (int i = 0; i < count; i += LANES) {
            IntVector rounded = Bf16Rounding.bits(FloatVector.fromArray(FLOATS, values, from + i))
                    .lanewise(VectorOperators.LSHR, 16);
            ((ShortVector) rounded.convertShape(VectorOperators.I2S, SHORTS, 0)).rearrange(SWAPPED)
                    .intoMemorySegment(part, 2L * i, ByteOrder.nativeOrder());
        }
    }
}
