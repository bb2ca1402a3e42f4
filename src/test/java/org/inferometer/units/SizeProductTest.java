package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SizeProductTest {
    @Property
    void productIsExactOrAbsent(@ForAll long a, @ForAll int b, @ForAll short c) {
        BigInteger product = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).multiply(BigInteger.valueOf(c));
        boolean fits = a >= 0 && b >= 0 && c >= 0 && product.bitLength() < Long.SIZE;
        OptionalLong found = SizeProduct.of(a, b, c);
        // With a factor of 0 the factors before it may not fit.
        assertThat(found.isEmpty() || fits && BigInteger.valueOf(found.getAsLong()).equals(product)).isTrue();
        assertThat(found.isPresent() || !fits || c == 0).isTrue();
    }

    @Test
    void productsAtTheLimit() {
        assertThat(SizeProduct.of(Integer.MAX_VALUE, Integer.MAX_VALUE)).hasValue(4611686014132420609L);
        assertThat(SizeProduct.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 4)).isEmpty();
        assertThat(SizeProduct.of(Long.MAX_VALUE, 1)).hasValue(Long.MAX_VALUE);
        assertThat(SizeProduct.of(-1, -1)).isEmpty();
        assertThat(SizeProduct.of()).hasValue(1);
    }
}
