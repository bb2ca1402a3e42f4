package org.inferometer.load;

/// The first of the sentences that several threads may say about what broke; what follows from it is not the cause.
public final class FirstFailure {
    private volatile String sentence = "";

    public synchronized void say(String cause) {
        if (sentence.isEmpty()) {
            sentence = cause;
        }
    }

    /// Empty while nothing broke.
    public String sentence() {
        return sentence;
    }
}
