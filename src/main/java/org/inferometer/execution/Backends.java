package org.inferometer.execution;

import java.util.List;
import org.inferometer.units.NearMisses;

/// The backends of this build.
public record Backends(List<Backend> all) {
    /// The backend of that name.
    ///
    /// @throws IllegalArgumentException with near misses and the valid names
    public Backend find(String name) {
        return all.stream().filter(backend -> backend.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        NearMisses.sentence("backend", name, all.stream().map(Backend::name).toList())));
    }
}
