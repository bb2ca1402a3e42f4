package org.inferometer.execution;

/// A backend failed to open or to continue; the message says what to do.
public final class ExecutorException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param message what failed and what to do
    public ExecutorException(String message) {
        super(message);
    }

    /// With a cause for the log.
    public ExecutorException(String message, Throwable cause) {
        super(message, cause);
    }
}
