package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpreadsheetTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"-1+cmd|' /C calc'!A0", "=1+1", "+1+1", "@SUM(A1)", "-.x", "--1", "-1e", "1e5;=1", "＝1+1",
            "＋1", "－1+1", "＠x", " =1", "\u00a0=1", "\u200b=1", "\ufeff=1", "\"=1", "'=1", "''-1", "“=1", "'\"' =1",
            "\t=1", "\r=1", "\n=1", "\tplain", "a;=1", "a; -x", "a;\"=1", "a\n=1", "a\t@x", "-1 -1", "-1%", "-Infinity",
            "-0x10", "-1d"})
    void formulaBecomesText(String cell) {
        String safe = SpreadsheetText.harmless(cell);
        assertThat(runs(safe)).as(safe).isFalse();
        assertThat(SpreadsheetText.original(safe)).isEqualTo(cell);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "-1.5e-3", "+.5", "-5.", "-1E+9", " -2", "a;-1", "-", "=", "plain", "it's",
            "a-b", "1:0+5 2:0+1", "12.5", "x=1", "a; b", "'quoted'", "a, -b"})
    void harmlessTextStays(String cell) {
        assertThat(SpreadsheetText.harmless(cell)).isSameAs(cell);
        assertThat(SpreadsheetText.original(cell)).isEqualTo(cell);
    }

    @Test
    void apostropheStandsWhereTheFormulaBegins() {
        assertThat(List.of("-1+cmd|' /C calc'!A0", "a; =1;-2;-x", "'=1")).extracting(SpreadsheetText::harmless)
                .containsExactly("'-1+cmd|' /C calc'!A0", "a;' =1;-2;'-x", "''=1");
    }

    @Property(tries = 2000)
    void noTextRunsAndEveryTextReturns(@ForAll("cells") String cell) {
        String safe = SpreadsheetText.harmless(cell);
        assertThat(runs(safe)).as(safe).isFalse();
        assertThat(SpreadsheetText.original(safe)).isEqualTo(cell);
        assertThat(SpreadsheetText.original(SpreadsheetText.harmless(safe))).isEqualTo(safe);
    }

    @Provide
    Arbitrary<String> cells() {
        return Arbitraries.of("=", "+", "-", "@", "＝", "＋", "－", "＠", ";", "\t", "\n", "\r", " ", "'", "\"", "\u00a0",
                "\u200b", "1", ".", "e", "x", ",", "|", "(").list().ofMaxSize(8).map(parts -> String.join("", parts));
    }

    /// Whether a spreadsheet that divides a cell at `;`, tabs and line breaks, and skips blanks, could run a part of it.
    private static boolean runs(String cell) {
        if (!cell.isEmpty() && "\t\r\n".indexOf(cell.charAt(0)) >= 0) {
            return true;
        }
        for (String part : cell.split("[;\t\r\n]")) {
            String bare = part.strip();
            if (bare.length() > 1 && part.replaceFirst("^[\\s\u00a0\u200b\ufeff\"“]+", "").matches("(?s)[-=+@＝＋－＠].*")
                    && !bare.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
                return true;
            }
        }
        return false;
    }
}
