package org.inferometer.experiment;

import java.util.List;
import java.util.Locale;

/// The names of the options that schedulers, backends and targets take.
@FunctionalInterface
public interface KnownOptions {
    /// No option is known; a sweep must then name the owner of an option.
    KnownOptions NONE = (owner, name) -> List.of();

    /// What an option belongs to.
    enum Owner {
        /// Schedulers.
        SCHEDULER,
        /// Backends.
        BACKEND,
        /// Targets.
        TARGET;

        /// The word in a sweep: "backend" in `backend.threads=1,2`.
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The options of a scheduler, backend or target with their aliases; empty if it is not known.
    List<String> of(Owner owner, String name);
}
