package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.checkpoint.CheckpointTensors.Tensor;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.engine.safetensors.SafetensorsDtype;

/// The values of a tensor in BF16, F16 or F32, widened exactly. Thread-safe.
///
/// @param count of the values
record FloatTensor(SafetensorsDtype dtype, MemorySegment bytes, long count) {
    /// In each of two codes.
    private static final int BF16_EXPONENTS = 0x7F80_7F80;
    private static final int BF16_EXPONENT_ONES = 0x0080_0080;
    private static final int BF16_SIGNS = 0x8000_8000;
    /// Widened at once; few, so that they stay in the nearest cache.
    private static final int PAIRS = 256;
    private static final long BF16_UPPER = 0xFFFF_0000L;
    private static final long BF16_LOWER = 0xFFFF_FFFFL;

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
            case F32 -> bytes.get(LittleEndian.FLOAT, index * Float.BYTES);
            case BF16 -> Bfloat16.decode(bytes.get(LittleEndian.SHORT, index * Short.BYTES));
            default -> Float.float16ToFloat(bytes.get(LittleEndian.SHORT, index * Short.BYTES));
        };
    }

    /// Widens values that follow each other, from the first on.
    ///
    /// @return whether all are finite
    boolean read(long first, float[] destination) {
        int n = destination.length;
        if (dtype == SafetensorsDtype.BF16) {
            return readBfloat16(first, destination);
        }
        if (dtype == SafetensorsDtype.F32) {
            MemorySegment.copy(bytes, LittleEndian.FLOAT, first * Float.BYTES, destination, 0, n);
        } else {
            short[] codes = new short[n];
            MemorySegment.copy(bytes, LittleEndian.SHORT, first * Short.BYTES, codes, 0, n);
            for (int i = 0; i < n; i++) {
                destination[i] = Float.float16ToFloat(codes[i]);
            }
        }
        return isFinite(destination);
    }

    /// Two values at once, some hundred in each loop: the compiler has vectors for these. Adding 1 to an exponent of ones sets the bit
    /// above it, which is clear in the others.
    private boolean readBfloat16(long first, float[] destination) {
        int[] codes = new int[PAIRS];
        long[] widened = new long[PAIRS];
        MemorySegment to = MemorySegment.ofArray(destination);
        int carries = 0;
        int done = 0;
        for (int pairs = 0; done + 1 < destination.length; done += 2 * pairs) {
            pairs = Math.min(PAIRS, (destination.length - done) / 2);
            MemorySegment.copy(bytes, LittleEndian.INT, (first + done) * Short.BYTES, codes, 0, pairs);
            for (int i = 0; i < pairs; i++) {
                carries |= (codes[i] & BF16_EXPONENTS) + BF16_EXPONENT_ONES;
            }
            for (int i = 0; i < pairs; i++) {
                long pair = codes[i];
                widened[i] = ((pair & BF16_UPPER) << Integer.SIZE) | ((pair << Short.SIZE) & BF16_LOWER);
            }
            MemorySegment.copy(MemorySegment.ofArray(widened), 0, to, (long) Float.BYTES * done,
                    (long) Long.BYTES * pairs);
        }
        boolean finite = (carries & BF16_SIGNS) == 0;
        if (done < destination.length) {
            destination[done] = at(first + done);
            finite &= Float.isFinite(destination[done]);
        }
        return finite;
    }

    /// All exponents at once: a value is not finite if all bits of its exponent are set.
    static boolean isFinite(float[] values) {
        int most = 0;
        for (float value : values) {
            most = Math.max(most, Float.floatToRawIntBits(value) & 0x7FFFFFFF);
        }
        return most < 0x7F800000;
    }

    /// Reads a mapped file's part in one go, which a disk does faster than page by page.
    void prepare() {
        if (bytes.isMapped()) {
            bytes.load();
        }
    }

    /// Gives the memory of a mapped file back; values that are read again come from the file.
    void release() {
        if (bytes.isMapped()) {
            bytes.unload();
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
