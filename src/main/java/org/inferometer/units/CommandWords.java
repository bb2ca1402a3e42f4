package org.inferometer.units;

import java.util.ArrayList;
import java.util.List;

/// Splits a command line into words as a shell does, without a shell: blanks divide, quotes keep, a backslash takes the next character.
public final class CommandWords {
    private CommandWords() {}

    /// The words; nothing is expanded.
    ///
    /// @throws IllegalArgumentException in one sentence if a quote is not closed or a character is a control character
    public static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException("The command has a control character. Remove it.");
            }
            if (quote != 0 && c == quote) {
                quote = 0;
            } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
                i++;
                word.append(line.charAt(i));
                open = true;
            } else if (quote != 0) {
                word.append(c);
            } else if (c == '\'' || c == '"') {
                quote = c;
                open = true;
            } else if (c != ' ') {
                word.append(c);
                open = true;
            } else if (open) {
                words.add(word.toString());
                word.setLength(0);
                open = false;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("A quote of the command is not closed. Close it with " + quote + ".");
        }
        if (open) {
            words.add(word.toString());
        }
        return List.copyOf(words);
    }
}
