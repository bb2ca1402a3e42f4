package org.inferometer.run.server;

import org.jspecify.annotations.Nullable;

/// A server that could not be started: the reason and the remedy.
public final class ServerFailure extends Exception {
    private static final long serialVersionUID = 1L;

    ServerFailure(String sentence) {
        super(sentence);
    }

    ServerFailure(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
