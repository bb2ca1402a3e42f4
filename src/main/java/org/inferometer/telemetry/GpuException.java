package org.inferometer.telemetry;

import java.util.List;

/// GPUs cannot be read; the message says in one sentence what was tried.
public final class GpuException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String sentence;
    private final transient List<GpuAttempt> attempts;

    /// @param sentence for people
    public GpuException(String sentence) {
        this(sentence, List.of());
    }

    /// @param attempts what was tried, one by one
    GpuException(String sentence, List<GpuAttempt> attempts) {
        super(sentence);
        this.sentence = sentence;
        this.attempts = List.copyOf(attempts);
    }

    /// What was tried and why it failed.
    public String sentence() {
        return sentence;
    }

    /// What was tried, one by one; empty where one sentence says it all.
    List<GpuAttempt> attempts() {
        return attempts;
    }
}
