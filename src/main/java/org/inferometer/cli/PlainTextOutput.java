package org.inferometer.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;

/// Passes text on and replaces the unsafe characters of [PlainText] by question marks. Line ends and tabs pass.
///
/// For UTF-8 and one writing thread at a time. Remembers the first failure to write, which a print stream drops.
final class PlainTextOutput extends FilterOutputStream {
    private static final int ESCAPE = 0x1b;
    private static final int LONGEST_SEQUENCE = 16;

    private final boolean sequences;
    private final byte[] character = new byte[4];
    private int characterBytes;
    private int characterNeeds;
    private final StringBuilder sequence = new StringBuilder();
    private boolean carriageReturn;
    private @Nullable IOException failure;

    /// @param sequences whether colours and "erase the line" pass, as this program writes them
    PlainTextOutput(OutputStream out, boolean sequences) {
        super(out);
        this.sequences = sequences;
    }

    /// The first failure to write.
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[]{(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            for (int i = offset; i < offset + length; i++) {
                take(bytes[i] & 0xff);
            }
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            super.flush();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    private void take(int b) throws IOException {
        if (!sequence.isEmpty()) {
            continueSequence(b);
        } else if (characterNeeds > 0) {
            continueCharacter(b);
        } else if (carriageReturn && b != ESCAPE) {
            carriageReturn = false;
            out.write(b == '\n' ? '\r' : '?');
            take(b);
        } else if (b == ESCAPE && sequences) {
            sequence.append((char) b);
        } else if (b == '\r') {
            carriageReturn = true;
        } else if (b < 0x80) {
            out.write(b == '\n' || b == '\t' || !PlainText.isUnsafe(b) ? b : '?');
        } else {
            beginCharacter(b);
        }
    }

    private void beginCharacter(int b) throws IOException {
        if (b < 0xc2 || b > 0xf4) {
            out.write('?');
            return;
        }
        characterNeeds = b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
        character[0] = (byte) b;
        characterBytes = 1;
    }

    private void continueCharacter(int b) throws IOException {
        if (b < 0x80 || b >= 0xc0) {
            characterNeeds = 0;
            out.write('?');
            take(b);
            return;
        }
        character[characterBytes++] = (byte) b;
        if (characterBytes < characterNeeds) {
            return;
        }
        // A malformed sequence becomes U+FFFD.
        String text = new String(character, 0, characterNeeds, StandardCharsets.UTF_8);
        characterNeeds = 0;
        out.write(PlainText.isUnsafe(text.codePointAt(0)) ? "?".getBytes(StandardCharsets.UTF_8)
                : text.getBytes(StandardCharsets.UTF_8));
    }

    private void continueSequence(int b) throws IOException {
        sequence.append((char) b);
        boolean begins = sequence.length() == 2 && b == '[';
        boolean goesOn =
                sequence.length() > 2 && sequence.length() < LONGEST_SEQUENCE && ((b >= '0' && b <= '9') || b == ';');
        if (begins || goesOn) {
            return;
        }
        String whole = sequence.toString();
        sequence.setLength(0);
        boolean erases = whole.equals("\u001b[K");
        if (carriageReturn) {
            carriageReturn = false;
            out.write(erases ? '\r' : '?');
        }
        if (erases || (whole.length() > 2 && b == 'm')) {
            out.write(whole.getBytes(StandardCharsets.ISO_8859_1));
            return;
        }
        out.write('?');
        for (int i = 1; i < whole.length(); i++) {
            take(whole.charAt(i));
        }
    }
}
