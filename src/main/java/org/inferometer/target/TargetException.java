package org.inferometer.target;

/// A target that cannot be used: the reason and the remedy.
public final class TargetException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param sentence shown to the user
    public TargetException(String sentence) {
        super(sentence);
    }

    /// @param sentence shown to the user
    public TargetException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
