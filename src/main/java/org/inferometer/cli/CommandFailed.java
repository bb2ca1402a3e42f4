package org.inferometer.cli;

/// Something broke that was asked for rightly: exit code 3.
public final class CommandFailed extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param sentence what broke and the way out
    public CommandFailed(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
