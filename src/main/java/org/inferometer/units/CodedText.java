package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a text says if its characters are codes.
final class CodedText {
    private static final int ESCAPE_LEVELS = 4;
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private CodedText() {}

    /// The readings as escapes, Base64, Base32, and hexadecimal, decimal, octal and binary numbers. Bytes are UTF-8; what is no code is noise.
    static Stream<String> readings(String text) {
        return Stream.of(Stream.of(unescaped(text)), digits(text, 1, c -> Character.digit(c, 2)),
                digits(text, 4, c -> Character.digit(c, 16)),
                digits(text, 5, c -> BASE32.indexOf(Character.toUpperCase(c))),
                digits(text, 6, c -> BASE64.indexOf(c == '-' ? '+' : c == '_' ? '/' : c)),
                // Also with zeros before, and of characters that are no byte
                IntStream.of(2, 4).boxed().flatMap(width -> numbers(text, 16, width)),
                IntStream.rangeClosed(3, 5).boxed().flatMap(width -> numbers(text, 10, width)),
                IntStream.of(3, 4, 6).boxed().flatMap(width -> numbers(text, 8, width)),
                IntStream.of(8, 16).boxed().flatMap(width -> numbers(text, 2, width))).flatMap(each -> each);
    }

    private static String unescaped(String text) {
        DecodedText level = DecodedText.of(text);
        for (int i = 0; i < ESCAPE_LEVELS; i++) {
            level = level.decoded();
        }
        return level.toString();
    }

    /// Digits of so many bits that run on, from each digit with which a byte can begin. Other characters may stand between.
    private static Stream<String> digits(String text, int bits, IntUnaryOperator digit) {
        int[] values = text.chars().map(c -> c < 0x80 ? digit.applyAsInt(c) : -1).filter(value -> value >= 0).toArray();
        int phases = Byte.SIZE / Integer.lowestOneBit(bits);
        return IntStream.range(0, Math.min(phases, values.length)).mapToObj(phase -> {
            byte[] bytes = new byte[(values.length - phase) * bits / Byte.SIZE];
            int held = 0;
            for (int i = phase, have = bits, count = 0; i < values.length; i++, have += bits) {
                held = held << bits | values[i];
                if (have >= Byte.SIZE) {
                    have -= Byte.SIZE;
                    bytes[count++] = (byte) (held >> have);
                }
            }
            return new String(bytes, StandardCharsets.UTF_8);
        });
    }

    /// Numbers that stand alone ("115 107 45") or one behind the other with equal width ("115107045"), as characters and as bytes.
    private static Stream<String> numbers(String text, int radix, int width) {
        StringBuilder read = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int start = i;
            while (i < text.length() && text.charAt(i) < 0x80 && Character.digit(text.charAt(i), radix) >= 0) {
                i++;
            }
            int step = Math.min(width, i - start);
            // The last number of a text that was cut is left out.
            if (step > 0) {
                for (int at = start; at + step <= i; at += step) {
                    int code = Integer.parseInt(text, at, at + step, radix);
                    // The 0 of "0x73" is none.
                    if (code > 0) {
                        read.append((char) code);
                    }
                }
            }
        }
        String characters = read.toString();
        return Stream.of(characters,
                new String(characters.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }
}
