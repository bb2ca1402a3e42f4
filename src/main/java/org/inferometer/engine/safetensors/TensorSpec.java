package org.inferometer.engine.safetensors;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.inferometer.units.SizeProduct;

/// A tensor of a safetensors header: row-major, little-endian, contiguous.
///
/// @param shape dimensions, outermost first; empty for a scalar
public record TensorSpec(String name, SafetensorsDtype dtype, List<Long> shape) {
    /// Copies the shape.
    public TensorSpec {
        shape = List.copyOf(shape);
    }

    /// Size in bytes; empty if it overflows 64 bits or is not a whole number of bytes.
    public OptionalLong bytes() {
        long[] factors =
                LongStream.concat(LongStream.of(dtype.bits()), shape.stream().mapToLong(Long::longValue)).toArray();
        OptionalLong bits = SizeProduct.of(factors);
        return bits.isPresent() && bits.getAsLong() % 8 == 0 ? OptionalLong.of(bits.getAsLong() / 8)
                : OptionalLong.empty();
    }

    /// "F16 [64, 3]".
    public String typeText() {
        return dtype + " " + shape;
    }

    /// A tensor and its bytes `[begin, end)` after the header.
    public record TensorEntry(TensorSpec spec, long begin, long end) {
        /// Size in bytes.
        public long bytes() {
            return end - begin;
        }
    }
}
