package org.inferometer.target;

/// A target that cannot be driven: one sentence that says why and what to do.
public final class TargetException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param sentence for people
    public TargetException(String sentence) {
        super(sentence);
    }

    /// @param sentence for people
    public TargetException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
