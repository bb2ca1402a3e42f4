package org.inferometer.execution.host.machine;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/// The vector shapes of this machine and the strides that follow from them.
public final class Vectors {
    public static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    public static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    /// Floats in a vector.
    public static final int LANES = FLOATS.length();
    /// Bytes of a vector.
    public static final int BYTES = 4 * LANES;
    /// Outputs of a matrix that are computed together: two vectors.
    public static final int UNIT = 2 * LANES;

    /// Whether a kernel may keep more than some twelve vectors in registers: 512 bits come with 32 of them, and so does ARM; x86 has 16 for
    /// narrower ones.
    public static final boolean MANY_REGISTERS = LANES >= 16 || System.getProperty("os.arch").equals("aarch64");

    private Vectors() {}

    public static int roundUp(int count, int multiple) {
        return Math.ceilDiv(count, multiple) * multiple;
    }

    /// The stride of an activation row: whole units, and whole words of every weight format.
    public static int stride(int width) {
        return roundUp(width, Math.max(UNIT, 8));
    }

    public static IntVector ints(MemorySegment segment, long offset) {
        return IntVector.fromMemorySegment(INTS, segment, offset, ByteOrder.nativeOrder());
    }

    /// A plain read of pairs of vectors: the sum of their words.
    public static long sum(MemorySegment pairs, long from, long bytes) {
        IntVector low = IntVector.zero(INTS);
        IntVector high = low;
        int count = (int) (bytes / (2 * BYTES));
        for (int i = 0; i < count; i++) {
            low = low.add(ints(pairs, from + (long) i * (2 * BYTES)));
            high = high.add(ints(pairs, from + (long) i * (2 * BYTES) + BYTES));
        }
        return low.add(high).lane(0);
    }

    /// Sums lanes in ascending order. The Vector API does not define the order of its float reduction.
    public static float orderedSum(FloatVector vector, float[] spill) {
        vector.intoArray(spill, 0);
        float sum = 0;
        for (int lane = 0; lane < LANES; lane++) {
            sum += spill[lane];
        }
        return sum;
    }
}
