package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What others say, cut to one line for people.
class OneLineTest {
    @Test
    void whatControlsATerminalOrTurnsTheWritingBecomesOneSpace() {
        assertThat(OneLine.of("\u001b[31m red\r\n\t\u0085\u202Eand\u0019 on \u0000\n")).isEqualTo("[31m red and on");
    }

    @Test
    void longTextIsCutToTheLimit() {
        assertThat(OneLine.of("x".repeat(239))).isEqualTo("x".repeat(239));
        assertThat(OneLine.of("x".repeat(100_000))).isEqualTo("x".repeat(239) + "…");
    }
}
