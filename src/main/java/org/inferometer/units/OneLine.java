package org.inferometer.units;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/// Shortens text of files, programs and servers to one line.
public final class OneLine {
    private static final int MOST_CHARACTERS = 240;
    private static final Pattern JAVA_NAME = Pattern.compile(", from `[^`]{0,200}+`");

    private OneLine() {}

    /// The text on one line of at most 240 characters; spaces and the characters of [PlainText] become one space.
    public static String of(String text) {
        return of(text, MOST_CHARACTERS);
    }

    /// A fault of JSON on one line, without names of Java.
    public static String of(JacksonException fault) {
        return of(JAVA_NAME.matcher(fault.getOriginalMessage()).replaceAll(""));
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
