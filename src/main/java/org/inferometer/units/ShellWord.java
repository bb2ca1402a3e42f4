package org.inferometer.units;

import java.util.List;
import java.util.stream.Collectors;

/// Words that a POSIX shell reads back unchanged.
public final class ShellWord {
    private ShellWord() {}

    /// A text as one word: as it is where nothing in it is special, else in single quotes.
    ///
    /// @throws IllegalArgumentException if it has a NUL, which no argument can hold
    public static String quoted(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A word of a command holds a NUL character.");
        }
        return text.matches("[A-Za-z0-9_@%+=:,./-]+") && !text.startsWith("=") ? text
                : "'" + text.replace("'", "'\\''") + "'";
    }

    /// Words as a command line.
    public static String line(List<String> words) {
        return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }
}
