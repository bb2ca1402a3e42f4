package org.inferometer.measurement.verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;

/// Judges an experiment from the verdicts of its runs.
public final class ExperimentVerdict {
    private static final String ALL_RUNS_VALID = "all runs valid";

    private ExperimentVerdict() {}

    /// One cell of the matrix.
    ///
    /// @param name its label
    /// @param plannedRuns runs in the plan
    /// @param verdicts of the runs that ended with a result
    public record CellVerdicts(String name, int plannedRuns, List<Verdict> verdicts) {
        private boolean has(Grade grade) {
            return verdicts.stream().anyMatch(verdict -> verdict.grade() == grade);
        }

        private Stream<Condition> conditions(State state) {
            return verdicts.stream().flatMap(verdict -> verdict.conditions().stream())
                    .filter(condition -> condition.state() == state);
        }
    }

    /// As [#judge(List, RunStatus, List)], of a complete experiment without further conditions.
    public static Verdict judge(List<CellVerdicts> cells) {
        return judge(cells, RunStatus.COMPLETE, List.of());
    }

    /// The verdict of an experiment: that of its worst run, and PREVIEW with fewer than [VerdictRules#LEAST_RUNS] runs a cell. Warnings and
    /// unchecked conditions of the runs follow, each once.
    ///
    /// @param status of the experiment: a person who stopped it knows why runs are missing
    /// @param further conditions on its runs together
    public static Verdict judge(List<CellVerdicts> cells, RunStatus status, List<Condition> further) {
        List<Condition> conditions =
                new ArrayList<>(List.of(ended(cells, status), valid(cells), largeEnough(cells), repeated(cells)));
        conditions.addAll(further);
        Map<Requirement, Condition> others = new LinkedHashMap<>();
        cells.forEach(cell -> cell.conditions(State.WARNING).forEach(
                condition -> others.computeIfAbsent(condition.requirement(), each -> warning(cells, condition))));
        cells.forEach(cell -> cell.conditions(State.NOT_CHECKED)
                .forEach(condition -> others.putIfAbsent(condition.requirement(), condition)));
        conditions.addAll(others.values());
        return new Verdict(VerdictRules.grade(conditions), List.copyOf(conditions));
    }

    private static Condition ended(List<CellVerdicts> cells, RunStatus status) {
        int planned = cells.stream().mapToInt(CellVerdicts::plannedRuns).sum();
        int ended = cells.stream().mapToInt(cell -> cell.verdicts().size()).sum();
        boolean all = ended > 0 && cells.stream().allMatch(cell -> cell.verdicts().size() >= cell.plannedRuns());
        return VerdictRules.condition(Requirement.ALL_RUNS_ENDED, "all planned runs completed", all, State.BROKEN,
                ended + " of " + planned,
                status == RunStatus.CANCELLED ? "The experiment was stopped. Run it again to the end."
                        : "See why the others ended, then run them again.");
    }

    /// Gives the first broken condition of a run as the reason.
    private static Condition valid(List<CellVerdicts> cells) {
        List<Verdict> verdicts = cells.stream().flatMap(cell -> cell.verdicts().stream()).toList();
        if (verdicts.isEmpty()) {
            return unchecked(Requirement.ALL_RUNS_VALID, ALL_RUNS_VALID);
        }
        long invalid = verdicts.stream().filter(verdict -> verdict.grade() == Grade.INVALID).count();
        Optional<Condition> reason = cells.stream().flatMap(cell -> cell.conditions(State.BROKEN)).findFirst();
        return VerdictRules.condition(Requirement.ALL_RUNS_VALID, ALL_RUNS_VALID, invalid == 0, State.BROKEN,
                invalid == 0 ? "all"
                        : invalid + " of " + verdicts.size() + " invalid ("
                                + names(cells, cell -> cell.has(Grade.INVALID)) + ")",
                reason.map(Condition::remedy).orElse("See the verdicts of the runs."));
    }

    private static Condition unchecked(Requirement requirement, String name) {
        return new Condition(requirement, name, State.NOT_CHECKED, "no run", "");
    }

    private static Condition largeEnough(List<CellVerdicts> cells) {
        String name = "enough requests and seconds in every run";
        if (cells.stream().allMatch(cell -> cell.verdicts().isEmpty())) {
            return unchecked(Requirement.LARGE_RUNS, name);
        }
        String small = names(cells, cell -> cell.has(Grade.PREVIEW));
        return VerdictRules.condition(Requirement.LARGE_RUNS, name, small.isEmpty(), State.TOO_LITTLE,
                small.isEmpty() ? "all" : "not in " + small, "Ask for more requests or seconds.");
    }

    private static Condition repeated(List<CellVerdicts> cells) {
        int fewest = cells.stream().mapToInt(cell -> cell.verdicts().size()).min().orElse(0);
        int missing = Math.max(1, VerdictRules.LEAST_RUNS - fewest);
        return VerdictRules.condition(Requirement.REPEATED_RUNS,
                "at least " + VerdictRules.LEAST_RUNS + " runs per cell", fewest >= VerdictRules.LEAST_RUNS,
                State.TOO_LITTLE, Integer.toString(fewest),
                "Measure " + missing + (missing == 1 ? " more run." : " more runs."));
    }

    private static Condition warning(List<CellVerdicts> cells, Condition condition) {
        String names = names(cells,
                cell -> cell.conditions(State.WARNING).anyMatch(each -> each.requirement() == condition.requirement()));
        return new Condition(condition.requirement(), condition.name(), State.WARNING, "not in " + names,
                condition.remedy());
    }

    private static String names(List<CellVerdicts> cells, Predicate<CellVerdicts> which) {
        Set<String> names = new LinkedHashSet<>();
        cells.stream().filter(which).forEach(cell -> names.add(cell.name()));
        return String.join(", ", names);
    }
}
