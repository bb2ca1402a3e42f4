package org.inferometer.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
        SECRET("secret", "sends the secret in the environment variable "), FILE("file", "reads "),
        /// Options of its job on a cluster.
        JOB("job", "adds options to its job: ");

        private final String id;
        private final String verb;

        Kind(String id, String verb) {
            this.id = id;
            this.verb = verb;
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

    /// Whether this is a file of a folder, and so needs no approval of its own. A link in the folder may lead out of it. A missing file is
    /// reported when the experiment is planned.
    public boolean isFileIn(Path folder) {
        if (kind != Kind.FILE) {
            return false;
        }
        try {
            Path file = Path.of(what);
            return !Files.exists(file) || file.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    /// "runs the program /opt/tool". A command line is shown whole: its end can be the harm.
    public String phrase() {
        return kind.verb + OneLine.of(what, MOST_CHARACTERS);
    }
}
