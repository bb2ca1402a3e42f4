package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTextTest {
    @ParameterizedTest
    @CsvSource({"0,0 B", "1023,1023 B", "1536,1.50 KiB", "12897484,12.3 MiB", "4294967296,4.00 GiB"})
    void bytesAreWrittenInBinaryUnits(long bytes, String text) {
        assertThat(QuantityText.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0.01234,0.0123", "0.9996,1.00", "1.234,1.23", "9.996,10.0", "12.34,12.3", "99.96,100",
            "12345.6,12346", "-1.234,-1.23"})
    void threeDigitsAreSignificant(double value, String text) {
        assertThat(QuantityText.significant(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"250000,250 µs", "1234567,1.23 ms", "9999000000,9999 ms", "12345000000,12.3 s"})
    void latenciesTakeTheUnitThatFits(double nanos, String text) {
        assertThat(QuantityText.latency(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"512,512", "1KiB,1024", "1.5G,1610612736", "4 GiB,4294967296"})
    void sizesAreRead(String text, long bytes) {
        assertThat(QuantityText.parseBytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"2,2000000000", "250ms,250000000", "1.5m,90000000000"})
    void durationsAreRead(String text, long nanos) {
        assertThat(QuantityText.parseNanos(text)).isEqualTo(nanos);
    }

    @Test
    void zerosAtTheEndOfDecimalsAreLeftOut() {
        assertThat(List.of("1.50", "2.00", "0.00", "100", "-0.10").stream().map(QuantityText::withoutTrailingZeros))
                .containsExactly("1.5", "2", "0", "100", "-0.1");
    }

    @Test
    void whatIsNoQuantityIsSaidInOneSentence() {
        assertThatThrownBy(() -> QuantityText.parseBytes("-4"))
                .hasMessage("\"-4\" is not a size such as 512MiB or 4GiB.");
        assertThatThrownBy(() -> QuantityText.parseBytes("99999999999999T"))
                .hasMessage("\"99999999999999T\" is too large.");
        assertThat(QuantityText.parseCount("1.5k")).isEqualTo(1500);
    }

    @Test
    void nearMissesAreTheClosestNamesFirst() {
        assertThat(NearMisses.of("tiny-int8", List.of("tiny-int4", "tiny-fp8", "gpt2-int4")))
                .containsExactly("tiny-int4", "tiny-fp8");
        assertThat(NearMisses.of("zzz", List.of("naive", "simple"))).isEmpty();
    }
}
