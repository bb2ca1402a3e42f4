package org.inferometer.engine;

import java.nio.file.Path;
import java.util.List;

/// The engines of a workspace: one folder each, with a recipe, a built engine, or both.
public final class EngineCatalog {
    private final Path folder;

    /// @param folder the engines folder; may not exist yet
    public EngineCatalog(Path folder) {
        this.folder = folder;
    }

    /// All engines by name; damaged ones are listed with what is wrong. Reads no weights.
    public List<EngineEntry> entries() {
        throw new IllegalStateException(folder.toString());
    }

    /// The engine of that name.
    ///
    /// @throws EngineFormatException naming near misses and the valid set when there is none
    public EngineEntry find(String name) throws EngineFormatException {
        throw new IllegalStateException(name);
    }
}
