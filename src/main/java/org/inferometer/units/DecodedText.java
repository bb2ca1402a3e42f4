package org.inferometer.units;

import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text in lower case without white space and control characters, with the place of each character in the original.
final class DecodedText implements CharSequence {
    /// `%41`, `\x41`, the same with `u` and four digits, `&#65;`, `&#x41;` and `\/`.
    private static final Pattern ESCAPE = Pattern.compile(
            "%([0-9a-f]{2})|\\\\u([0-9a-f]{4})|\\\\x([0-9a-f]{2})|&#x0*([0-9a-f]{1,4});|&#0*([0-9]{1,5});|\\\\([\"\\\\/'])|&(amp|lt|gt|quot|apos);");
    private static final int DECIMAL_GROUP = 5;
    private static final int ESCAPED_GROUP = 6;
    private static final int ENTITY_GROUP = 7;

    private final String text;
    private final String exact;
    // [length] the original characters from starts[i] to ends[i] (exclusive) are character i
    private final int[] starts;
    private final int[] ends;

    private DecodedText(String exact, int[] starts, int[] ends) {
        this.exact = exact;
        this.text = lower(exact);
        this.starts = starts;
        this.ends = ends;
    }

    static DecodedText of(String original) {
        Builder builder = new Builder(original.length());
        for (int i = 0; i < original.length(); i++) {
            builder.add(original.charAt(i), i, i + 1);
        }
        return builder.build();
    }

    /// The same with one level of escapes decoded.
    DecodedText decoded() {
        if (text.indexOf('%') < 0 && text.indexOf('\\') < 0 && text.indexOf('&') < 0) {
            return this;
        }
        Builder builder = new Builder(text.length());
        Matcher escapes = ESCAPE.matcher(text);
        int at = 0;
        while (escapes.find()) {
            for (; at < escapes.start(); at++) {
                builder.add(exact.charAt(at), starts[at], ends[at]);
            }
            builder.add(character(escapes), starts[at], ends[escapes.end() - 1]);
            at = escapes.end();
        }
        for (; at < text.length(); at++) {
            builder.add(exact.charAt(at), starts[at], ends[at]);
        }
        return builder.build();
    }

    private static char character(Matcher escape) {
        for (int group = 1; group <= escape.groupCount(); group++) {
            String value = escape.group(group);
            if (value != null) {
                return switch (group) {
                    case DECIMAL_GROUP -> (char) Integer.parseInt(value);
                    case ESCAPED_GROUP -> value.charAt(0);
                    case ENTITY_GROUP -> entity(value);
                    default -> (char) Integer.parseInt(value, 16);
                };
            }
        }
        throw new IllegalStateException("An escape without a value");
    }

    private static char entity(String name) {
        return switch (name) {
            case "lt" -> '<';
            case "gt" -> '>';
            case "quot" -> '"';
            case "apos" -> '\'';
            default -> '&';
        };
    }

    /// The same with the digits of standard Base64 as those of its URL form.
    DecodedText withUrlDigits() {
        return new DecodedText(exact.replace('+', '-').replace('/', '_'), starts, ends);
    }

    /// Character by character, so that places stay.
    private static String lower(String text) {
        char[] characters = text.toCharArray();
        for (int i = 0; i < characters.length; i++) {
            characters[i] = Character.toLowerCase(characters[i]);
        }
        return new String(characters);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return text.subSequence(from, to);
    }

    @Override
    public String toString() {
        return text;
    }

    String substring(int from, int to) {
        return text.substring(from, to);
    }

    /// Marks the original characters of a range.
    void mark(int from, int to, BitSet original) {
        original.set(starts[from], ends[to - 1]);
    }

    /// Collects characters and their places.
    private static final class Builder {
        private final StringBuilder text;
        private final int[] starts;
        private final int[] ends;

        Builder(int most) {
            text = new StringBuilder(most);
            starts = new int[most];
            ends = new int[most];
        }

        void add(char c, int start, int end) {
            if (Character.isWhitespace(c) || Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                return;
            }
            starts[text.length()] = start;
            ends[text.length()] = end;
            text.append(c);
        }

        DecodedText build() {
            int length = text.length();
            return new DecodedText(text.toString(), Arrays.copyOf(starts, length), Arrays.copyOf(ends, length));
        }
    }
}
