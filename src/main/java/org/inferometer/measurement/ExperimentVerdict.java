package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.State;

/// Judges an experiment from the verdicts of its runs. Pure.
public final class ExperimentVerdict {
    private ExperimentVerdict() {}

    /// One cell of the matrix.
    ///
    /// @param name as people read it
    /// @param plannedRuns runs that were asked for
    /// @param verdicts of the runs that ended with a result
    public record CellVerdicts(String name, int plannedRuns, List<Verdict> verdicts) {}

    /// The verdict of an experiment: as good as its worst run, and PREVIEW with fewer than [VerdictRules#LEAST_RUNS] runs a cell. What some
    /// run warns of, or else could not check, is named.
    public static Verdict judge(List<CellVerdicts> cells) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(ended(cells));
        conditions.add(valid(cells));
        conditions.add(largeEnough(cells));
        conditions.add(repeated(cells));
        List<Condition> warnings = warnings(cells);
        conditions.addAll(warnings);
        Set<String> warned = warnings.stream().map(Condition::name).collect(Collectors.toSet());
        conditions.addAll(unchecked(cells).stream().filter(condition -> !warned.contains(condition.name())).toList());
        return new Verdict(VerdictRules.grade(conditions), List.copyOf(conditions));
    }

    private static Condition ended(List<CellVerdicts> cells) {
        int planned = cells.stream().mapToInt(CellVerdicts::plannedRuns).sum();
        int ended = cells.stream().mapToInt(cell -> cell.verdicts().size()).sum();
        boolean each = ended > 0 && cells.stream().allMatch(cell -> cell.verdicts().size() >= cell.plannedRuns());
        return VerdictRules.condition("every planned run has a result", each, State.BROKEN, ended + " of " + planned,
                "Read why the others ended, and run them again.");
    }

    private static Condition valid(List<CellVerdicts> cells) {
        List<String> invalid = cellsWith(cells, Grade.INVALID);
        return VerdictRules.condition("every run can be relied on", invalid.isEmpty(), State.BROKEN,
                invalid.isEmpty() ? "all" : "not in " + String.join(", ", invalid),
                "Do what the run's own verdict says and run it again.");
    }

    private static Condition largeEnough(List<CellVerdicts> cells) {
        List<String> small = cellsWith(cells, Grade.PREVIEW);
        return VerdictRules.condition("every run is large enough for a verdict", small.isEmpty(), State.TOO_LITTLE,
                small.isEmpty() ? "all" : "too small in " + String.join(", ", small),
                "Ask for more requests or seconds.");
    }

    private static Condition repeated(List<CellVerdicts> cells) {
        int fewest = cells.stream().mapToInt(cell -> cell.verdicts().size()).min().orElse(0);
        return VerdictRules.condition("at least " + VerdictRules.LEAST_RUNS + " runs a cell",
                fewest >= VerdictRules.LEAST_RUNS, State.TOO_LITTLE, fewest + " in the cell with the fewest",
                "Run " + Math.max(1, VerdictRules.LEAST_RUNS - fewest) + " more.");
    }

    /// Each warning once, with the cells that it is about.
    private static List<Condition> warnings(List<CellVerdicts> cells) {
        Map<String, Condition> byName = new LinkedHashMap<>();
        Map<String, Set<String>> cellsByName = new LinkedHashMap<>();
        for (CellVerdicts cell : cells) {
            cell.verdicts().stream().flatMap(verdict -> verdict.conditions().stream())
                    .filter(condition -> condition.state() == State.WARNING).forEach(condition -> {
                        byName.putIfAbsent(condition.name(), condition);
                        cellsByName.computeIfAbsent(condition.name(), name -> new LinkedHashSet<>()).add(cell.name());
                    });
        }
        return byName.values().stream()
                .map(condition -> new Condition(condition.name(), State.WARNING,
                        "not in " + String.join(", ", cellsByName.getOrDefault(condition.name(), Set.of())),
                        condition.remedy()))
                .toList();
    }

    private static List<Condition> unchecked(List<CellVerdicts> cells) {
        Map<String, Condition> byName = new LinkedHashMap<>();
        cells.stream().flatMap(cell -> cell.verdicts().stream()).flatMap(verdict -> verdict.conditions().stream())
                .filter(condition -> condition.state() == State.NOT_CHECKED)
                .forEach(condition -> byName.putIfAbsent(condition.name(), condition));
        return List.copyOf(byName.values());
    }

    private static List<String> cellsWith(List<CellVerdicts> cells, Grade grade) {
        return cells.stream().filter(cell -> cell.verdicts().stream().anyMatch(verdict -> verdict.grade() == grade))
                .map(CellVerdicts::name).toList();
    }
}
