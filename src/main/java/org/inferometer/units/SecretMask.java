package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Removes a secret from text of a server, in every form in which servers repeat it.
///
/// Spellings are replaced by `***`: any case; with white space inside; percent-encoded, JSON-escaped or as HTML characters, up to three times
/// one in another; Base64 of the secret alone or within other text ("Bearer secret", "user:secret"). A piece of half of the secret, of
/// at least 8 and at most 12 characters, is masked too, because a server may split it. A text that shows a secret of at least 8 letters
/// and digits in another form ([DisguisedSecret]) is left out as a whole. A secret of white space alone is in no text. Immutable.
public final class SecretMask {
    /// Stands for a text that is left out.
    public static final String LEFT_OUT = "(text left out: it may contain the key)";
    private static final String MASK = "***";
    private static final int LEAST_PIECE = 8;
    private static final int MOST_PIECE = 12;
    private static final int LEAST_CUT = 4;
    private static final int LEVELS = 4;
    private static final int BASE64_OFFSETS = 3;

    private final String start;
    private final Pieces plain;
    private final Set<Pieces> encoded = new HashSet<>();
    private final @Nullable DisguisedSecret disguised;

    /// The pieces of one spelling, all of equal length: each of them is masked.
    ///
    /// @param starts hashes of their first characters, which reject nearly every other text at once
    private record Pieces(int length, Set<String> all, BitSet starts) {
        private static final int FIRST = 4;

        static Pieces of(String spelling) {
            int half = Math.clamp((spelling.length() + 1) / 2, LEAST_PIECE, MOST_PIECE);
            int length = Math.min(spelling.length(), half);
            Set<String> all = new HashSet<>();
            BitSet starts = new BitSet();
            for (int i = 0; i + length <= spelling.length(); i++) {
                String piece = spelling.substring(i, i + length);
                all.add(piece);
                starts.set(hash(piece, 0, length));
            }
            return new Pieces(length, all, starts);
        }

        private static int hash(CharSequence text, int at, int length) {
            int hash = 0;
            for (int i = at; i < at + Math.min(FIRST, length); i++) {
                hash = hash * 31 + text.charAt(i);
            }
            return hash & 0xffff;
        }

        boolean anyAt(DecodedText text, int at) {
            return length > 0 && starts.get(hash(text, at, length)) && all.contains(text.substring(at, at + length));
        }
    }

    /// @param secret any text
    public SecretMask(String secret) {
        String visible = DecodedText.of(secret).toString();
        plain = Pieces.of(visible);
        start = visible.substring(0, plain.length());
        for (int offset = 0; offset < BASE64_OFFSETS && !visible.isEmpty(); offset++) {
            String core = base64Core(secret, offset);
            if (core.length() >= LEAST_PIECE) {
                encoded.add(Pieces.of(core));
            }
        }
        disguised = DisguisedSecret.fits(secret) ? new DisguisedSecret(secret) : null;
    }

    /// The Base64 digits that depend on the secret alone, when so many bytes modulo 3 stand before it.
    private static String base64Core(String secret, int offset) {
        byte[] bytes = (" ".repeat(offset) + secret).getBytes(StandardCharsets.UTF_8);
        String digits = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        int first = (offset * 8 + 5) / 6;
        int end = bytes.length * 8 / 6;
        return end <= first ? "" : LetterCase.lower(digits.substring(first, end));
    }

    /// The text without the secret.
    public String removedFrom(String text) {
        String masked = withoutSpellings(text);
        return disguised != null && disguised.isIn(masked) ? LEFT_OUT : masked;
    }

    private String withoutSpellings(String text) {
        BitSet secret = new BitSet();
        DecodedText level = DecodedText.of(text);
        markCutStart(level, secret);
        for (int i = 0; i < LEVELS; i++) {
            mark(level, plain, false, secret);
            DecodedText digits = level.withUrlDigits();
            encoded.forEach(pieces -> mark(digits, pieces, true, secret));
            DecodedText next = level.decoded();
            if (next.length() == level.length()) {
                break;
            }
            level = next;
        }
        return secret.isEmpty() ? text : replaced(text, secret);
    }

    /// Marks the first characters of the secret before the ellipsis of a text that was cut.
    private void markCutStart(DecodedText text, BitSet secret) {
        for (int cut = 0; cut < text.length(); cut++) {
            if (text.charAt(cut) == '…') {
                int length = Math.min(cut, start.length());
                while (length >= LEAST_CUT && !text.substring(cut - length, cut).equals(start.substring(0, length))) {
                    length--;
                }
                if (length >= LEAST_CUT) {
                    text.mark(cut - length, cut, secret);
                }
            }
        }
    }

    /// @param whole whether to mark all Base64 digits around a piece too
    private static void mark(DecodedText text, Pieces pieces, boolean whole, BitSet secret) {
        for (int i = 0; i + pieces.length() <= text.length(); i++) {
            if (pieces.anyAt(text, i)) {
                int from = i;
                int to = i + pieces.length();
                while (whole && from > 0 && isDigit(text.charAt(from - 1))) {
                    from--;
                }
                while (whole && to < text.length() && (isDigit(text.charAt(to)) || text.charAt(to) == '=')) {
                    to++;
                }
                text.mark(from, to, secret);
                i = whole ? to - 1 : i;
            }
        }
    }

    private static boolean isDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    private static String replaced(String text, BitSet secret) {
        StringBuilder masked = new StringBuilder();
        for (int at = 0; at < text.length();) {
            if (secret.get(at)) {
                masked.append(MASK);
                at = secret.nextClearBit(at);
            } else {
                int next = secret.nextSetBit(at);
                int end = next < 0 ? text.length() : next;
                masked.append(text, at, end);
                at = end;
            }
        }
        return masked.toString();
    }
}
