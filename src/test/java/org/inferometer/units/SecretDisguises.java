package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/// Forms in which a hostile server sends a key back. Equal seeds give equal forms.
public final class SecretDisguises {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private final SplittableRandom random;
    private final Map<String, Function<String, String>> letters = new TreeMap<>();
    private final Map<String, Function<String, String>> codes = new TreeMap<>();

    public SecretDisguises(long seed) {
        random = new SplittableRandom(seed);
        letters.put("reversed", text -> new StringBuilder(text).reverse().toString());
        letters.put("case swapped",
                text -> mapped(text, c -> String.valueOf((char) (Character.isLetter(c) ? c ^ 0x20 : c))));
        letters.put("lower case", text -> text.toLowerCase(Locale.ROOT));
        letters.put("rot13", text -> rotated(text, 13));
        letters.put("spaced", text -> mapped(text, c -> c + " "));
        letters.put("with separators", text -> {
            String separator =
                    List.of("-", "_", ".", "\", \"", "' + '", "\n", "|", "\u200b", " · ").get(random.nextInt(9));
            return mapped(text, c -> c + separator);
        });
        letters.put("wide", text -> mapped(text, SecretDisguises::wide));
        letters.put("accented", text -> mapped(text, c -> c + "\u0301"));
        letters.put("in groups", text -> text.replaceAll("(.{4})", "$1-"));
        letters.put("in quotes", text -> text.replaceAll("(.{3})", "$1\" + \""));
        codes.put("hex", text -> bytes(text, value -> HexFormat.of().toHexDigits((byte) value), ""));
        codes.put("hex words", text -> bytes(text, value -> HexFormat.of().toHexDigits((byte) value),
                List.of(" ", ":", ",", "-").get(random.nextInt(4))));
        codes.put("0x hex", text -> bytes(text, value -> String.format(Locale.ROOT, "0x%02X", value), ", "));
        codes.put("decimal",
                text -> bytes(text, Integer::toString, List.of(" ", ",", ";", ".").get(random.nextInt(4))));
        codes.put("decimal of equal width",
                text -> bytes(text, value -> String.format(Locale.ROOT, "%03d", value), ""));
        codes.put("decimal with zeros", text -> bytes(text,
                value -> String.format(Locale.ROOT, random.nextBoolean() ? "%04d" : "%05d", value), " "));
        codes.put("decimal of four digits",
                text -> bytes(text, value -> String.format(Locale.ROOT, "%04d", value), ""));
        codes.put("decimal of five digits",
                text -> bytes(text, value -> String.format(Locale.ROOT, "%05d", value), ""));
        codes.put("octal of C", text -> bytes(text, value -> "0" + Integer.toOctalString(value), ", "));
        codes.put("binary in halves",
                text -> bytes(text, value -> String.format(Locale.ROOT, "%8s", Integer.toBinaryString(value))
                        .replace(' ', '0').replaceFirst("(.{4})", "$1 "), " "));
        codes.put("code points", text -> points(text, "U+%04X "));
        codes.put("octal", text -> bytes(text, value -> "\\" + String.format(Locale.ROOT, "%03o", value), ""));
        codes.put("binary",
                text -> bytes(text,
                        value -> String.format(Locale.ROOT, "%8s", Integer.toBinaryString(value)).replace(' ', '0'),
                        random.nextBoolean() ? " " : ""));
        codes.put("percent", text -> bytes(text, value -> String.format(Locale.ROOT, "%%%02X", value), ""));
        codes.put("unicode", text -> points(text, "\\u%04x"));
        codes.put("html", text -> points(text, "&#%d;"));
        codes.put("base64", text -> Base64.getEncoder().encodeToString(before(text)));
        codes.put("url base64", text -> Base64.getUrlEncoder().withoutPadding().encodeToString(before(text)));
        codes.put("base32", text -> base32(before(text)));
    }

    /// A key as providers make them: a prefix or none, 16 to 64 characters of some alphabet.
    public String key() {
        String alphabet =
                List.of(ALPHABET, ALPHABET.substring(26), "0123456789abcdef", ALPHABET + "-_", ALPHABET + "+/=~.")
                        .get(random.nextInt(5));
        String prefix = List.of("", "sk-", "hf_", "nvapi-", "sk-proj-").get(random.nextInt(5));
        int length = 16 + random.nextInt(49);
        StringBuilder key = new StringBuilder(prefix);
        for (int i = 0; i < length; i++) {
            key.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return key.toString();
    }

    /// Every form alone, by its name.
    public Map<String, String> single(String key) {
        Map<String, String> all = new TreeMap<>();
        letters.forEach((name, form) -> all.put(name, form.apply(key)));
        codes.forEach((name, form) -> all.put(name, form.apply(key)));
        all.put("accented",
                mapped(key, c -> c + List.of("\u0301", "\u0308", "\u0336", "\u20dd").get(random.nextInt(4))));
        all.put("wide letters", mapped(key, SecretDisguises::wide));
        if (isFoundInOrder(key)) {
            all.put("doubled", mapped(key, c -> "" + c + c));
            all.put("between letters", mapped(key, c -> c + ALPHABET.substring(0, random.nextInt(3))));
        }
        all.put("half", key.substring(key.length() / 2 - 1));
        return all;
    }

    /// Letters of one case stand in order in ordinary text, if they are few.
    private static boolean isFoundInOrder(String key) {
        String letters = key.replaceAll("[^a-zA-Z0-9]", "");
        return letters.length() >= 24 || !letters.matches("[a-z]*|[A-Z]*");
    }

    /// A code of another form.
    public Map.Entry<String, String> composed(String key) {
        String form = List.copyOf(letters.keySet()).get(random.nextInt(letters.size()));
        String code = List.copyOf(codes.keySet()).get(random.nextInt(codes.size()));
        return Map.entry(form + " in " + code, codes.get(code).apply(letters.get(form).apply(key)));
    }

    private static String wide(char c) {
        return String.valueOf(c > ' ' && c < 0x7f ? (char) (c + 0xfee0) : c);
    }

    private byte[] before(String text) {
        return (List.of("", "Bearer ", "user:", "a").get(random.nextInt(4)) + text).getBytes(StandardCharsets.UTF_8);
    }

    private static String rotated(String text, int by) {
        return mapped(text,
                c -> String.valueOf(c >= 'a' && c <= 'z' ? (char) ('a' + (c - 'a' + by) % 26)
                        : c >= 'A' && c <= 'Z' ? (char) ('A' + (c - 'A' + by) % 26)
                        : c));
    }

    private static String mapped(String text, Function<Character, String> each) {
        return text.chars().mapToObj(c -> each.apply((char) c)).collect(Collectors.joining());
    }

    private static String bytes(String text, IntFunction<String> each, String separator) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        List<String> words = new ArrayList<>();
        for (byte value : all) {
            words.add(each.apply(value & 0xff));
        }
        return String.join(separator, words);
    }

    private static String points(String text, String format) {
        return mapped(text, c -> String.format(Locale.ROOT, format, (int) c));
    }

    private static String base32(byte[] bytes) {
        StringBuilder bits = new StringBuilder(bytes(new String(bytes, StandardCharsets.UTF_8),
                value -> String.format(Locale.ROOT, "%8s", Integer.toBinaryString(value)).replace(' ', '0'), ""));
        while (bits.length() % 5 != 0) {
            bits.append('0');
        }
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < bits.length(); i += 5) {
            digits.append(BASE32.charAt(Integer.parseInt(bits, i, i + 5, 2)));
        }
        return digits.toString();
    }
}
