package org.inferometer.units;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Finds a secret that a text shows in another form, by its letters and digits.
///
/// A piece of half of them, at least 10 (or all) and at most 12, is found in any case, backwards, in ROT13, with signs and blanks between,
/// and in codes of these ([CodedText]). With other letters between, the first 32 (or all, at least 12) must stand in order within four times
/// their length; of a secret of letters in one case at least 24. Immutable.
final class DisguisedSecret {
    /// Fewer letters and digits are too easily part of other text.
    static final int LEAST = 8;
    private static final int LEAST_PIECE = 10;
    private static final int MOST_PIECE = 12;
    private static final int LEAST_SPREAD = 12;
    /// Ordinary text has the letters of a shorter word in order.
    private static final int LEAST_SPREAD_OF_WORDS = 24;
    private static final int MOST_SPREAD = 32;
    private static final int WINDOW = 4;
    private static final int LETTERS = 26;
    private static final int SYMBOLS = 36;

    private final int length;
    private final long[] pieces;
    // Empty for a secret with too few symbols
    private final int[] spread;

    /// @param secret for which [#fits] is true
    DisguisedSecret(String secret) {
        int[] own = symbols(secret);
        int[] back = symbols(new StringBuilder(secret).reverse().toString());
        length = Math.min(own.length, Math.clamp((own.length + 1) / 2, LEAST_PIECE, MOST_PIECE));
        pieces = Stream.of(own, back, rot13(own), rot13(back)).flatMapToLong(this::pieces).sorted().distinct()
                .toArray();
        boolean words = secret.chars().noneMatch(Character::isDigit)
                && (secret.equals(LetterCase.lower(secret)) || secret.equals(LetterCase.upper(secret)));
        int most = Math.min(own.length, MOST_SPREAD);
        spread = Arrays.copyOf(own, most < (words ? LEAST_SPREAD_OF_WORDS : LEAST_SPREAD) ? 0 : most);
    }

    static boolean fits(String secret) {
        return symbols(secret).length >= LEAST;
    }

    /// Whether a text shows it. Takes time in proportion to the text.
    boolean isIn(String text) {
        String plain = PlainLetters.of(text);
        int[] symbols = symbols(plain);
        return hasPiece(symbols) || hasSpread(symbols) || CodedText.readings(plain)
                .anyMatch(reading -> hasPiece(symbols(reading)) || hasPiece(symbols(PlainLetters.of(reading))));
    }

    /// Letters as 0 to 25 without their case, digits as 26 to 35; other characters are left out.
    private static int[] symbols(String text) {
        int[] all = new int[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int value = c < 0x80 ? Character.digit(c, SYMBOLS) : -1;
            if (value >= 0) {
                all[count++] = value < 10 ? LETTERS + value : value - 10;
            }
        }
        return Arrays.copyOf(all, count);
    }

    private static int[] rot13(int[] symbols) {
        return Arrays.stream(symbols).map(each -> each < LETTERS ? (each + LETTERS / 2) % LETTERS : each).toArray();
    }

    private LongStream pieces(int[] symbols) {
        return IntStream.rangeClosed(0, symbols.length - length).mapToLong(from -> Arrays
                .stream(symbols, from, from + length).asLongStream().reduce(0, (a, b) -> a * SYMBOLS + b));
    }

    /// 36 symbols to the power of 12 fit in a long.
    private boolean hasPiece(int[] symbols) {
        long highest = LongStream.range(1, length).reduce(1, (power, _) -> power * SYMBOLS);
        long piece = 0;
        for (int i = 0; i < symbols.length; i++) {
            piece = piece % highest * SYMBOLS + symbols[i];
            if (i >= length - 1 && Arrays.binarySearch(pieces, piece) >= 0) {
                return true;
            }
        }
        return false;
    }

    private boolean hasSpread(int[] symbols) {
        // [position in the secret] where the latest text begins that has all symbols up to it in order
        int[] starts = new int[spread.length];
        Arrays.fill(starts, -1);
        int last = spread.length - 1;
        for (int i = 0; last >= 0 && i < symbols.length; i++) {
            for (int at = last; at >= 0; at--) {
                if (spread[at] == symbols[i]) {
                    starts[at] = at == 0 ? i : starts[at - 1];
                }
            }
            if (starts[last] >= 0 && i - starts[last] < WINDOW * spread.length) {
                return true;
            }
        }
        return false;
    }
}
