package org.inferometer.engine.safetensors;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The element types of the safetensors format, in the order of the reference implementation, which sorts files by it descending.
public enum SafetensorsDtype {
    BOOL(8), F4(4), F6_E2M3(6), F6_E3M2(6), U8(8), I8(8), F8_E5M2(8), F8_E4M3(8), F8_E8M0(8), F8_E4M3FNUZ(8),
    F8_E5M2FNUZ(8), I16(16), U16(16), F16(16), BF16(16), I32(32), U32(32), F32(32), C64(64), F64(64), I64(64), U64(64);

    private static final Map<String, SafetensorsDtype> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(SafetensorsDtype::name, Function.identity()));

    private final int bits;

    SafetensorsDtype(int bits) {
        this.bits = bits;
    }

    /// Bits of one element.
    public int bits() {
        return bits;
    }

    /// The type with this name in a header; case-sensitive.
    public static Optional<SafetensorsDtype> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}
