package org.inferometer.engine.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.engine.gguf.GgufFile.GgufTensor;

/// Rows of Q4_0 as INT4 of engines in groups of 32 inputs, without rounding.
///
/// A block is an FP16 scale d and 32 codes c with w = d · (c − 8), the first sixteen in the low halves of its bytes. d is
/// often negative, and scales of engines are not. Then the scale is −d, the codes are 15 − c and the zero point is 7: d ·
/// (c − 8) = −d · ((15 − c) − 7).
public final class GgufInt4 {
    /// Inputs of a group.
    public static final int GROUP_COLUMNS = 32;

    private static final int SCALE_BYTES = 2;
    private static final int HALF = GROUP_COLUMNS / 2;
    private static final int ZERO = 8;
    private static final int MIRRORED_ZERO = 7;
    private static final int LARGEST = 15;

    private final MemorySegment bytes;
    private final int groups;

    private GgufInt4(MemorySegment bytes, int groups) {
        this.bytes = bytes;
        this.groups = groups;
    }

    /// Whether a tensor's values are such.
    public static boolean holds(GgufTensor tensor) {
        return tensor.type() == GgufType.Q4_0;
    }

    /// @param tensor that [#holds] such values
    public static GgufInt4 row(GgufTensor tensor, long row) {
        long rowBytes = tensor.type().bytes(tensor.columns());
        return new GgufInt4(tensor.bytes().asSlice(row * rowBytes, rowBytes), (int) (tensor.columns() / GROUP_COLUMNS));
    }

    /// Writes the FP16 scales.
    ///
    /// @param destination little-endian
    /// @throws IllegalArgumentException if a scale is not finite
    public void scales(ByteBuffer destination) {
        for (int group = 0; group < groups; group++) {
            short half = half(group);
            if (!Float.isFinite(Float.float16ToFloat(half))) {
                throw new IllegalArgumentException("a scale of Q4_0 is not finite");
            }
            destination.putShort((short) (half & Short.MAX_VALUE));
        }
    }

    /// Writes the zero points, one byte each.
    public void zeros(ByteBuffer destination) {
        for (int group = 0; group < groups; group++) {
            destination.put((byte) (isMirrored(group) ? MIRRORED_ZERO : ZERO));
        }
    }

    /// Writes the codes, two a byte, the even input in the low half.
    public void values(ByteBuffer destination) {
        for (int group = 0; group < groups; group++) {
            long first = at(group) + SCALE_BYTES;
            int mirror = isMirrored(group) ? 0xFF : 0;
            for (int shift = 0; shift < 8; shift += 4) {
                for (int i = 0; i < HALF; i += 2) {
                    int even = bytes.get(ValueLayout.JAVA_BYTE, first + i) >> shift & LARGEST;
                    int odd = bytes.get(ValueLayout.JAVA_BYTE, first + i + 1) >> shift & LARGEST;
                    destination.put((byte) ((even | odd << 4) ^ mirror));
                }
            }
        }
    }

    private long at(int group) {
        return (long) group * GgufType.Q4_0.blockBytes();
    }

    private short half(int group) {
        return bytes.get(LittleEndian.SHORT, at(group));
    }

    private boolean isMirrored(int group) {
        return half(group) < 0;
    }
}
