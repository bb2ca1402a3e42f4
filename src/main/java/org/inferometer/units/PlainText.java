package org.inferometer.units;

/// Replaces the characters of text of files, programs and servers that steer a terminal, hide text or begin a line.
///
/// These are control, format (bidirectional, zero width, soft hyphen, tag), line and paragraph separator characters, and unpaired
/// surrogates. Line breaks and tabs become a space, the others U+FFFD.
public final class PlainText {
    /// Stands for a character that steers or hides text.
    public static final int REPLACEMENT = 0xfffd;

    private PlainText() {}

    /// Whether a character is replaced.
    public static boolean isUnsafe(int codePoint) {
        if (codePoint < 0x7f) {
            return codePoint < ' ';
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                true;
            default -> false;
        };
    }

    /// The text with unsafe characters replaced, one for one; the same object if there is none.
    public static String of(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (isUnsafe(text.codePointAt(i))) {
                return text.codePoints().map(PlainText::replaced)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
            }
        }
        return text;
    }

    private static int replaced(int codePoint) {
        if (!isUnsafe(codePoint)) {
            return codePoint;
        }
        boolean breaks = (codePoint >= '\t' && codePoint <= '\r') || codePoint == 0x85 || codePoint == 0x2028
                || codePoint == 0x2029;
        return breaks ? ' ' : REPLACEMENT;
    }
}
