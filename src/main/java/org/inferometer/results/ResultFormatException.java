package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;

/// A result that cannot be read: file, line if known, fault and remedy.
public class ResultFormatException extends IOException {
    private static final long serialVersionUID = 1L;
    private final String fileName;
    private final String sentence;

    /// @param sentence the fault and the remedy
    public ResultFormatException(Path file, String sentence) {
        super(file + ": " + sentence);
        this.fileName = nameOf(file);
        this.sentence = sentence;
    }

    /// @param line counts from 1
    /// @param sentence the fault and the remedy
    public ResultFormatException(Path file, long line, String sentence) {
        super(file + ":" + line + ": " + sentence);
        this.fileName = nameOf(file) + ":" + line;
        this.sentence = sentence;
    }

    /// The fault with the name of the file, without its path: safe in a shared record.
    public String withoutPath() {
        return fileName + ": " + sentence;
    }

    private static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }
}
