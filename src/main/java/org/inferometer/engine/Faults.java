package org.inferometer.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with one file, so that all of it is told at once.
final class Faults {
    private static final int SHOWN = 20;

    private final Path file;
    private final String remedy;
    private final List<String> sentences = new ArrayList<>();

    /// @param remedy the way out that the message ends with
    Faults(Path file, String remedy) {
        this.file = file;
        this.remedy = remedy;
    }

    /// @param sentence without the line, ending with a full stop
    void add(int line, String sentence) {
        sentences.add("line " + line + ": " + sentence);
    }

    boolean any() {
        return !sentences.isEmpty();
    }

    void throwIfAny() throws EngineFormatException {
        if (any()) {
            throw exception();
        }
    }

    EngineFormatException exception() {
        String more = sentences.size() > SHOWN ? " And " + (sentences.size() - SHOWN) + " more." : "";
        return new EngineFormatException(file, String.join(" ", sentences.stream().limit(SHOWN).toList()) + more,
                remedy);
    }
}
