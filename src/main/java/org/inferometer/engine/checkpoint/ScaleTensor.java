package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.checkpoint.CheckpointTensors.Tensor;
import org.inferometer.engine.safetensors.SafetensorsDtype;

/// The scales of a quantised matrix in BF16, F16 or F32, widened exactly. Thread-safe.
///
/// @param count of the scales
record ScaleTensor(SafetensorsDtype dtype, MemorySegment bytes, long count) {
    private static final ValueLayout.OfShort SHORTS =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOATS =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static ScaleTensor of(Tensor tensor) {
        SafetensorsDtype dtype = tensor.entry().spec().dtype();
        return new ScaleTensor(dtype, tensor.bytes(),
                tensor.bytes().byteSize() / (dtype == SafetensorsDtype.F32 ? Float.BYTES : Short.BYTES));
    }

    static boolean isScale(SafetensorsDtype dtype) {
        return dtype == SafetensorsDtype.F32 || dtype == SafetensorsDtype.F16 || dtype == SafetensorsDtype.BF16;
    }

    float at(long index) {
        return switch (dtype) {
            case F32 -> bytes.get(FLOATS, index * Float.BYTES);
            case BF16 -> Bfloat16.decode(bytes.get(SHORTS, index * Short.BYTES));
            default -> Float.float16ToFloat(bytes.get(SHORTS, index * Short.BYTES));
        };
    }

    /// Whether all are finite and not negative.
    boolean areScales() {
        for (long i = 0; i < count; i++) {
            float scale = at(i);
            if (!(scale >= 0 && scale < Float.POSITIVE_INFINITY)) {
                return false;
            }
        }
        return true;
    }

    /// Whether FP16 holds all of them exactly.
    boolean fitHalves() {
        for (long i = 0; i < count && dtype != SafetensorsDtype.F16; i++) {
            float scale = at(i);
            if (Float.float16ToFloat(Float.floatToFloat16(scale)) != scale) {
                return false;
            }
        }
        return true;
    }
}
