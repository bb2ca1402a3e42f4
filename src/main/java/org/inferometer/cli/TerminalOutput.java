package org.inferometer.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Replaces control characters in the texts of files and servers by question marks. Line ends, tabs, colours and "erase the rest of the
/// line" pass. For UTF-8 and one writing thread at a time.
final class TerminalOutput extends FilterOutputStream {
    private static final int ESCAPE = 0x1b;
    private static final int DELETE = 0x7f;
    /// First byte of U+0080 to U+00BF, which include control characters.
    private static final int SECOND_CONTROLS = 0xc2;
    private static final int LONGEST_SEQUENCE = 16;

    private final StringBuilder sequence = new StringBuilder();
    private boolean leads;

    TerminalOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int one) throws IOException {
        int b = one & 0xff;
        if (leads) {
            leads = false;
            if (b >= 0x80 && b < 0xa0) {
                out.write('?');
                return;
            }
            out.write(SECOND_CONTROLS);
        }
        if (!sequence.isEmpty()) {
            continueSequence(b);
        } else if (b == ESCAPE) {
            sequence.append((char) b);
        } else if (b == SECOND_CONTROLS) {
            leads = true;
        } else {
            out.write((b < ' ' && b != '\n' && b != '\r' && b != '\t') || b == DELETE ? '?' : b);
        }
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
        if (whole.length() > 2 && (b == 'm' || b == 'K')) {
            out.write(whole.getBytes(StandardCharsets.ISO_8859_1));
            return;
        }
        out.write('?');
        for (int i = 1; i < whole.length(); i++) {
            write(whole.charAt(i));
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }
}
