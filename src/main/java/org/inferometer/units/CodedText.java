package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What a text says if its characters are codes: Base64, Base32, hexadecimal, decimal, octal and binary numbers and escapes, forwards and
/// backwards, with anything between the digits. Only parts that become eight printable characters are given.
final class CodedText {
    private static final int LEAST = 8;
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final Pattern PREFIX = Pattern.compile("(?i)0\\W{0,6}x|\\\\x|\\\\u00|u\\+00|&#x");
    private static final int ESCAPE_LEVELS = 4;

    private final List<String> found = new ArrayList<>();

    private CodedText() {}

    static List<String> of(String text) {
        CodedText coded = new CodedText();
        coded.add(text);
        coded.add(new StringBuilder(text).reverse().toString());
        coded.escapes(text);
        coded.halves(text);
        return coded.found;
    }

    private void add(String text) {
        boolean prefixed =
                text.indexOf('x') >= 0 || text.indexOf('X') >= 0 || text.indexOf('\\') >= 0 || text.indexOf('+') >= 0;
        String bare = prefixed ? PREFIX.matcher(text).replaceAll(" ") : text;
        digits(bare, 4, CodedText::hex);
        hexWords(bare);
        numbers(text);
        decimals(text);
        digits(text, 3, c -> c >= '0' && c <= '7' ? c - '0' : -1);
        digits(text, 1, c -> c == '0' || c == '1' ? c - '0' : -1);
        digits(text, 6, c -> c == '-' ? 62 : c == '_' ? 63 : base64(c));
        if (text.indexOf('-') >= 0 || text.indexOf('_') >= 0) {
            digits(text, 6, CodedText::base64);
        }
        digits(text, 5, CodedText::base32);
    }

    /// The value of a character as a digit; -1 if it is none.
    @FunctionalInterface
    private interface Digit {
        int of(char c);
    }

    private static int hex(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static int base32(char c) {
        int lower = c | 0x20;
        return c >= '2' && c <= '7' ? c - '2' + 26 : c < 0x80 && lower >= 'a' && lower <= 'z' ? lower - 'a' : -1;
    }

    private static int base64(char c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        return c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
    }

    /// Digits of so many bits, one behind the other, from each digit with which a character can begin.
    private void digits(String text, int bits, Digit digit) {
        int[] values = new int[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = digit.of(text.charAt(i));
            if (value >= 0) {
                values[count++] = value;
            }
        }
        if (count * bits < LEAST * 7) {
            return;
        }
        // Octal and binary numbers have as many digits as a character needs; the others run on.
        int group = bits == 3 ? 3 : 0;
        int widths = bits == 1 ? 2 : 1;
        for (int width = 8; width > 8 - widths; width--) {
            int phases = group > 0 ? group : bits == 1 ? width : bits == 4 ? 2 : bits == 6 ? 4 : 8;
            for (int phase = 0; phase < phases; phase++) {
                keep(characters(values, phase, count, bits, group > 0 ? group * bits : width));
            }
        }
    }

    private static Codes characters(int[] values, int from, int to, int bits, int width) {
        Codes codes = new Codes((to - from) * bits / width + 1);
        int held = 0;
        int have = 0;
        for (int i = from; i < to; i++) {
            held = ((held << bits) | values[i]) & 0xffff;
            have += bits;
            if (have >= width) {
                have -= width;
                codes.add((held >> have) & ((1 << width) - 1));
            }
        }
        return codes;
    }

    /// Hexadecimal numbers of two digits that stand alone: "73:6b:2d".
    private void hexWords(String text) {
        Codes codes = new Codes(text.length() / 2 + 1);
        for (int i = 0; i < text.length(); i++) {
            int start = i;
            while (i < text.length() && text.charAt(i) < 0x80 && Character.isLetterOrDigit(text.charAt(i))) {
                i++;
            }
            if (i - start == 2 && hex(text.charAt(start)) >= 0 && hex(text.charAt(start + 1)) >= 0) {
                codes.add(16 * hex(text.charAt(start)) + hex(text.charAt(start + 1)));
            }
        }
        keep(codes);
    }

    /// Numbers of two or three digits that stand alone, read as decimal and as octal, and binary ones: "115 107 45", "0b1110011".
    private void numbers(String text) {
        Codes decimal = new Codes(text.length() / 2 + 1);
        Codes octal = new Codes(text.length() / 2 + 1);
        Codes binary = new Codes(text.length() / 2 + 1);
        for (int i = 0; i < text.length(); i++) {
            int start = i;
            int highest = 0;
            for (; i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9'; i++) {
                highest = Math.max(highest, text.charAt(i) - '0');
                start += start == i && text.charAt(i) == '0' ? 1 : 0;
            }
            int digits = i - start;
            if (digits == 2 || digits == 3) {
                decimal.add(Integer.parseInt(text, start, i, 10));
                if (highest < 8) {
                    octal.add(Integer.parseInt(text, start, i, 8));
                }
            }
            if (digits >= 6 && digits <= 8 && highest == 1) {
                binary.add(Integer.parseInt(text, start, i, 2));
            }
        }
        keep(decimal);
        keep(octal);
        keep(binary);
    }

    /// Decimal codes one behind the other: those that begin with 1 have three digits, others two; or all have three.
    private void decimals(String text) {
        int[] digits = new int[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                digits[count++] = c - '0';
            }
        }
        for (int phase = 0; phase < 3 && count >= 2 * LEAST; phase++) {
            Codes equal = new Codes(count / 3 + 1);
            Codes packed = new Codes(count / 2 + 1);
            for (int i = phase; i + 3 <= count; i += 3) {
                equal.add(digits[i] * 100 + digits[i + 1] * 10 + digits[i + 2]);
            }
            for (int i = phase; i + 3 <= count; i += digits[i] == 1 ? 3 : 2) {
                int two = digits[i] * 10 + digits[i + 1];
                packed.add(digits[i] == 1 ? two * 10 + digits[i + 2] : two);
            }
            keep(equal);
            keep(packed);
        }
    }

    private void escapes(String text) {
        DecodedText level = DecodedText.of(text);
        for (int i = 0; i < ESCAPE_LEVELS; i++) {
            DecodedText next = level.decoded();
            if (next.length() == level.length()) {
                return;
            }
            level = next;
            found.add(level.exact());
        }
    }

    /// Parts in which every character stands twice, with each once.
    private void halves(String text) {
        StringBuilder once = new StringBuilder();
        for (int i = 0; i + 1 < text.length();) {
            int end = i;
            while (end + 1 < text.length() && text.charAt(end) == text.charAt(end + 1)) {
                end += 2;
            }
            if (end - i >= 4 * LEAST) {
                for (int at = i; at < end; at += 2) {
                    once.append(text.charAt(at));
                }
                once.append('\n');
            }
            i = Math.max(end, i + 1);
        }
        if (!once.isEmpty()) {
            found.add(once.toString());
        }
    }

    /// Codes of characters; those above 255 are none.
    private static final class Codes {
        private final char[] all;
        private int count;

        Codes(int most) {
            all = new char[most];
        }

        void add(int code) {
            all[count++] = code < 0x100 ? (char) code : '\u0001';
        }
    }

    /// Keeps runs of printable characters of UTF-8. Zero bytes between them, as of UTF-16, and line breaks do not end a run.
    private void keep(Codes codes) {
        StringBuilder kept = new StringBuilder();
        int start = 0;
        int run = 0;
        for (int i = 0; i <= codes.count; i++) {
            char c = i < codes.count ? codes.all[i] : '\u0001';
            if (c >= ' ' && c < 0x7f) {
                run++;
            } else if (c != 0 && (c < '\t' || c > '\r')) {
                int others = otherBytes(codes, i);
                if (others > 0) {
                    i += others;
                    run++;
                    continue;
                }
                if (run >= LEAST) {
                    printable(codes, start, i, kept);
                }
                run = 0;
                start = i + 1;
            }
        }
        if (!kept.isEmpty()) {
            found.add(kept.toString());
        }
    }

    private static void printable(Codes codes, int from, int to, StringBuilder kept) {
        for (int i = from; i < to; i++) {
            char c = codes.all[i];
            int others = c < 0x80 ? 0 : otherBytes(codes, i);
            if (others > 0) {
                if (c == 0xff) {
                    kept.append((char) (codes.all[++i] + ' '));
                    continue;
                }
                byte[] bytes = new String(codes.all, i, others + 1).getBytes(StandardCharsets.ISO_8859_1);
                kept.append(new String(bytes, StandardCharsets.UTF_8));
                i += others;
            } else if (c != 0) {
                kept.append(c >= ' ' && c < 0x7f ? c : ' ');
            }
        }
        kept.append('\n');
    }

    /// The bytes behind the first one of a character of UTF-8 beyond ASCII; 0 if there is none.
    private static int otherBytes(Codes codes, int at) {
        char c = at < codes.count ? codes.all[at] : 0;
        // A wide character of UTF-16
        if (c == 0xff && at + 1 < codes.count && codes.all[at + 1] > 0 && codes.all[at + 1] < 0x5f) {
            return 1;
        }
        int more = c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 0;
        for (int i = at + 1; i <= at + more; i++) {
            if (i >= codes.count || codes.all[i] < 0x80 || codes.all[i] > 0xbf) {
                return 0;
            }
        }
        return more;
    }

    /// The Base32 digits that depend on the bytes alone, when so many bytes modulo 5 stand before them.
    static String base32(byte[] bytes, int offset) {
        StringBuilder digits = new StringBuilder();
        int held = 0;
        int have = offset * 8 % 5;
        int skipped = have > 0 ? 1 : 0;
        for (byte each : bytes) {
            held = (held << 8) | (each & 0xff);
            have += 8;
            while (have >= 5) {
                have -= 5;
                digits.append(BASE32.charAt((held >> have) & 31));
            }
            held &= 0xff;
        }
        return digits.substring(Math.min(skipped, digits.length()));
    }
}
