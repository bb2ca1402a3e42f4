package org.inferometer.engine.safetensors;

import java.util.List;
import java.util.OptionalLong;

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
        try {
            long elements = 1;
            for (long dimension : shape) {
                elements = Math.multiplyExact(elements, dimension);
            }
            long bits = Math.multiplyExact(elements, dtype.bits());
            return bits % 8 == 0 ? OptionalLong.of(bits / 8) : OptionalLong.empty();
        } catch (ArithmeticException overflow) {
            return OptionalLong.empty();
        }
    }

    /// "F16 [64, 3]".
    public String typeText() {
        return dtype + " " + shape;
    }
}
