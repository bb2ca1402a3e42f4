package org.inferometer.execution.host.onednn;

import static org.inferometer.execution.host.kernels.Vectors.FLOATS;
import static org.inferometer.execution.host.kernels.Vectors.LANES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.inferometer.execution.host.kernels.Vectors;

/// Activation rows for [FloatProducts], off-heap: `[blocks][rows][inputs of a block]`. Inputs after a row's width stay
/// zero.
public final class FloatRows {
    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64, 16 * LANES)));
    /// Gap between rows, so that rows of a power of two do not map to the same cache lines.
    private static final int GAP_BYTES = 64;
    private static final int QUIET = 0x00400000;

    private final FloatFormat format;
    private final int width;
    private final int rows;
    private final MemorySegment numbers;

    /// @param rows whole tiles
    /// @param arena as long-lived as the rows
    public FloatRows(FloatFormat format, int width, int rows, Arena arena) {
        this.format = format;
        this.width = width;
        this.rows = rows;
        numbers = arena.allocate(bytes(format, width, rows), 64);
    }

    public static long bytes(FloatFormat format, int width, int rows) {
        return (long) Math.ceilDiv(width, FloatProducts.BLOCK_INPUTS) * rows * rowElements(format, width)
                * format.bytes();
    }

    /// The stride between rows of a block, in elements.
    public static int rowElements(FloatFormat format, int width) {
        return Math.min(FloatProducts.BLOCK_INPUTS, FloatProducts.padded(width)) + GAP_BYTES / format.bytes();
    }

    FloatFormat format() {
        return format;
    }

    /// Address of a row's part of a block.
    long address(int row, int block) {
        return numbers.address() + at(row, block);
    }

    private long at(int row, int block) {
        return ((long) block * rows + row) * rowElements(format, width) * format.bytes();
    }

    /// Stores finished rows.
    ///
    /// @param values `[rows][stride]`, zero past the width
    public void take(float[] values, int stride, int first, int present) {
        for (int row = first; row < first + present; row++) {
            for (int from = 0; from < width; from += FloatProducts.BLOCK_INPUTS) {
                int count = Math.min(FloatProducts.BLOCK_INPUTS, width - from);
                long to = at(row, from / FloatProducts.BLOCK_INPUTS);
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
            FloatVector value = FloatVector.fromArray(FLOATS, values, from + i);
            IntVector bits = value.reinterpretAsInts();
            IntVector rounded = FloatKernels.rounded(bits)
                    .blend(bits.or(QUIET), value.test(VectorOperators.IS_NAN).cast(Vectors.INTS))
                    .lanewise(VectorOperators.LSHR, 16);
            ((ShortVector) rounded.convertShape(VectorOperators.I2S, SHORTS, 0)).intoMemorySegment(part, 2L * i,
                    ByteOrder.nativeOrder());
        }
    }
}
