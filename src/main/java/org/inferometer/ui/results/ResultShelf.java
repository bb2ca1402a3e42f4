package org.inferometer.ui.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.inferometer.results.ResultLibrary;

/// A folder of experiments as the window lists it.
///
/// @param entries read in the background, newest first
/// @param folder where they lie; empty where only what is in it is known
public record ResultShelf(Kind kind, Supplier<List<ResultLibrary.Entry>> entries, Optional<Path> folder) {
    /// A shelf that is known by what lies on it.
    public ResultShelf(Kind kind, Supplier<List<ResultLibrary.Entry>> entries) {
        this(kind, entries, Optional.empty());
    }

    /// Whose results they are.
    public enum Kind {
        /// Measured on this machine.
        OWN,
        /// Recorded elsewhere and shipped with the program.
        SAMPLE
    }
}
