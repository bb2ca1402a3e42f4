package org.inferometer.report.charts;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.record.ExperimentId;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.jspecify.annotations.Nullable;

/// What was measured, when and where, for the footer of a chart: "eight-a-second · 2026-11-26 · AMD EPYC 9B45". Days are of UTC. The machine goes
/// by its processor or card, never by the name of its host.
public final class ChartSource {
    private static final String NO_MACHINE = "machine not known";
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ChartSource() {}

    /// Of an experiment. An imported file does not name its machine.
    public static String of(ExperimentManifest experiment) {
        String machine = experiment.times().imported() != null ? NO_MACHINE
                : machine(experiment.machine(), experiment.cells().stream().map(summary -> summary.cell()).toList());
        return dated(experiment.name(), experiment.times().start().orElse(null)) + " · " + machine;
    }

    /// Of the results of a comparison, the candidates first: "after · 2026-11-22 against before · 2026-11-20 · AMD EPYC 9B45". Empty without pairs.
    public static String of(ResultComparison comparison) {
        if (comparison.pairs().isEmpty()) {
            return "";
        }
        List<ComparedSide> bases = comparison.pairs().stream().map(Pair::baseSide).toList();
        List<ComparedSide> candidates = comparison.pairs().stream().map(Pair::candidateSide).toList();
        String before = results(bases);
        String after = results(candidates);
        String machines = Stream.concat(candidates.stream(), bases.stream())
                .map(side -> machine(side.machine(), List.of(side.cell()))).distinct()
                .collect(Collectors.joining(", "));
        return (before.equals(after) ? before : after + " against " + before) + " · " + machines;
    }

    private static String results(List<ComparedSide> sides) {
        return sides.stream().map(ComparedSide::origin)
                .map(origin -> dated(ExperimentId.of(origin.experiment()).name(), origin.started())).distinct()
                .collect(Collectors.joining(", "));
    }

    private static String dated(String name, @Nullable Instant started) {
        return name + " · " + (started == null ? "date not known" : DAY.format(started));
    }

    private static String machine(MachineDescription machine, List<Cell> cells) {
        boolean card = !machine.gpus().isEmpty()
                && cells.stream().anyMatch(cell -> cell.subject() instanceof EngineSubject engine
                        && Subject.coreThreads(engine.backend()).isEmpty());
        String named = card ? String.join(", ", machine.gpus()) : machine.processor();
        // A server may run elsewhere; the load generator runs here.
        boolean targets = cells.stream().allMatch(cell -> cell.subject() instanceof Subject.TargetSubject);
        return named.isBlank() || !machine.hasProcessor() ? NO_MACHINE : targets ? "load generator: " + named : named;
    }
}
