package org.inferometer.units;

import java.text.Normalizer;

/// Makes wide, styled and accented letters plain, character by character: [Normalizer] sorts all marks that follow a letter, in quadratic
/// time.
final class PlainLetters {
    private PlainLetters() {}

    /// The text with the ASCII letters of other characters in place of these. A character without one becomes a blank, a mark nothing.
    static String of(String text) {
        if (text.chars().allMatch(c -> c < 0x80 || c == PlainText.REPLACEMENT)) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(letter -> {
            if (letter < 0x80) {
                plain.append((char) letter);
            } else if (!isMark(letter)) {
                int before = plain.length();
                Normalizer.normalize(Character.toString(letter), Normalizer.Form.NFKD).chars().filter(c -> c < 0x80)
                        .forEach(c -> plain.append((char) c));
                if (plain.length() == before) {
                    plain.append(' ');
                }
            }
        });
        return plain.toString();
    }

    private static boolean isMark(int letter) {
        return switch (Character.getType(letter)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK -> true;
            default -> false;
        };
    }
}
