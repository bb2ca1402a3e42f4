package org.inferometer.cli;

import java.util.List;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineVerifier.Verification;
import org.inferometer.engine.build.EngineEntry;

/// The engines of the workspace, and what can be done with them.
public interface EngineShelf {
    /// All engines by name; damaged ones are listed with what is wrong.
    List<EngineEntry> entries();

    /// The engine of that name.
    ///
    /// @throws EngineFormatException naming near misses and the valid set when there is none
    EngineEntry find(String name) throws EngineFormatException;

    /// What the engine is made of, from its files or, before it is built, from its recipe.
    ///
    /// @throws EngineFormatException when neither can be read
    EngineInspection inspect(EngineEntry entry) throws EngineFormatException;

    /// Builds the engine from its recipe; interrupting the calling thread stops it and removes what was written.
    ///
    /// @param progress hears the fraction done, from 0 to 1
    EngineDescriptor build(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException;

    /// Reads all weights and compares their hash with the one in `engine.json`.
    ///
    /// @param progress hears the fraction done, from 0 to 1
    Verification verify(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException;
}
