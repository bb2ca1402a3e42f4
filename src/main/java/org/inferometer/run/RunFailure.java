package org.inferometer.run;

/// A failed run, as one sentence for the user.
public final class RunFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailure(String sentence) {
        super(sentence);
    }

    RunFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
