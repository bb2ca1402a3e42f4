package org.inferometer.report.compare;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MeasuredQuality;
import org.inferometer.record.Metric;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.ServerIdentity;
import org.inferometer.record.Unrecorded;
import org.inferometer.record.Verdict;
import org.inferometer.record.WindowUse;
import org.jspecify.annotations.Nullable;

/// One side of a comparison: a cell over its runs, or a single run, with what decides whether it is comparable.
///
/// @param name "2026-11-21_quick#2 (tiny-int4 · continuous · short)"
/// @param label the cell beside the others of its experiment: "tiny-int4 · continuous · short"
/// @param model absent where it is not known
/// @param workloads hash of the drawn workload by the seed that it was drawn from
/// @param grades verdicts of its runs that have one
/// @param origin where and when it was measured
/// @param runs its complete runs, from which charts are drawn; empty where none are needed
public record ComparedSide(String name, String label, Cell cell, @Nullable String model, List<CellFigure> figures,
        Map<Long, String> workloads, MachineDescription machine, List<Verdict.Grade> grades, Origin origin,
        List<RunRecord> runs) {

    /// The part of an experiment that a side is.
    public sealed interface Part {
        /// As it is written behind a result: "2", "run-003_tiny-int4_naive_quick_1".
        String id();

        /// @param number from 1
        record CellPart(int number) implements Part {
            @Override
            public String id() {
                return Integer.toString(number);
            }
        }

        /// @param number in the order of execution, from 1
        record RunPart(int number, String id) implements Part {}
    }

    /// What is known of the server of a side.
    public sealed interface Server {
        /// An engine or a tool has none.
        record None() implements Server {}

        /// It was not recorded.
        record NotRecorded() implements Server {}

        /// What it says about itself.
        record Known(String text) implements Server {}
    }

    /// The experiment of a side.
    ///
    /// @param experiment its id
    /// @param started when the first run of the side started; absent where that is not known
    /// @param objective the limits that its requests should meet
    /// @param invalid what breaks the verdict of the whole result; empty if it is not INVALID
    /// @param window live mode of the window that showed its runs: "none", "live with other work"; absent if it was not recorded
    /// @param kvPositionBytes bytes of a position's keys and values; 0 if not known
    /// @param precision of the engine: "INT4"; empty for servers, and where its runs differ or do not say
    /// @param quality of the engine's predictions; absent where it was not measured before the runs
    public record Origin(String experiment, Part part, @Nullable Instant started, Server server,
            ServiceObjective objective, String invalid, @Nullable String window, long kvPositionBytes, String precision,
            @Nullable MeasuredQuality quality) {
        /// Of a side of which nothing is known.
        public static final Origin NOT_KNOWN = new Origin("", new Part.CellPart(1), null, new Server.None(),
                ServiceObjective.NONE, "", null, 0, "", null);
    }

    /// The same side without its runs, which take memory.
    public ComparedSide withoutRuns() {
        return new ComparedSide(name, label, cell, model, figures, workloads, machine, grades, origin, List.of());
    }

    /// The same side of a model that a person calls by another name.
    public ComparedSide calling(@Nullable String other) {
        return new ComparedSide(name, label, cell, other, figures, workloads, machine, grades, origin, runs);
    }

    /// Separates a result from its part: "latest#2".
    public static final char PART = '#';

    /// The cells of an experiment that have a complete run.
    public static List<ComparedSide> cells(ExperimentRecord experiment) {
        List<ComparedSide> sides = new ArrayList<>();
        for (CellSummary cell : experiment.manifest().cells()) {
            sides.add(of(experiment, new Part.CellPart(cell.cellIndex() + 1), cell.cell(), cell.model(), cell.figures(),
                    experiment.completeRuns(cell.cellIndex())));
        }
        return List.copyOf(sides);
    }

    /// A part of an experiment: a cell by its number from 1 or by its label, or a run by its folder; empty if there is none.
    public static Optional<ComparedSide> part(ExperimentRecord experiment, String part) {
        Optional<ComparedSide> cell = cells(experiment).stream()
                .filter(side -> side.origin().part().id().equals(part) || side.label().equals(part)).findFirst();
        return cell.or(() -> experiment.runs().stream().filter(run -> run.folderName().equals(part)).findFirst()
                .map(run -> of(experiment, new Part.RunPart(run.manifest().plan().index().run() + 1, part),
                        run.manifest().plan().cell(), run.manifest().system().model(),
                        CellFigures.ofRuns(List.of(run), Map.of(), 1), List.of(run))));
    }

    private static ComparedSide of(ExperimentRecord experiment, Part part, Cell cell, String model,
            List<CellFigure> figures, List<RunRecord> runs) {
        Map<Long, String> workloads = new TreeMap<>();
        List<Verdict.Grade> grades = new ArrayList<>();
        for (RunRecord run : runs) {
            RunManifest manifest = run.manifest();
            // Imported runs have no workload hash.
            if (!manifest.workloadHash().isEmpty()) {
                workloads.put(manifest.plan().procedure().workloadSeed(), manifest.workloadHash());
            }
            Optional.ofNullable(manifest.outcome().verdict()).map(Verdict::grade).ifPresent(grades::add);
        }
        MachineDescription machine =
                runs.isEmpty() ? experiment.manifest().machine() : runs.getFirst().manifest().machine();
        String label = experiment.manifest().spec().label(cell);
        List<ServerIdentity> servers =
                runs.stream().map(run -> run.manifest().system().server()).filter(Objects::nonNull).distinct().toList();
        Instant started = runs.stream().map(run -> run.manifest().anchorWall()).filter(Objects::nonNull)
                .min(Comparator.naturalOrder()).orElse(experiment.manifest().times().started());
        return new ComparedSide(experiment.manifest().id() + PART + part.id() + " (" + label + ")", label, cell,
                servedModel(cell, model, servers), figures, workloads, machine, List.copyOf(grades),
                new Origin(experiment.manifest().id(), part, started, server(cell, servers),
                        experiment.manifest().spec().goal().objective(), broken(experiment.manifest().verdict()),
                        window(runs), SideDifferences.positionBytes(runs), QualityText.precision(runs),
                        QualityText.measured(runs)),
                runs);
    }

    static @Nullable String window(List<RunRecord> runs) {
        List<WindowUse> uses = runs.stream().map(run -> run.manifest().window()).filter(Objects::nonNull).toList();
        boolean worked = uses.stream().anyMatch(use -> !use.disturbanceText().isEmpty());
        return uses.isEmpty() ? null
                : String.join(" and ", uses.stream().map(WindowUse::mode).distinct().sorted().toList())
                        + (worked ? " with other work" : "");
    }

    private static String broken(@Nullable Verdict verdict) {
        return verdict == null || verdict.grade() != Verdict.Grade.INVALID ? ""
                : verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.BROKEN)
                        .map(condition -> condition.name()
                                + (condition.observed().isEmpty() ? "" : " (" + condition.observed() + ")"))
                        .collect(Collectors.joining("; "));
    }

    /// What the server says that it serves, else what was asked for. A server's address is no model.
    private static @Nullable String servedModel(Cell cell, String recorded, List<ServerIdentity> servers) {
        if (!servers.isEmpty()) {
            return joined(servers, ServerIdentity::model);
        }
        return (hasAddress(cell) ? cell.subject().model() : Unrecorded.known(recorded)).orElse(null);
    }

    /// What the server recorded of itself, whoever started it.
    private static Server server(Cell cell, List<ServerIdentity> servers) {
        return !servers.isEmpty() ? new Server.Known(joined(servers, ServerIdentity::text))
                : hasAddress(cell) ? new Server.NotRecorded()
                : new Server.None();
    }

    private static String joined(List<ServerIdentity> servers, Function<ServerIdentity, String> property) {
        return servers.stream().map(property).distinct().collect(Collectors.joining(" and "));
    }

    private static boolean hasAddress(Cell cell) {
        return cell.subject() instanceof Subject.TargetSubject target && target.hasAddress();
    }

    /// Its figure of a metric.
    public Optional<CellFigure> figure(Metric metric) {
        return CellFigures.find(figures, metric);
    }

    /// Whether one of its runs is INVALID.
    public boolean invalid() {
        return grades.contains(Verdict.Grade.INVALID);
    }

    /// The base cell to compare with: the only one, else the one of equal label.
    Optional<ComparedSide> matchIn(List<ComparedSide> bases) {
        if (bases.size() == 1) {
            return Optional.of(bases.getFirst());
        }
        Optional<ComparedSide> named =
                bases.stream().filter(side -> side.cell().label().equals(cell.label())).findFirst();
        List<ComparedSide> alike = bases.stream().filter(side -> alike(side.cell(), cell)).toList();
        return named.isPresent() || alike.size() != 1 ? named : Optional.of(alike.getFirst());
    }

    /// Whether two cells differ in backend and limits alone.
    private static boolean alike(Cell base, Cell candidate) {
        return base.subject().model().equals(candidate.subject().model())
                && base.subject().system().equals(candidate.subject().system())
                && base.workload().name().equals(candidate.workload().name());
    }
}
