package org.inferometer.options;

import java.util.Arrays;
import java.util.List;
import org.inferometer.units.OneLine;

/// Something outside the program that an experiment uses and that can do harm if a stranger chose it.
///
/// @param what the program, address, variable or file
public record Access(Kind kind, String what) {
    private static final int MOST_CHARACTERS = 10_000;

    /// What is used.
    public enum Kind {
        PROGRAM("program", "runs the program "), ADDRESS("address", "sends requests to "),
        SECRET("secret", "sends the secret in the environment variable "), FILE("file", "reads ");

        private final String id;
        private final String deed;

        Kind(String id, String deed) {
            this.id = id;
            this.deed = deed;
        }

        /// The name in options: "program".
        public String id() {
            return id;
        }

        /// All names.
        public static List<String> ids() {
            return Arrays.stream(values()).map(Kind::id).toList();
        }
    }

    /// "runs the program /opt/tool". A command line is shown whole: its end can be the harm.
    public String deed() {
        return kind.deed + OneLine.of(what, MOST_CHARACTERS);
    }
}
