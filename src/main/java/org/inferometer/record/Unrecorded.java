package org.inferometer.record;

import java.util.Optional;

/// What stands in a record for a text that another tool's file or a server does not give.
public final class Unrecorded {
    /// In files.
    public static final String TEXT = "not known";

    private Unrecorded() {}

    /// A text of a record; empty where nothing was recorded.
    public static Optional<String> known(String recorded) {
        return Optional.of(recorded).filter(text -> !text.equals(TEXT));
    }
}
