package org.inferometer.units;

import java.util.OptionalLong;

/// The product of sizes that a file or a person gives.
public final class SizeProduct {
    private SizeProduct() {}

    /// The product; empty if a factor is negative or 64 bits are too few.
    public static OptionalLong of(long... factors) {
        long product = 1;
        for (long factor : factors) {
            if (factor < 0 || Math.multiplyHigh(product, factor) != 0 || product * factor < 0) {
                return OptionalLong.empty();
            }
            product *= factor;
        }
        return OptionalLong.of(product);
    }
}
