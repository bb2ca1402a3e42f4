package org.inferometer.target;

import java.util.List;
import org.inferometer.units.NearMisses;

/// The kinds of targets outside this process.
public record TargetKinds(List<TargetKind> all) {
    /// The kind of that name.
    ///
    /// @throws IllegalArgumentException with near misses and the valid set
    public TargetKind find(String name) {
        return all.stream().filter(kind -> kind.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        NearMisses.sentence("target", name, all.stream().map(TargetKind::name).toList())));
    }
}
