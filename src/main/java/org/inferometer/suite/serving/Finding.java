package org.inferometer.suite.serving;

import org.inferometer.units.OneLine;

/// Something about a test configuration that its writer should know.
///
/// @param line counted from 1
/// @param rule its name, which stays the same: "max_seq_len"
/// @param sentence what is wrong, and what to do
/// @param found the value of the file; empty if it is absent or the rule has none
/// @param wanted the accepted values; empty if the rule has none
public record Finding(int line, Severity severity, String rule, String sentence, String found, String wanted) {
    /// How bad it is.
    public enum Severity {
        /// The framework's code refuses the test.
        ERROR,
        /// The framework's documentation asks for something else; its code accepts it.
        WARNING,
        /// Nothing is refused.
        NOTE
    }

    public Finding {
        found = OneLine.of(found);
    }

    static Finding note(int line, String rule, String sentence, String found, String wanted) {
        return new Finding(line, Severity.NOTE, rule, sentence, found, wanted);
    }

    static Finding error(int line, String rule, String sentence, String found, String wanted) {
        return new Finding(line, Severity.ERROR, rule, sentence, found, wanted);
    }

    static Finding warning(int line, String rule, String sentence, String found, String wanted) {
        return new Finding(line, Severity.WARNING, rule, sentence, found, wanted);
    }
}
