package org.inferometer.suite.slurm;

import java.io.Serial;

/// A command of Slurm failed. The message is a sentence with Slurm's own words.
public final class SlurmException extends Exception {
    /// What the failure means.
    public enum Kind {
        /// Slurm answered and refused. The same request is refused again.
        REFUSED,
        /// Slurm did not answer, or the answer was lost. The request may have been carried out.
        UNANSWERED,
        /// The command is not installed. Nothing was requested.
        MISSING
    }

    @Serial
    private static final long serialVersionUID = 1;

    private final Kind kind;

    public SlurmException(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    /// What the failure means.
    public Kind kind() {
        return kind;
    }
}
