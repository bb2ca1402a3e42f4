package org.inferometer.options;

import java.util.Arrays;
import java.util.List;
import org.inferometer.units.OneLine;

/// Something outside the program that an experiment uses and that can do harm if a stranger chose it.
///
/// @param what the program, address, variable or file
public record Access(Kind kind, String what) {
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

    /// "runs the program /opt/tool".
    public String deed() {
        return kind.deed + OneLine.of(what);
    }
}
