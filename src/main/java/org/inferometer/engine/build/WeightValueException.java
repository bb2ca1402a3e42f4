package org.inferometer.engine.build;

import java.io.IOException;

/// A weight cannot be stored; the message names it and its row.
final class WeightValueException extends IOException {
    private static final long serialVersionUID = 1L;

    WeightValueException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
