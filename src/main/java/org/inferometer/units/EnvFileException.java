package org.inferometer.units;

/// A `.env` file that is refused. The message is one sentence with file, line and remedy; it contains no text of the file.
public final class EnvFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EnvFileException(String message) {
        super(message);
    }
}
