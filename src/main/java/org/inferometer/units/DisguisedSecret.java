package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Finds a secret that a text shows in another form, by its letters and digits.
///
/// Forms: backwards; every letter shifted by one amount, also every printable character (ROT13, ROT47), or mirrored in the alphabet; upper and
/// lower case swapped; with characters between, at equal distances up to 4, at the starts or ends of words, or anywhere within four times its
/// length; as codes ([CodedText]); and these one in another. A piece of 12 letters and digits is found, of a short secret a piece of half,
/// at least 10 or all. With characters at unequal distances, 12 to 32 are needed, of a secret of letters in one case 24. Immutable.
final class DisguisedSecret {
    /// Fewer letters and digits are too easily part of other text.
    static final int LEAST = 8;
    private static final int LEAST_PIECE = 10;
    private static final int MOST_PIECE = 12;
    private static final int LEAST_SPREAD = 12;
    /// Ordinary text has the letters of a shorter word in order.
    private static final int LEAST_SPREAD_OF_WORDS = 24;
    private static final int MOST_SEARCHED = 1 << 20;
    private static final int MOST_SPREAD = 32;
    private static final int SPREAD_STEP = 16;
    private static final int MOST_SPREADS = 8;
    private static final int WINDOW = 4;
    private static final int STRIDES = 4;
    private static final int DEPTH = 3;
    private static final int LETTERS = 26;
    private static final int SYMBOLS = 36;
    private static final int FIRST_PRINTABLE = '!';
    private static final int PRINTABLE = 94;

    private final PieceSet pieces;
    private final PieceSet printable;
    private final SpreadPattern spread;

    /// @param secret printable ASCII without blanks, of at least 8 letters and digits
    DisguisedSecret(String secret) {
        String back = reversed(secret);
        int own = symbols(secret).length;
        List<int[]> forms = new ArrayList<>();
        for (String form : List.of(secret, back)) {
            // A secret that is turned round within itself begins anywhere.
            int[] turned = symbols(form + form);
            forms.add(turned);
            forms.add(mirrored(turned, false));
            forms.add(mirrored(turned, true));
        }
        int length = Math.min(own, Math.clamp((own + 1) / 2, LEAST_PIECE, MOST_PIECE));
        List<int[]> encoded = new ArrayList<>();
        for (String form : List.of(secret, back)) {
            for (String digits : encodings(form)) {
                encoded.add(symbols(digits));
                encoded.add(symbols(reversed(digits)));
            }
        }
        pieces = PieceSet.ofSymbols(length, Stream.concat(forms.stream(), encoded.stream()));
        printable = PieceSet.ofPrintable(Math.min(secret.length(), length),
                Stream.of(secret + secret, back + back).map(form -> shifts(form.toCharArray())));
        boolean words = secret.chars().noneMatch(Character::isDigit)
                && (secret.equals(secret.toLowerCase(Locale.ROOT)) || secret.equals(secret.toUpperCase(Locale.ROOT)));
        spread = new SpreadPattern(symbols(secret), words ? LEAST_SPREAD_OF_WORDS : LEAST_SPREAD);
    }

    static boolean fits(String secret) {
        return symbols(secret).length >= LEAST;
    }

    /// Whether a text shows it, or has so many readings that a search would take too long.
    boolean isIn(String text) {
        return new Search().finds(text, DEPTH, false);
    }

    /// One search. Its readings have at most [#MOST_SEARCHED] characters together.
    private final class Search {
        private int searched;

        boolean finds(String coded, int depth, boolean turned) {
            String text = withoutMarks(coded);
            searched += text.length();
            if (searched > MOST_SEARCHED || shows(text)) {
                return true;
            }
            if (depth > 0) {
                for (String reading : CodedText.of(text)) {
                    if (finds(reading, depth - 1, false)) {
                        return true;
                    }
                }
            }
            return depth > 0 && !turned && finds(turned(text), depth - 1, true);
        }
    }

    /// Wide, raised and accented characters as plain ones.
    private static String withoutMarks(String text) {
        if (text.chars().allMatch(c -> c < 0x80)) {
            return text;
        }
        String parts = Normalizer.normalize(text, Normalizer.Form.NFKD);
        StringBuilder plain = new StringBuilder(parts.length());
        for (int i = 0; i < parts.length(); i++) {
            int type = Character.getType(parts.charAt(i));
            if (type != Character.NON_SPACING_MARK && type != Character.ENCLOSING_MARK && type != Character.FORMAT) {
                plain.append(parts.charAt(i));
            }
        }
        return plain.toString();
    }

    /// ROT47, which is its own inverse.
    private static String turned(String text) {
        char[] all = text.toCharArray();
        for (int i = 0; i < all.length; i++) {
            if (all[i] >= FIRST_PRINTABLE && all[i] < FIRST_PRINTABLE + PRINTABLE) {
                all[i] = (char) (FIRST_PRINTABLE + (all[i] - FIRST_PRINTABLE + PRINTABLE / 2) % PRINTABLE);
            }
        }
        return new String(all);
    }

    private boolean shows(String text) {
        char[] seen = visible(text);
        int[] all = symbols(seen);
        if (pieces.anyIn(all) || spread.isIn(all) || printable.anyIn(shifts(seen))) {
            return true;
        }
        for (int stride = 2; stride <= STRIDES; stride++) {
            for (int phase = 0; phase < stride; phase++) {
                if (pieces.anyIn(strided(all, phase, stride)) || isPlainIn(strided(seen, phase, stride))) {
                    return true;
                }
            }
        }
        return isPlainIn(edges(text, true, false)) || isPlainIn(edges(text, false, false))
                || isPlainIn(edges(text, true, true)) || isPlainIn(edges(text, false, true));
    }

    private boolean isPlainIn(char[] characters) {
        return pieces.anyIn(symbols(characters)) || printable.anyIn(shifts(characters));
    }

    private static char[] visible(String text) {
        char[] seen = new char[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > ' ') {
                seen[count++] = text.charAt(i);
            }
        }
        return Arrays.copyOf(seen, count);
    }

    private static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    /// The digits of Base64, Base32 and hexadecimal that depend on the secret alone.
    private static List<String> encodings(String secret) {
        List<String> all = new ArrayList<>();
        byte[] bytes = secret.getBytes(StandardCharsets.US_ASCII);
        for (String before : List.of("", "00", "0x")) {
            all.add(HexFormat.of().withPrefix(before).formatHex(bytes));
        }
        for (int offset = 0; offset < 3; offset++) {
            byte[] padded = new byte[offset + bytes.length];
            System.arraycopy(bytes, 0, padded, offset, bytes.length);
            String digits = Base64.getEncoder().withoutPadding().encodeToString(padded);
            int first = (offset * 8 + 5) / 6;
            all.add(digits.substring(first, Math.max(first, padded.length * 8 / 6)));
        }
        for (int offset = 0; offset < 5; offset++) {
            all.add(CodedText.base32(bytes, offset));
        }
        return all;
    }

    /// Letters as 0 to 25 without their case, digits as 26 to 35; other characters are left out.
    private static int[] symbols(String text) {
        return symbols(text.toCharArray());
    }

    private static int[] symbols(char[] text) {
        int[] all = new int[text.length];
        int count = 0;
        for (char c : text) {
            int symbol = symbol(c);
            if (symbol >= 0) {
                all[count++] = symbol;
            }
        }
        return Arrays.copyOf(all, count);
    }

    private static int symbol(char c) {
        if (c >= '0' && c <= '9') {
            return LETTERS + c - '0';
        }
        int lower = c | 0x20;
        return c < 0x80 && lower >= 'a' && lower <= 'z' ? lower - 'a' : -1;
    }

    private static int[] mirrored(int[] symbols, boolean digitsToo) {
        return Arrays.stream(symbols)
                .map(each -> each < LETTERS ? LETTERS - 1 - each : digitsToo ? SYMBOLS - 1 - (each - LETTERS) : each)
                .toArray();
    }

    private static int[] strided(int[] symbols, int phase, int stride) {
        int[] some = new int[symbols.length / stride + 1];
        int count = 0;
        for (int i = phase; i < symbols.length; i += stride) {
            some[count++] = symbols[i];
        }
        return Arrays.copyOf(some, count);
    }

    private static char[] strided(char[] seen, int phase, int stride) {
        char[] some = new char[(Math.max(0, seen.length - phase) + stride - 1) / stride];
        for (int i = 0; i < some.length; i++) {
            some[i] = seen[phase + i * stride];
        }
        return some;
    }

    private static int[] shifts(char[] seen) {
        int[] all = new int[seen.length];
        int count = 0;
        for (char c : seen) {
            if (c >= FIRST_PRINTABLE && c < FIRST_PRINTABLE + PRINTABLE) {
                all[count++] = c - FIRST_PRINTABLE;
            }
        }
        return Arrays.copyOf(all, count);
    }

    /// The first or last characters of the words, which blanks divide, or all other signs.
    private static char[] edges(String text, boolean first, boolean signsDivide) {
        char[] some = new char[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            int beside = first ? i - 1 : i + 1;
            if (!divides(text.charAt(i), signsDivide)
                    && (beside < 0 || beside >= text.length() || divides(text.charAt(beside), signsDivide))) {
                some[count++] = text.charAt(i);
            }
        }
        return Arrays.copyOf(some, count);
    }

    private static boolean divides(char c, boolean signsDivide) {
        return signsDivide ? symbol(c) < 0 : c <= ' ';
    }

    /// Pieces of one length without the amount by which their letters and digits, or their printable characters, are shifted.
    private static final class PieceSet {
        private static final int FIRST = 4;
        private static final int FILTER_BITS = 16;
        private final int length;
        private final boolean ofPrintable;
        private final long[] sorted;
        // [a hash of the first four symbols of a piece] rejects nearly every other text at once
        private final BitSet filter = new BitSet(1 << FILTER_BITS);

        private PieceSet(int length, boolean ofPrintable, Stream<int[]> forms) {
            this.length = length;
            this.ofPrintable = ofPrintable;
            sorted = forms.flatMapToLong(symbols -> IntStream.rangeClosed(0, symbols.length - length).mapToLong(at -> {
                filter.set(hash(piece(symbols, at, FIRST)));
                return piece(symbols, at, length);
            })).sorted().distinct().toArray();
        }

        static PieceSet ofSymbols(int length, Stream<int[]> forms) {
            return new PieceSet(length, false, forms);
        }

        static PieceSet ofPrintable(int length, Stream<int[]> forms) {
            return new PieceSet(length, true, forms);
        }

        boolean anyIn(int[] symbols) {
            for (int i = 0; i + length <= symbols.length; i++) {
                if (filter.get(hash(piece(symbols, i, FIRST)))
                        && Arrays.binarySearch(sorted, piece(symbols, i, length)) >= 0) {
                    return true;
                }
            }
            return false;
        }

        private static int hash(long piece) {
            return (int) ((piece * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - FILTER_BITS));
        }

        private long piece(int[] symbols, int from, int count) {
            return ofPrintable ? printablePiece(symbols, from, count) : letterPiece(symbols, from, count);
        }

        /// 36 symbols to the power of 12 fit in a long.
        private static long letterPiece(int[] symbols, int from, int count) {
            int letter = -1;
            int digit = -1;
            long piece = 0;
            for (int i = from; i < from + count; i++) {
                int symbol = symbols[i];
                if (symbol < LETTERS) {
                    letter = letter < 0 ? symbol : letter;
                    symbol = symbol - letter + (symbol < letter ? LETTERS : 0);
                } else {
                    digit = digit < 0 ? symbol : digit;
                    symbol = LETTERS + symbol - digit + (symbol < digit ? SYMBOLS - LETTERS : 0);
                }
                piece = piece * SYMBOLS + symbol;
            }
            return piece;
        }

        private static long printablePiece(int[] shifts, int from, int count) {
            int first = shifts[from];
            long piece = 0;
            for (int i = from + 1; i < from + count; i++) {
                int shift = shifts[i] - first;
                piece = piece * 0x9e3779b97f4a7c15L + (shift < 0 ? shift + PRINTABLE : shift) + 1;
            }
            return piece;
        }
    }

    /// The letters and digits in order, forwards or backwards, every letter shifted by one amount, with others between.
    private static final class SpreadPattern {
        // [symbol] places (pattern * MOST_SPREAD + position), positions of a pattern from its end
        private final int[][] places = new int[SYMBOLS][];
        private final int length;
        private final int patterns;

        SpreadPattern(int[] secret, int least) {
            length = Math.min(secret.length, MOST_SPREAD);
            List<int[]> all = new ArrayList<>();
            for (int from = 0; length >= least && from + length <= secret.length
                    && all.size() < MOST_SPREADS * 2 * LETTERS; from += SPREAD_STEP) {
                int[] piece = Arrays.copyOfRange(secret, from, from + length);
                int[] back = new int[length];
                for (int i = 0; i < length; i++) {
                    back[i] = piece[length - 1 - i];
                }
                for (int shift = 0; shift < LETTERS; shift++) {
                    all.add(shifted(piece, shift));
                    all.add(shifted(back, shift));
                }
            }
            patterns = all.size();
            for (int symbol = 0; symbol < SYMBOLS; symbol++) {
                List<Integer> here = new ArrayList<>();
                for (int pattern = 0; pattern < patterns; pattern++) {
                    for (int at = length - 1; at >= 0; at--) {
                        if (all.get(pattern)[at] == symbol) {
                            here.add(pattern * MOST_SPREAD + at);
                        }
                    }
                }
                places[symbol] = here.stream().mapToInt(Integer::intValue).toArray();
            }
        }

        private static int[] shifted(int[] symbols, int shift) {
            return Arrays.stream(symbols).map(each -> each < LETTERS ? (each + shift) % LETTERS : each).toArray();
        }

        boolean isIn(int[] symbols) {
            if (patterns == 0 || symbols.length < length) {
                return false;
            }
            // [place] the latest start of the pattern up to that position
            int[] starts = new int[patterns * MOST_SPREAD];
            Arrays.fill(starts, -1);
            for (int i = 0; i < symbols.length; i++) {
                for (int place : places[symbols[i]]) {
                    int at = place % MOST_SPREAD;
                    starts[place] = at == 0 ? i : starts[place - 1];
                    if (at == length - 1 && starts[place] >= 0 && i - starts[place] < WINDOW * length) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
