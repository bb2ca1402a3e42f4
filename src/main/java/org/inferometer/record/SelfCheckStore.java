package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Stores the last self-check, against which runs are judged; `results` implements it.
public interface SelfCheckStore {
    /// A stored self-check.
    record Kept(@JsonProperty("formatVersion") int formatVersion, @JsonProperty("measuredWall") Instant measuredWall,
            @JsonProperty("machine") MachineDescription machine,
            @JsonProperty("results") List<SelfCheckResult> results) {}

    /// Replaces the stored self-check.
    void save(Instant measuredWall, MachineDescription machine, List<SelfCheckResult> results) throws IOException;

    /// The stored self-check; empty if it is missing or unreadable.
    Optional<Kept> last();

    /// The ceiling measured on this machine by this version; empty if the last self-check is from another one.
    default Optional<HarnessCeiling> ceiling(MachineDescription here) {
        return last().filter(kept -> sameMachine(kept.machine(), here)).map(kept -> HarnessCeiling.of(kept.results()));
    }

    /// The stored results of this machine and version that a part of the self-check keeps.
    default List<SelfCheckResult> results(MachineDescription here, Predicate<SelfCheckResult> which) {
        return last().filter(kept -> sameMachine(kept.machine(), here)).stream()
                .flatMap(kept -> kept.results().stream()).filter(which).toList();
    }

    private static boolean sameMachine(MachineDescription one, MachineDescription other) {
        return one.processor().equals(other.processor()) && one.logicalCores() == other.logicalCores()
                && one.javaRuntime().equals(other.javaRuntime())
                && one.inferometerVersion().equals(other.inferometerVersion());
    }
}
