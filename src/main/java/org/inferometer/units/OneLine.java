package org.inferometer.units;

/// Shortens text of files, programs and servers to one line.
public final class OneLine {
    private static final int MOST_CHARACTERS = 240;

    private OneLine() {}

    /// The text on one line of at most 240 characters, without control and bidirectional formatting characters.
    public static String of(String text) {
        return of(text, MOST_CHARACTERS);
    }

    /// The text on one line of at most so many characters.
    public static String of(String text, int most) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), most) + 1);
        boolean space = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c) || Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
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
            line.append(c);
        }
        return line.toString();
    }
}
