package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;

/// A result that cannot be read: the file, the line where there is one, what is wrong, and the way out.
public final class ResultFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param sentence what is wrong and the way out
    public ResultFormatException(Path file, String sentence) {
        super(file + ": " + sentence);
    }
}
