package org.inferometer.benchmark;

/// The first of the sentences that several threads may say about what broke; what follows from it is not the cause.
final class FirstFailure {
    private volatile String sentence = "";

    synchronized void say(String cause) {
        if (sentence.isEmpty()) {
            sentence = cause;
        }
    }

    /// Empty while nothing broke.
    String sentence() {
        return sentence;
    }
}
