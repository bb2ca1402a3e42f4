package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;

/// A result that cannot be read: the file, the line where there is one, what is wrong, and the way out.
public final class ResultFormatException extends IOException {
    private static final long serialVersionUID = 1L;
    private final String fileName;
    private final String sentence;

    /// @param sentence what is wrong and the way out
    public ResultFormatException(Path file, String sentence) {
        super(file + ": " + sentence);
        this.fileName = nameOf(file);
        this.sentence = sentence;
    }

    /// @param line counts from 1
    /// @param sentence what is wrong and the way out
    public ResultFormatException(Path file, long line, String sentence) {
        super(file + ":" + line + ": " + sentence);
        this.fileName = nameOf(file) + ":" + line;
        this.sentence = sentence;
    }

    /// What is wrong, with the file's bare name: no path of this machine, so that it may stand in a record that is shared.
    public String withoutPath() {
        return fileName + ": " + sentence;
    }

    private static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }
}
