package org.inferometer.units;

import java.io.IOException;

/// A file, or a row of it, that does not fit into the heap: file, line if known, size and remedy.
public final class FileTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
    private final String sentence;

    FileTooLargeException(String where, String sentence) {
        super(where + ": " + sentence);
        this.sentence = sentence;
    }

    /// Size and remedy, without the file.
    public String sentence() {
        return sentence;
    }
}
