package org.inferometer.report.compare;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.inferometer.finding.PairCaution;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.ExperimentVariation;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.SelfCheckStore;
import org.inferometer.report.FigureText;
import org.inferometer.report.compare.ComparedSide.Server;
import org.jspecify.annotations.Nullable;

/// What is known of the variation between experiments, and what a comparison of two experiments says about it.
public final class KnownVariation {
    /// Nothing is known.
    public static final KnownVariation NONE = new KnownVariation(null, null);
    private final @Nullable MachineDescription machine;
    private final @Nullable ExperimentVariation variation;

    private KnownVariation(@Nullable MachineDescription machine, @Nullable ExperimentVariation variation) {
        this.machine = machine;
        this.variation = variation;
    }

    /// What a self-check learned on its machine.
    public static KnownVariation of(MachineDescription machine, ExperimentVariation variation) {
        return new KnownVariation(machine, variation);
    }

    /// What the last self-check of a workspace learned.
    public static KnownVariation of(SelfCheckStore store) {
        return store.last().flatMap(kept -> ExperimentVariation.of(kept.results().stream())
                .map(learned -> new KnownVariation(kept.machine(), learned))).orElse(NONE);
    }

    /// The variation between the experiments of two sides; empty within one experiment, and where it is not known for their machine.
    Optional<ExperimentVariation> between(ComparedSide base, ComparedSide candidate) {
        return twoExperiments(base, candidate) && isHere(base.machine()) && isHere(candidate.machine())
                ? Optional.ofNullable(variation) : Optional.empty();
    }

    private boolean isHere(MachineDescription of) {
        return machine != null && machine.processor().equals(of.processor())
                && machine.logicalCores() == of.logicalCores() && machine.gpus().equals(of.gpus());
    }

    private static boolean twoExperiments(ComparedSide base, ComparedSide candidate) {
        return !base.origin().experiment().equals(candidate.origin().experiment());
    }

    /// How far apart two sides were measured and whether the intervals contain the variation between experiments; empty within one experiment.
    static Optional<PairCaution> caution(ComparedSide base, ComparedSide candidate, List<Comparison> comparisons) {
        if (!twoExperiments(base, candidate)) {
            return Optional.empty();
        }
        List<String> uncovered = comparisons.stream().filter(each -> !each.pairing().widened())
                .map(each -> each.metric().label()).toList();
        Instant before = base.origin().started();
        Instant after = candidate.origin().started();
        return Optional.of(PairCaution.TwoExperiments.of(
                before == null || after == null ? null : Duration.between(before, after).abs(), uncovered,
                uncovered.size() < comparisons.size()));
    }

    /// What is known of the servers of two sides; empty where neither is a server.
    static Optional<String> servers(ComparedSide base, ComparedSide candidate) {
        Server before = base.origin().server();
        Server after = candidate.origin().server();
        if (before instanceof Server.Known(String text) && before.equals(after)) {
            return Optional.of("Server: " + text + " on both sides.");
        }
        return before instanceof Server.None && after instanceof Server.None ? Optional.empty()
                : Optional.of("Server: " + text(before) + " (base), " + text(after) + " (candidate).");
    }

    /// "none", "not known" or what the server says.
    static String text(Server server) {
        return switch (server) {
            case Server.None() -> "none";
            case Server.NotRecorded() -> FigureText.NOT_KNOWN;
            case Server.Known(String text) -> text;
        };
    }
}
