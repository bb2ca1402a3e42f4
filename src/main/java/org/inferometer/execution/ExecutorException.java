package org.inferometer.execution;

/// A backend that cannot be opened or cannot go on, in one sentence for people with the way out.
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
