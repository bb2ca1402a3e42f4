package org.inferometer.telemetry;

import java.util.List;

/// GPUs cannot be read; the message lists the attempts.
public final class GpuException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<GpuAttempt> attempts;

    /// @param sentence shown to the user
    public GpuException(String sentence) {
        this(sentence, List.of());
    }

    /// @param attempts the steps that were tried
    GpuException(String sentence, List<GpuAttempt> attempts) {
        super(sentence);
        this.attempts = List.copyOf(attempts);
    }

    /// The steps that were tried; may be empty.
    List<GpuAttempt> attempts() {
        return attempts;
    }
}
