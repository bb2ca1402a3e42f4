package org.inferometer.units;

import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Changes the case of text of others, in time in proportion to its length.
///
/// `String.toLowerCase` looks for the end of the word at each `Σ`, and both it and `String.toUpperCase` copy the text at each letter that
/// becomes several. Here each character stands alone: `Σ` becomes `σ` at the end of a word too.
public final class LetterCase {
    /// The letters that become several, which are in these ranges. To make texts of each letter would take long.
    private static final @Nullable String[] UPPER = new @Nullable String[0xfb18];

    static {
        IntStream.concat(IntStream.range(0x80, 0x2000), IntStream.range(0xfb00, UPPER.length)).forEach(letter -> {
            String upper = Character.toString(letter).toUpperCase(Locale.ROOT);
            UPPER[letter] = upper.equals(Character.toString(Character.toUpperCase(letter))) ? null : upper;
        });
    }

    private LetterCase() {}

    /// The text with its first letter in upper case.
    public static String capitalized(String text) {
        return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /// The text in lower case, whatever the locale.
    public static String lower(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        text.codePoints().forEach(letter -> {
            // The only letter that becomes two
            if (letter == 'İ') {
                lower.append("i\u0307");
            } else {
                lower.appendCodePoint(Character.toLowerCase(letter));
            }
        });
        return lower.toString();
    }

    /// The text in upper case, whatever the locale; `ß` becomes `SS`.
    public static String upper(String text) {
        StringBuilder upper = new StringBuilder(text.length());
        for (int at = 0, letter; at < text.length(); at += Character.charCount(letter)) {
            letter = text.codePointAt(at);
            String several = letter < UPPER.length ? UPPER[letter] : null;
            if (several == null) {
                upper.appendCodePoint(Character.toUpperCase(letter));
            } else {
                upper.append(several);
            }
        }
        return upper.toString();
    }
}
