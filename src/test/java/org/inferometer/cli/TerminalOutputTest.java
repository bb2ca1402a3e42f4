package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What reaches a terminal of what others wrote.
class TerminalOutputTest {
    @Test
    void textLineEndsColoursAndErasingGoThrough() {
        String plain = "\r\u001b[KRun 1 · Größe 1\t\u001b[1;31merror:\u001b[0m – 日本\n";
        assertThat(shown(plain)).isEqualTo(plain);
    }

    @Test
    void whatWouldSteerTheTerminalBecomesQuestionMarks() {
        assertThat(shown("a\u001b]0;title\u0007b\u001b[2Jc\u0008\u007f\u0000d\u009b31me\u001b\u001b[0m"))
                .isEqualTo("a?]0;title?b?[2Jc???d?31me?\u001b[0m");
    }

    @Test
    void aSequenceWithoutEndDoesNotSwallowWhatFollows() {
        assertThat(shown("\u001b[" + "1".repeat(100) + "m\n")).isEqualTo("?[" + "1".repeat(100) + "m\n");
    }

    private static String shown(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(new TerminalOutput(bytes), true, StandardCharsets.UTF_8)) {
            out.print(text);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
