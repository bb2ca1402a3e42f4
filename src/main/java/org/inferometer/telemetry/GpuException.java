package org.inferometer.telemetry;

/// GPUs cannot be read; the message says in one sentence what was tried.
public final class GpuException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    /// @param sentence for people
    public GpuException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    /// What was tried and why it failed.
    public String sentence() {
        return sentence;
    }
}
