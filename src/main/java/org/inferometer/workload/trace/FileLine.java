package org.inferometer.workload.trace;

import java.io.IOException;
import java.nio.file.Path;

/// A line of a file, counted from 1, for messages.
record FileLine(Path file, long number) {
    /// An exception that names file and line.
    ///
    /// @param message what is wrong and what to do
    IOException fault(String message) {
        return new IOException(file + ": line " + number + ": " + message);
    }

    /// The same with a cause.
    IOException fault(String message, Throwable cause) {
        return new IOException(file + ": line " + number + ": " + message, cause);
    }
}
