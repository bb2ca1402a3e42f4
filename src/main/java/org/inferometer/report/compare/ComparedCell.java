package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Metric;
import org.inferometer.record.Unrecorded;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.exchange.ReportedArrivals;
import org.inferometer.units.LetterCase;
import org.inferometer.workload.WorkloadSpec;

/// A cell in a comparison, named by what distinguishes it from the others.
///
/// @param label what differs between the cells of the comparison: "tiny-int4 · continuous"
/// @param name what differs between the cells of one load: "continuous"
/// @param experiment id of the experiment it belongs to
public record ComparedCell(String label, String name, String experiment, CellSummary summary) {

    private static final String LOAD = "workload";
    private static final String SCHEDULER = "scheduler";
    private static final String TARGET = "target";
    private static final String DEFAULT_LIMITS = "default limits";
    private static final String NOT_KNOWN = "–";
    private static final Set<String> OPTIONED = Set.of(SCHEDULER, "backend", "limits");

    /// The cells of experiments in their order, labelled by the parts that differ.
    public static List<ComparedCell> of(List<ExperimentManifest> experiments) {
        List<ComparedCell> unlabelled = new ArrayList<>();
        for (ExperimentManifest experiment : experiments) {
            experiment.cells().forEach(cell -> unlabelled.add(new ComparedCell("", "", experiment.id(), cell)));
        }
        LoadNames loads = LoadNames.of(unlabelled);
        List<Part> parts = parts(unlabelled, loads::of);
        List<Part> differing = parts.stream().filter(part -> values(part, unlabelled).size() > 1)
                .map(part -> part.named(shared(part, unlabelled))).toList();
        List<Part> label = differing.isEmpty() ? parts.subList(0, 2) : differing;
        List<Part> withoutLoad = label.stream().filter(part -> !part.name().equals(LOAD)).toList();
        List<Part> name = withoutLoad.isEmpty() ? parts.subList(0, 2) : withoutLoad;
        return unlabelled.stream().map(
                cell -> new ComparedCell(joined(label, cell), joined(name, cell), cell.experiment(), cell.summary()))
                .toList();
    }

    /// The cells labelled by the parts that differ besides what serves the model; by all that differ where there are no others.
    static List<String> circumstances(List<ComparedCell> cells) {
        List<Part> others = parts(cells, LoadNames.of(cells)::of).stream()
                .filter(part -> !part.name().equals(SCHEDULER) && !part.name().equals(TARGET))
                .filter(part -> values(part, cells).size() > 1).toList();
        return cells.stream().map(cell -> others.isEmpty() ? cell.label() : joined(others, cell)).toList();
    }

    /// The cells by load, in the order of the cells; loads as text: "short (60 requests, 4 req/s)".
    public static Map<String, List<ComparedCell>> byLoad(List<ComparedCell> cells) {
        return grouped(cells, ComparedCell::workload);
    }

    /// The cells by model and workload, in the order of the cells.
    public static Map<Object, List<ComparedCell>> byModelAndLoad(List<ComparedCell> cells) {
        return grouped(cells, cell -> List.of(cell.family(), cell.load()));
    }

    private static String joined(List<Part> parts, ComparedCell cell) {
        return parts.stream().flatMap(part -> part.value().apply(cell).stream()).collect(Collectors.joining(" · "));
    }

    /// What all cells share: "workload short · backend host:threads=2"; empty if nothing.
    public static String common(List<ComparedCell> cells) {
        List<String> shared = new ArrayList<>();
        for (Part part : parts(cells, ComparedCell::workload)) {
            Set<String> values = values(part, cells);
            if (values.size() == 1 && !part.name().equals("experiment") && !values.contains(DEFAULT_LIMITS)) {
                shared.add(part.name() + " " + values.iterator().next());
            }
            shared(part, cells).forEach(option -> shared.add(part.name() + " " + option));
        }
        return String.join(" · ", shared);
    }

    /// Its figure of a metric.
    public Optional<CellFigure> figure(Metric metric) {
        return CellFigures.find(summary.figures(), metric);
    }

    boolean has(Metric metric) {
        return figure(metric).isPresent();
    }

    /// Whether a CPU computes: the device whose use is recorded.
    boolean onCpu() {
        return subject() instanceof Subject.EngineSubject engine && Subject.coreThreads(engine.backend()).isPresent();
    }

    /// Its figure of a metric that it is known to have.
    public CellFigure required(Metric metric) {
        return figure(metric).orElseThrow();
    }

    /// An engine under a scheduler, or a target.
    public Subject subject() {
        return summary.cell().subject();
    }

    /// Its workload.
    public WorkloadSpec load() {
        return summary.cell().workload();
    }

    /// How many runs its figures are of.
    public int runs() {
        return summary.runs();
    }

    /// Its precision as engines spell it: "int4"; of a target the one in the name of its model, else in its own. Blank if it is not known.
    public String precision() {
        return !isTarget() ? LetterCase.lower(summary.precision())
                : Stream.concat(model().stream(), Stream.of(subject().system()))
                        .map(name -> NamedPrecision.of(name).precision()).filter(word -> !word.isEmpty()).findFirst()
                        .orElse("");
    }

    /// The model whatever its precision: "tiny" of the engine tiny-int4.
    String family() {
        String model = summary.model();
        String rest = isTarget() ? NamedPrecision.of(model).rest() : model;
        return rest.isEmpty() ? Unrecorded.TEXT : rest;
    }

    /// Cells by a key, both in the order of the cells.
    public static <K> Map<K, List<ComparedCell>> grouped(List<ComparedCell> cells, Function<ComparedCell, K> key) {
        Map<K, List<ComparedCell>> groups = new LinkedHashMap<>();
        cells.forEach(cell -> groups.computeIfAbsent(key.apply(cell), each -> new ArrayList<>()).add(cell));
        return groups;
    }

    /// Whether one of its runs is INVALID, so that it is never ranked.
    public boolean hasInvalidRuns() {
        return summary.hasInvalidRuns();
    }

    /// Whether this is a server or tool, not an engine under a scheduler.
    boolean isTarget() {
        return summary.cell().subject() instanceof Subject.TargetSubject;
    }

    /// Whether another tool measured it.
    boolean isImported() {
        return summary.cell().subject().platform().equals(ResultFiles.IMPORTED);
    }

    /// The engine, the requested model of a target, or the model that a server was found to serve; empty if it is not known.
    Optional<String> model() {
        return summary.cell().subject().model().or(this::servedModel);
    }

    /// The model that a server was found to serve; absent for others, and where it was not recorded.
    private Optional<String> servedModel() {
        return Unrecorded.known(summary.model())
                .filter(model -> isTarget() && !model.isBlank() && !model.contains(":"));
    }

    /// @param value absent where the cell has no such part
    private record Part(String name, Function<ComparedCell, Optional<String>> value) {
        /// Without options that all have.
        Part named(Set<String> options) {
            return options.isEmpty() ? this : new Part(name, cell -> value.apply(cell).map(text -> {
                String head = text.substring(0, text.indexOf(':') + 1);
                String rest = Arrays.stream(text.substring(head.length()).split(","))
                        .filter(option -> !options.contains(option)).collect(Collectors.joining(",", head, ""))
                        .replaceFirst(":$", "");
                return rest.isEmpty() ? text : rest;
            }));
        }
    }

    /// The options that all values of a part have beside others that differ. A value with a quoted comma is left whole.
    private static Set<String> shared(Part part, List<ComparedCell> cells) {
        Set<String> values = values(part, cells);
        if (values.size() < 2 || !OPTIONED.contains(part.name()) || cells.stream().anyMatch(ComparedCell::isTarget)
                || values.stream().anyMatch(value -> value.contains("\""))) {
            return Set.of();
        }
        Set<String> shared = new LinkedHashSet<>(options(values.iterator().next()));
        values.forEach(value -> shared.retainAll(options(value)));
        return shared;
    }

    private static List<String> options(String value) {
        return Arrays.stream(value.substring(value.indexOf(':') + 1).split(",")).filter(option -> option.contains("="))
                .toList();
    }

    /// Beside engines, a target goes by its name: it has no scheduler or backend that is known here. A model is shown where one is known.
    private static List<Part> parts(List<ComparedCell> cells, Function<ComparedCell, String> loads) {
        boolean targets = cells.stream().allMatch(ComparedCell::isTarget);
        boolean mixed = !targets && cells.stream().anyMatch(ComparedCell::isTarget);
        boolean unknown = mixed || cells.stream().allMatch(cell -> cell.model().isEmpty());
        return List.of(
                new Part(targets ? "model" : "engine",
                        cell -> cell.model().or(() -> unknown ? Optional.empty() : Optional.of(NOT_KNOWN))),
                new Part(targets ? TARGET : SCHEDULER, cell -> Optional.of(cell.subject().system())),
                new Part(LOAD, cell -> Optional.of(loads.apply(cell))),
                new Part("backend",
                        cell -> (mixed && cell.isTarget()) || cell.isImported() ? Optional.empty()
                                : Optional.of(cell.subject().platform())),
                new Part("limits", ComparedCell::limits),
                new Part("experiment", cell -> Optional.of(cell.experiment())));
    }

    /// The asked limits of an engine; "default limits" beside others that have some.
    static Optional<String> limits(ComparedCell cell) {
        return cell.subject() instanceof Subject.EngineSubject engine
                ? Optional.of(engine.limits().equals(EngineLimits.DEFAULTS) ? DEFAULT_LIMITS : engine.limits().text())
                : Optional.empty();
    }

    /// Backend with its options, and the asked limits: what two cells of engines share that differ by scheduler or precision alone. Empty for
    /// targets.
    public static String setting(ComparedCell cell) {
        return cell.subject() instanceof Subject.EngineSubject engine ? engine.platform()
                + limits(cell).filter(text -> !text.equals(DEFAULT_LIMITS)).map(text -> " with " + text).orElse("")
                : "";
    }

    static String workload(ComparedCell cell) {
        WorkloadSpec workload = cell.load();
        List<String> facts = new ArrayList<>();
        if (hasSize(workload)) {
            facts.add(workload.sizeText());
        }
        (cell.isImported() ? ReportedArrivals.in(workload) : Optional.of(workload.arrivals()))
                .ifPresent(arrivals -> facts.add(LoadNames.words(arrivals)));
        return workload.name() + (facts.isEmpty() ? "" : " (" + String.join(", ", facts) + ")");
    }

    /// Files of other tools may not say how many requests there were.
    private static boolean hasSize(WorkloadSpec load) {
        return load.requests() > 0 || load.countIsOpen();
    }

    private static Set<String> values(Part part, List<ComparedCell> cells) {
        Set<String> values = new LinkedHashSet<>();
        cells.forEach(cell -> part.value().apply(cell).ifPresent(values::add));
        return values;
    }
}
