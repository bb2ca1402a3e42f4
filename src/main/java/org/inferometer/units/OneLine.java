package org.inferometer.units;

/// Cuts what a file, a program or a server says to one line for people.
public final class OneLine {
    private static final int MOST_CHARACTERS = 240;

    private OneLine() {}

    /// The text on one line, at most 240 characters of it, without characters that control a terminal or turn the direction of writing.
    public static String of(String text) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), MOST_CHARACTERS) + 1);
        boolean space = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c) || Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                space = !line.isEmpty();
                continue;
            }
            if (line.length() + 1 >= MOST_CHARACTERS) {
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
