package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LetterCaseTest {
    @Test
    void everyLetterChangesAsInString() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT).mapToObj(Character::toString)
                .filter(letter -> !LetterCase.lower(letter).equals(letter.toLowerCase(Locale.ROOT))
                        || !LetterCase.upper(letter).equals(letter.toUpperCase(Locale.ROOT))))
                .isEmpty();
        assertThat(LetterCase.upper("Straße \ud801\udc28 ŉ x")).isEqualTo("STRASSE \ud801\udc00 ʼN X");
        assertThat(LetterCase.lower("ΟΔΟΣ İB")).isEqualTo("οδοσ i̇b");
    }

    @Test
    @Timeout(20)
    void lettersThatGrowTakeLinearTime() {
        for (String part : new String[]{"Σ", "1Σ", "İ", "ŉ", "ΐ"}) {
            String text = part.repeat(1_000_000);
            assertThat(LetterCase.lower(text).length() + LetterCase.upper(text).length())
                    .isGreaterThanOrEqualTo(2 * text.length());
        }
    }
}
