package org.inferometer.run;

/// A run that cannot go on, in one sentence for people.
public final class RunFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailure(String sentence) {
        super(sentence);
    }

    RunFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
