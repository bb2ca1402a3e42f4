package org.inferometer.engine;

import java.util.function.DoubleConsumer;

/// Builds an engine from its recipe: synthetic weights from the seed, quantised, written, hashed.
public final class EngineBuilder {
    /// Bytes the build will write, known before anything is written.
    public long diskBytes(Recipe recipe) {
        throw new IllegalStateException(recipe.model());
    }

    /// Builds into the entry's folder. The engine appears whole or not at all: files are written aside and renamed at the end.
    /// Interrupting the calling thread stops the build and removes what was written.
    ///
    /// @param progress hears the fraction done, from 0 to 1
    /// @throws EngineFormatException when the folder cannot be written, the disk is full, or the build was interrupted
    public EngineDescriptor build(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException {
        throw new IllegalStateException(entry.name());
    }
}
