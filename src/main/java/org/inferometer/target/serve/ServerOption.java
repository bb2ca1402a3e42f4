package org.inferometer.target.serve;

import java.util.List;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionKind;

/// An option of a server's own command line. Without a value the server's default applies.
///
/// @param name as in "max_num_seqs"
/// @param help one sentence
/// @param form how its value is written
record ServerOption(String name, String help, Form form) {
    /// How a value becomes words of the command line.
    sealed interface Form {
        /// `--flag value`.
        record Value(String flag) implements Form {}

        /// One of two flags; an empty one is left out.
        record Switch(String on, String off) implements Form {}
    }

    static ServerOption value(String name, String flag, String help) {
        return new ServerOption(name, help, new Form.Value(flag));
    }

    static ServerOption flag(String name, String on, String off, String help) {
        return new ServerOption(name, help, new Form.Switch(on, off));
    }

    /// For help and forms.
    OptionDescription description() {
        OptionKind kind = switch (form) {
            case Form.Value _ -> new OptionKind.Text();
            case Form.Switch _ -> new OptionKind.Choice(List.of("", "true", "false"));
        };
        return new OptionDescription(name, List.of(), kind, "", "", help);
    }

    /// The words of a value; none for the server's default.
    ///
    /// @throws IllegalArgumentException if a switch gets another word than true or false
    List<String> words(String value) {
        if (value.isEmpty()) {
            return List.of();
        }
        return switch (form) {
            case Form.Value(String flag) -> List.of(flag, value);
            case Form.Switch(String on, String off) -> {
                if (!value.equals("true") && !value.equals("false")) {
                    throw new IllegalArgumentException(name + "=" + value + ": expected true or false.");
                }
                String word = value.equals("true") ? on : off;
                yield word.isEmpty() ? List.of() : List.of(word);
            }
        };
    }
}
