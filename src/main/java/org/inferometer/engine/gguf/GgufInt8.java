package org.inferometer.engine.gguf;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.engine.gguf.GgufFile.GgufTensor;

/// Rows of Q8_0 as INT8 of engines: the same FP16 scales and the same codes. A block is a scale and 32 codes.
public final class GgufInt8 {
    private static final int SCALE_BYTES = 2;

    private final MemorySegment bytes;
    private final int groups;

    private GgufInt8(MemorySegment bytes, int groups) {
        this.bytes = bytes;
        this.groups = groups;
    }

    /// Whether a tensor's values are such.
    public static boolean holds(GgufTensor tensor) {
        return tensor.type() == GgufType.Q8_0;
    }

    /// @param tensor that [#holds] such values
    public static GgufInt8 row(GgufTensor tensor, long row) {
        long rowBytes = tensor.type().bytes(tensor.columns());
        return new GgufInt8(tensor.bytes().asSlice(row * rowBytes, rowBytes),
                (int) (tensor.columns() / WeightMatrix.Int8.GROUP_COLUMNS));
    }

    /// Writes the FP16 scales.
    ///
    /// @param destination little-endian
    /// @throws IllegalArgumentException if a scale is not finite
    public void scales(ByteBuffer destination) {
        for (int group = 0; group < groups; group++) {
            short half = bytes.get(LittleEndian.SHORT, at(group));
            if (!Float.isFinite(Float.float16ToFloat(half))) {
                throw new IllegalArgumentException("a scale of Q8_0 is not finite");
            }
            destination.putShort(half);
        }
    }

    /// Writes the codes.
    public void values(ByteBuffer destination) {
        for (int group = 0; group < groups; group++) {
            destination.put(bytes.asSlice(at(group) + SCALE_BYTES, WeightMatrix.Int8.GROUP_COLUMNS).asByteBuffer());
        }
    }

    private static long at(int group) {
        return (long) group * GgufType.Q8_0.blockBytes();
    }
}
