package org.inferometer.execution.host.onednn;

import static org.inferometer.execution.host.parallel.Vectors.FLOATS;
import static org.inferometer.execution.host.parallel.Vectors.LANES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.parallel.Vectors;

/// Activation rows rounded to 8 bits for [IntegerProducts], off-heap, and the scale of each group.
///
/// Inputs after a row's width stay as they are: they meet the padding of the weights. Different threads may store different
/// rows.
public final class ByteRows {
    /// Inputs of a block of the weights.
    private static final int BLOCK = WeightMatrix.Int4.GROUP_COLUMNS;
    /// Added to a float of at most 2^22, leaves its nearest integer in the lowest mantissa bits.
    private static final float ROUNDING = 0x1.8p23f;
    private static final int ROUNDING_BITS = Float.floatToRawIntBits(ROUNDING);
    private static final VectorSpecies<Byte> CODES =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(8 * Math.max(8, LANES)));
    /// For INT4, even inputs of eight before odd ones: see [IntegerKernels].
    private static final VectorShuffle<Byte> ORDER =
            VectorShuffle.fromOp(CODES, i -> i / 8 * 8 + i % 8 / 4 + 2 * (i % 4));

    final float[] scales; // [rows, groups]
    private final MemorySegment codes; // [rows, groups, groupColumns] unsigned
    private final int groups;
    private final int groupColumns;
    private final boolean nibbles;

    /// @param nibbles whether the weights are INT4
    /// @param arena as long-lived as the rows
    public ByteRows(int width, int rows, int groupColumns, boolean nibbles, Arena arena) {
        this.groupColumns = groupColumns;
        this.nibbles = nibbles;
        groups = Vectors.roundUp(width, BLOCK) / groupColumns;
        scales = new float[rows * groups];
        codes = arena.allocate((long) rows * groups * groupColumns, 64);
    }

    public static long bytes(int width, int rows, int groupColumns) {
        long padded = Vectors.roundUp(width, BLOCK);
        return rows * (padded + Float.BYTES * padded / groupColumns);
    }

    /// Index of a row's group in [#scales].
    int at(int row, int group) {
        return row * groups + group;
    }

    /// Address of the bytes of a row's group.
    long address(int row, int group) {
        return codes.address() + (long) at(row, group) * groupColumns;
    }

    /// Stores a group.
    ///
    /// @param integers between -127 and 127, `count` from `from` on, in whole vectors
    public void take(float[] integers, int from, int count, int row, int group, float scale) {
        scales[at(row, group)] = scale;
        long to = (long) at(row, group) * groupColumns;
        for (int k = 0; k < count; k += LANES) {
            ByteVector bytes =
                    (ByteVector) FloatVector.fromArray(FLOATS, integers, from + k).add(ROUNDING).reinterpretAsInts()
                            .sub(ROUNDING_BITS - IntegerKernels.OFFSET).convertShape(VectorOperators.I2B, CODES, 0);
            (nibbles ? bytes.rearrange(ORDER) : bytes).intoMemorySegment(codes, to + k, ByteOrder.nativeOrder());
        }
    }
}
