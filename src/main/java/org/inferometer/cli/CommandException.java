package org.inferometer.cli;

/// A valid command that failed: exit code 3.
public final class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param sentence what failed and what to do
    public CommandException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
