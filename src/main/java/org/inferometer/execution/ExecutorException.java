package org.inferometer.execution;

/// A backend failed to open or to go on; the message is one sentence for people with what to do.
public final class ExecutorException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param message one sentence: what failed and what to do
    public ExecutorException(String message) {
        super(message);
    }

    /// The same with the cause kept for the log.
    public ExecutorException(String message, Throwable cause) {
        super(message, cause);
    }
}
