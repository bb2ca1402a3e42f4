package org.inferometer.engine.files;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.wording.AdvisedText;
import org.jspecify.annotations.Nullable;

/// An engine folder cannot be used; the message has the file, the fault and the remedy.
public final class EngineFormatException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MOST_FAULTS = 3;
    private final transient AdvisedText fault;

    /// @param file the damaged or missing file
    /// @param problem what is wrong, as a sentence
    /// @param remedy what the user can do, as a sentence
    public EngineFormatException(Path file, String problem, String remedy) {
        this(file, AdvisedText.plain(problem + " " + remedy), null);
    }

    /// The first of some faults, and how many there are more.
    public static EngineFormatException ofFirst(Path file, List<String> faults, String remedy) {
        String more = faults.size() > MOST_FAULTS ? " And " + (faults.size() - MOST_FAULTS) + " more." : "";
        return new EngineFormatException(file,
                String.join(" ", faults.subList(0, Math.min(MOST_FAULTS, faults.size()))) + more, remedy);
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
