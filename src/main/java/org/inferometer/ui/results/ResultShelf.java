package org.inferometer.ui.results;

import java.util.List;
import java.util.function.Supplier;
import org.inferometer.results.ResultLibrary;

/// A folder of experiments as the window lists it.
///
/// @param entries read in the background, newest first
public record ResultShelf(Kind kind, Supplier<List<ResultLibrary.Entry>> entries) {
    /// Whose results they are.
    public enum Kind {
        /// Measured on this machine.
        OWN,
        /// Recorded elsewhere and shipped with the program.
        SAMPLE
    }
}
