package org.inferometer.report.compare;

import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.record.ExperimentId;
import org.inferometer.results.ResultFiles;
import org.inferometer.units.LetterCase;
import org.inferometer.workload.WorkloadSpec;

/// Short names of compared sides, by what distinguishes them: "INT4", "continuous:chunk=64 · host:threads=2". Sides that differ in no
/// setting are named by their experiments, or by their parts of one.
public final class SideNames {
    private static final List<Function<ComparedSide, String>> SETTINGS =
            List.of(side -> engine(side).map(EngineSubject::engine).orElse(""), side -> side.cell().subject().system(),
                    side -> engine(side).map(engine -> engine.backend().toString()).orElse(""),
                    side -> engine(side).map(SideNames::limits).orElse(""));
    private static final List<String> DATES = List.of("", " uuuu-MM-dd HH:mm", " uuuu-MM-dd HH:mm:ss");
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, String> experiments = new HashMap<>();
    private final boolean bySettings;

    /// @param all those that must be told apart; some may be the same
    public SideNames(List<ComparedSide> all) {
        List<ComparedSide> sides = List.copyOf(all.stream()
                .collect(Collectors.toMap(ComparedSide::name, side -> side, (one, same) -> one, LinkedHashMap::new))
                .values());
        List<Function<ComparedSide, String>> parts = new ArrayList<>(SETTINGS);
        if (sides.stream().allMatch(SideNames::namedByPrecision)
                && sides.stream().map(ComparedSide::model).distinct().count() == 1) {
            parts.set(0, SideNames::precision);
        }
        Map<WorkloadSpec, String> facts = new LinkedHashMap<>();
        sides.forEach(side -> facts.putIfAbsent(side.cell().workload(), load(side.cell().workload())));
        LoadNames loads = LoadNames.of(facts,
                sides.stream().anyMatch(side -> side.cell().subject().platform().equals(ResultFiles.IMPORTED)));
        parts.add(side -> loads.of(side.cell().workload()));
        parts.removeIf(part -> sides.stream().map(part).distinct().count() < 2);
        bySettings = distinct(sides, parts);
        Function<ComparedSide, String> experiment = experiment(sides);
        if (!bySettings && sides.stream().map(side -> side.origin().experiment()).distinct().count() > 1) {
            parts.add(experiment);
        }
        if (!distinct(sides, parts)) {
            parts.add(SideNames::partOfExperiment);
        }
        sides.stream().filter(side -> ExperimentId.of(side.origin().experiment()).second() != null)
                .forEach(side -> experiments.put(side.origin().experiment(), experiment.apply(side)));
        sides.forEach(side -> {
            String named = parts.stream().map(part -> part.apply(side)).filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(" · "));
            names.put(side.name(), named.isEmpty() ? side.label() : named);
        });
    }

    /// "quick" of 2026-11-21_141501_quick where the names differ, else "quick 2026-11-21 14:15", and the whole ids if these are equal.
    private static Function<ComparedSide, String> experiment(List<ComparedSide> sides) {
        List<String> ids = sides.stream().map(side -> side.origin().experiment()).distinct().toList();
        UnaryOperator<String> label = DATES.stream().<UnaryOperator<String>>map(form -> id -> dated(id, form))
                .filter(form -> ids.stream().map(form).distinct().count() == ids.size()).findFirst()
                .orElse(UnaryOperator.identity());
        return side -> label.apply(side.origin().experiment());
    }

    /// @param form of the second behind the name
    private static String dated(String experiment, String form) {
        ExperimentId id = ExperimentId.of(experiment);
        return id.name()
                + (id.second() == null ? "" : DateTimeFormatter.ofPattern(form, Locale.ROOT).format(id.second()));
    }

    /// Names of both sides of all pairs.
    public static SideNames ofPairs(List<ResultComparison.Pair> pairs) {
        return new SideNames(ResultComparison.sides(pairs));
    }

    /// "INT4 against FP8", "3 candidates against FP8", "quick against paired, 2 pairs of cells".
    public static String title(List<ResultComparison.Pair> pairs) {
        if (!ResultComparison.haveOneBase(pairs)) {
            return experiments(pairs) + pairs.size() + " pairs of cells";
        }
        List<ComparedSide> sides = new ArrayList<>(List.of(pairs.getFirst().baseSide()));
        pairs.forEach(pair -> sides.add(pair.candidateSide()));
        SideNames names = new SideNames(sides);
        return pairs.size() == 1 ? names.against(pairs.getFirst())
                : pairs.size() + " candidates against " + names.of(sides.getFirst());
    }

    /// "quick against paired, "; nothing if a side has several experiments, or both have the same.
    private static String experiments(List<ResultComparison.Pair> pairs) {
        List<ComparedSide> bases = pairs.stream().map(ResultComparison.Pair::baseSide).toList();
        List<ComparedSide> candidates = pairs.stream().map(ResultComparison.Pair::candidateSide).toList();
        Function<ComparedSide, String> name = experiment(Stream.concat(bases.stream(), candidates.stream()).toList());
        List<String> before = bases.stream().map(name).distinct().toList();
        List<String> after = candidates.stream().map(name).distinct().toList();
        return before.size() != 1 || after.size() != 1 || before.equals(after) ? ""
                : after.getFirst() + " against " + before.getFirst() + ", ";
    }

    private static boolean distinct(List<ComparedSide> sides, List<Function<ComparedSide, String>> parts) {
        return sides.stream().map(side -> parts.stream().map(part -> part.apply(side)).toList())
                .collect(Collectors.toCollection(HashSet::new)).size() == sides.size();
    }

    /// The name of one of the sides.
    public String of(ComparedSide side) {
        return Objects.requireNonNull(names.get(side.name()), "Not one of the named sides.");
    }

    /// "INT4 against FP8".
    String against(ResultComparison.Pair pair) {
        return of(pair.candidateSide()) + " against " + of(pair.baseSide());
    }

    /// The short name of a side or of an experiment with a date, by its full one; else the full one.
    public String named(String full) {
        String side = names.getOrDefault(full, "");
        return side.isEmpty() ? experiments.getOrDefault(full, full) : side;
    }

    /// Whether settings alone distinguish the sides.
    boolean bySettings() {
        return bySettings;
    }

    /// "INT4" of the engine tiny-int4 of the model tiny; empty for other names.
    static String precision(ComparedSide side) {
        String engine = engine(side).map(EngineSubject::engine).orElse("");
        String prefix = side.model() + "-";
        return side.model() == null || !engine.startsWith(prefix) ? ""
                : Stream.of(engine.substring(prefix.length())).filter(QuantisationImpact.PRECISIONS::contains)
                        .map(precision -> LetterCase.upper(precision)).findFirst().orElse("");
    }

    private static boolean namedByPrecision(ComparedSide side) {
        return !precision(side).isEmpty();
    }

    private static Optional<EngineSubject> engine(ComparedSide side) {
        return side.cell().subject() instanceof EngineSubject engine ? Optional.of(engine) : Optional.empty();
    }

    private static String limits(EngineSubject engine) {
        return engine.limits().equals(EngineLimits.DEFAULTS) ? "default limits" : engine.limits().text();
    }

    private static String load(WorkloadSpec load) {
        return load.name() + " (" + load.sizeText() + ", " + LoadNames.words(load.arrivals()) + ")";
    }

    private static String partOfExperiment(ComparedSide side) {
        return switch (side.origin().part()) {
            case ComparedSide.Part.CellPart(int number) -> "cell " + number;
            case ComparedSide.Part.RunPart(int number, String _) -> "run " + number;
        };
    }
}
