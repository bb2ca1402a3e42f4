package org.inferometer.engine.tokenizer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Tokens 0 to 255 are the bytes of UTF-8, so every text can be encoded; larger ids have no text.
///
/// @param vocabulary at least 256
public record ByteTokenizer(int vocabulary) implements Tokenizer {
    /// Its name in engine files.
    public static final String NAME = "bytes";
    /// Number of ids for bytes.
    public static final int BYTES = 256;

    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    /// Checks the vocabulary.
    public ByteTokenizer {
        if (vocabulary < BYTES) {
            throw new IllegalArgumentException(
                    "A byte tokenizer needs a vocabulary of 256 or more, not " + vocabulary + ".");
        }
    }

    @Override
    public int[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] tokens = new int[bytes.length];
        for (int index = 0; index < bytes.length; index++) {
            tokens[index] = Byte.toUnsignedInt(bytes[index]);
        }
        return tokens;
    }

    @Override
    public String decode(int[] tokens) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(tokens.length);
        for (int token : tokens) {
            if (token >= 0 && token < BYTES) {
                bytes.write(token);
            } else {
                bytes.writeBytes(REPLACEMENT);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
