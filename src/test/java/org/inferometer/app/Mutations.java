package org.inferometer.app;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Damages files as disks, editors and attackers do. Equal generators give equal damage.
final class Mutations {
    private static final List<String> TOKENS = List.of("", "\"", "'", ",", ":", "{", "}", "[", "]", "\n", "\r\n", "\0",
            "-1", "0", "1e999", "-9223372036854775808", "9223372036854775808", "2147483648", "NaN", "Infinity", "null",
            "true", "../../etc/passwd", "/dev/zero", "\u001b[2J", "\u202e", "\ufeff", "&a [*a, *a]", "!!java",
            "[".repeat(2000), "{\"a\":".repeat(1000), "9".repeat(5000), "x".repeat(70_000));

    private Mutations() {}

    /// One to four changes of a file.
    static byte[] of(byte[] whole, RandomGenerator random) {
        byte[] damaged = whole.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            damaged = once(damaged, random);
        }
        return damaged;
    }

    private static byte[] once(byte[] whole, RandomGenerator random) {
        int at = random.nextInt(whole.length + 1);
        int end = Math.min(whole.length, at + 1 + random.nextInt(1 + Math.min(200, whole.length)));
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(whole, at);
            case 1 -> joined(Arrays.copyOf(whole, at), new byte[0], Arrays.copyOfRange(whole, end, whole.length));
            case 2 -> joined(Arrays.copyOf(whole, end), Arrays.copyOfRange(whole, at, end),
                    Arrays.copyOfRange(whole, end, whole.length));
            case 3, 4 -> flipped(whole, random);
            case 5 -> {
                byte[] noise = new byte[1 + random.nextInt(16)];
                random.nextBytes(noise);
                yield joined(Arrays.copyOf(whole, at), noise, Arrays.copyOfRange(whole, at, whole.length));
            }
            case 6 -> joined(Arrays.copyOf(whole, at), token(random), Arrays.copyOfRange(whole, at, whole.length));
            default -> number(whole, random);
        };
    }

    private static byte[] flipped(byte[] whole, RandomGenerator random) {
        byte[] damaged = whole.clone();
        if (damaged.length > 0) {
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return damaged;
    }

    /// Replaces the number or word at a random place.
    private static byte[] number(byte[] whole, RandomGenerator random) {
        int from = random.nextInt(whole.length + 1);
        while (from < whole.length && !isWord(whole[from])) {
            from++;
        }
        int to = from;
        while (to < whole.length && isWord(whole[to])) {
            to++;
        }
        return joined(Arrays.copyOf(whole, from), token(random), Arrays.copyOfRange(whole, to, whole.length));
    }

    private static boolean isWord(byte b) {
        return Character.isLetterOrDigit(b) || b == '.' || b == '-' || b == '_';
    }

    private static byte[] token(RandomGenerator random) {
        return TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] first, byte[] middle, byte[] last) {
        byte[] all = Arrays.copyOf(first, first.length + middle.length + last.length);
        System.arraycopy(middle, 0, all, first.length, middle.length);
        System.arraycopy(last, 0, all, first.length + middle.length, last.length);
        return all;
    }
}
