package org.inferometer.engine.files;

import java.nio.file.Path;
import org.inferometer.wording.AdvisedText;
import org.jspecify.annotations.Nullable;

/// An engine folder cannot be used; the message has the file, the fault and the remedy.
public final class EngineFormatException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient AdvisedText fault;

    /// @param file the damaged or missing file
    /// @param problem what is wrong, as a sentence
    /// @param remedy what the user can do, as a sentence
    public EngineFormatException(Path file, String problem, String remedy) {
        this(file, AdvisedText.plain(problem + " " + remedy), null);
    }

    /// With a cause for the log.
    public EngineFormatException(Path file, String problem, String remedy, Throwable cause) {
        this(file, AdvisedText.plain(problem + " " + remedy), cause);
    }

    /// @param fault what is wrong and what the user can do, as sentences
    /// @param cause for the log
    public EngineFormatException(Path file, AdvisedText fault, @Nullable Throwable cause) {
        super(file + ": " + fault, cause);
        this.fault = new AdvisedText(file + ": " + fault.before(), fault.advice(), fault.after());
    }

    /// The message, which the window says in its own words.
    public AdvisedText fault() {
        return fault;
    }
}
