package org.inferometer.results.exchange;

import java.nio.file.Path;
import org.inferometer.results.ResultFormatException;

/// A file that is in none of the known formats; in a folder it is left out.
public final class UnsupportedFormatException extends ResultFormatException {
    private static final long serialVersionUID = 1L;

    UnsupportedFormatException(Path file) {
        super(file, "the format is not supported. Choose a file of " + String.join(", ", Importer.formats()) + ".");
    }
}
