package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.checkpoint.CheckpointTensors.Tensor;
import org.inferometer.engine.safetensors.SafetensorsDtype;

/// The values of a tensor in BF16, F16 or F32, widened exactly. Thread-safe.
///
/// @param count of the values
record FloatTensor(SafetensorsDtype dtype, MemorySegment bytes, long count) {
    private static final ValueLayout.OfShort SHORTS =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOATS =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static FloatTensor of(Tensor tensor) {
        SafetensorsDtype dtype = tensor.entry().spec().dtype();
        return new FloatTensor(dtype, tensor.bytes(),
                tensor.bytes().byteSize() / (dtype == SafetensorsDtype.F32 ? Float.BYTES : Short.BYTES));
    }

    static boolean isFloat(SafetensorsDtype dtype) {
        return dtype == SafetensorsDtype.F32 || dtype == SafetensorsDtype.F16 || dtype == SafetensorsDtype.BF16;
    }

    float at(long index) {
        return switch (dtype) {
            case F32 -> bytes.get(FLOATS, index * Float.BYTES);
            case BF16 -> Bfloat16.decode(bytes.get(SHORTS, index * Short.BYTES));
            default -> Float.float16ToFloat(bytes.get(SHORTS, index * Short.BYTES));
        };
    }

    /// Widens values that follow each other, from the first on.
    void read(long first, float[] destination) {
        int n = destination.length;
        if (dtype == SafetensorsDtype.F32) {
            MemorySegment.copy(bytes, FLOATS, first * Float.BYTES, destination, 0, n);
            return;
        }
        short[] codes = new short[n];
        MemorySegment.copy(bytes, SHORTS, first * Short.BYTES, codes, 0, n);
        if (dtype == SafetensorsDtype.BF16) {
            for (int i = 0; i < n; i++) {
                destination[i] = Float.intBitsToFloat(codes[i] << 16);
            }
        } else {
            for (int i = 0; i < n; i++) {
                destination[i] = Float.float16ToFloat(codes[i]);
            }
        }
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
