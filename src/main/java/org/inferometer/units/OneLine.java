package org.inferometer.units;

/// Shortens text of files, programs and servers to one line.
public final class OneLine {
    private static final int MOST_CHARACTERS = 240;

    private OneLine() {}

    /// The text on one line of at most 240 characters; spaces and the characters of [PlainText] become one space.
    public static String of(String text) {
        return of(text, MOST_CHARACTERS);
    }

    /// The text on one line of at most so many characters.
    public static String of(String text, int most) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), most) + 1);
        boolean space = false;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (Character.isWhitespace(c) || PlainText.isUnsafe(c)) {
                space = !line.isEmpty();
                continue;
            }
            if (line.length() + 1 >= most) {
                return line.append('…').toString();
            }
            if (space) {
                line.append(' ');
                space = false;
            }
            line.appendCodePoint(c);
        }
        return line.toString();
    }
}
