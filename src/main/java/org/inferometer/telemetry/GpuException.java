package org.inferometer.telemetry;

/// GPUs cannot be read; the message says in one sentence what was tried.
public final class GpuException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param message one sentence for people
    public GpuException(String message) {
        super(message);
    }
}
