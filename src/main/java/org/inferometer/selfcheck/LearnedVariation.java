package org.inferometer.selfcheck;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.comparison.ExperimentVariation;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.SelfCheckStore;

/// What the stored self-check knows of the variation between equal experiments on this machine.
///
/// @param measured when the stored self-check was written
public record LearnedVariation(ExperimentVariation variation, Instant measured) {
    /// The stored one; empty if there is none of this machine.
    public static Optional<LearnedVariation> last(SelfCheckStore store, MachineDescription machine) {
        return store.last()
                .flatMap(kept -> ExperimentVariation
                        .of(store.results(machine, result -> isOfEqualExperiments(result)).stream())
                        .map(variation -> new LearnedVariation(variation, kept.measuredWall())));
    }

    /// Stores results; those of the other part of the self-check stay.
    ///
    /// @param fresh of equal experiments, or of everything else
    public static void save(SelfCheckStore store, MachineDescription machine, Instant now, List<SelfCheckResult> fresh)
            throws IOException {
        boolean ofEqualExperiments = fresh.stream().anyMatch(LearnedVariation::isOfEqualExperiments);
        List<SelfCheckResult> results = new ArrayList<>(fresh);
        results.addAll(store.results(machine, kept -> isOfEqualExperiments(kept) != ofEqualExperiments));
        store.save(now, machine, results);
    }

    /// Stores one result in place of the stored one with its id; all others stay.
    public static void replace(SelfCheckStore store, MachineDescription machine, Instant now, SelfCheckResult fresh)
            throws IOException {
        List<SelfCheckResult> results = new ArrayList<>(store.results(machine, kept -> !kept.id().equals(fresh.id())));
        results.add(fresh);
        store.save(now, machine, results);
    }

    private static boolean isOfEqualExperiments(SelfCheckResult result) {
        return result.id().startsWith(ExperimentVariation.CHECK_PREFIX);
    }
}
