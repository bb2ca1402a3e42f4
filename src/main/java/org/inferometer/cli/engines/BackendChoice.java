package org.inferometer.cli.engines;

import org.inferometer.cli.UsageException;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Backends;
import org.inferometer.options.Selection;

/// The backend that an option names.
record BackendChoice(Backends backends) {
    /// @throws UsageException if there is none, its options are wrong, or it cannot be used here
    Backend of(Selection selection) throws UsageException {
        try {
            Backend found = backends.find(selection.name());
            UsageException.throwIfAny(found.faults(selection));
            UsageException.throwIfAny(found.absence().stream().toList());
            return found;
        } catch (IllegalArgumentException e) {
            throw new UsageException("--backend: " + e.getMessage());
        }
    }
}
