package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What reaches a terminal or a pipe of text that others wrote.
class PlainTextOutputTest {
    @Test
    void textLineEndsColoursAndErasingGoThrough() {
        String plain = "\r\u001b[KRun 1 · Größe 1\t\u001b[1;31merror:\u001b[0m – 日本 𝄞\r\n\n";
        assertThat(shown(plain, true)).isEqualTo(plain);
    }

    @Test
    void whatWouldSteerTheTerminalBecomesQuestionMarks() {
        assertThat(shown("a\u001b]0;title\u0007b\u001b[2Jc\u0008\u007f\u0000d\u009b31me\u001b\u001b[0m", true))
                .isEqualTo("a?]0;title?b?[2Jc???d?31me?\u001b[0m");
    }

    @Test
    void carriageReturnCannotOverwriteALine() {
        assertThat(shown("50 ms\r10 ms\r\u001b[1m\r\r\n", true)).isEqualTo("50 ms?10 ms?\u001b[1m?\r\n");
    }

    @Test
    void aPipeGetsNoSequences() {
        assertThat(shown("\r\u001b[Ka\u001b[1mb", false)).isEqualTo("??[Ka?[1mb");
    }

    @Test
    void everyControlFormatAndSeparatorCharacterIsReplaced() {
        StringBuilder unsafe = new StringBuilder();
        StringBuilder safe = new StringBuilder();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int type = Character.getType(c);
            boolean steers = type == Character.CONTROL || type == Character.FORMAT || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            if (steers && c != '\n' && c != '\t' && c != '\r') {
                unsafe.appendCodePoint(c);
            } else if (!steers && type != Character.SURROGATE) {
                safe.appendCodePoint(c);
            }
        }
        int characters = unsafe.codePointCount(0, unsafe.length());
        assertThat(characters).isGreaterThan(200);
        assertThat(shown(unsafe.toString(), false)).isEqualTo("?".repeat(characters));
        assertThat(shown(safe.toString(), false)).isEqualTo(safe.toString());
    }

    @Test
    void brokenUtf8BecomesQuestionMarks() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PlainTextOutput out = new PlainTextOutput(bytes, true)) {
            out.write(new byte[]{(byte) 0xc0, (byte) 0x9b, 'a', (byte) 0xe2, (byte) 0x80, 'b', (byte) 0xff});
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("??a?b?");
    }

    @Test
    void aSequenceWithoutEndDoesNotSwallowWhatFollows() {
        assertThat(shown("\u001b[" + "1".repeat(100) + "m\n", true)).isEqualTo("?[" + "1".repeat(100) + "m\n");
    }

    @Test
    void theFirstFailureIsRemembered() {
        PlainTextOutput full = new PlainTextOutput(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        }, false);
        try (PrintStream out = new PrintStream(full, true, StandardCharsets.UTF_8)) {
            out.println("lost");
            assertThat(out.checkError()).isTrue();
        }
        assertThat(full.failure()).get().extracting(Throwable::getMessage).isEqualTo("No space left on device");
    }

    private static String shown(String text, boolean sequences) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(new PlainTextOutput(bytes, sequences), true, StandardCharsets.UTF_8)) {
            out.print(text);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
