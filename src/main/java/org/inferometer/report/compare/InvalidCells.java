package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.measurement.verdict.SloDecision;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.Verdict;

/// The cells of an experiment that have an INVALID run, in a sentence: few by their names, many by their number.
final class InvalidCells {
    private static final int MOST_NAMED = 3;
    private final ExperimentRecord record;
    private final List<ComparedCell> cells;
    private final LoadNames loads;

    /// @param cells of the experiment
    InvalidCells(ExperimentRecord record, List<ComparedCell> cells) {
        this.record = record;
        this.cells = cells;
        this.loads = LoadNames.of(cells);
    }

    /// Those with an INVALID run.
    List<ComparedCell> all() {
        return cells.stream().filter(ComparedCell::hasInvalidRuns).toList();
    }

    /// "Invalid: naive is saturated from 8 req/s."; empty if no cell is.
    Optional<String> sentence() {
        List<ComparedCell> invalid = all();
        if (invalid.isEmpty()) {
            return Optional.empty();
        }
        List<ComparedCell> saturated = invalid.stream().filter(this::isSaturated).toList();
        List<String> clauses = saturated(saturated);
        List<String> others = invalid.stream().filter(cell -> !saturated.contains(cell)).map(this::name).toList();
        String named = clauses.isEmpty() ? String.join(", ", others) : String.join(", ", clauses)
                + (others.isEmpty() ? "" : "; for other reasons " + String.join(", ", others));
        String counted = invalid.size() + " of " + cells.size() + " cells"
                + (saturated.isEmpty() ? "" : ", " + saturated.size() + " of them saturated");
        return Optional.of("Invalid: " + (clauses.size() + others.size() > MOST_NAMED ? counted : named) + ".");
    }

    /// Whether the load was not served as fast as asked in at least half of its runs, and no run is INVALID for a reason of the machine.
    private boolean isSaturated(ComparedCell cell) {
        List<RunRecord> invalid =
                record.runs().stream().filter(run -> run.manifest().plan().index().cell() == cell.summary().cellIndex())
                        .filter(run -> Optional.ofNullable(run.manifest().outcome().verdict()).map(Verdict::grade)
                                .filter(Verdict.Grade.INVALID::equals).isPresent())
                        .toList();
        return 2 * invalid.size() >= cell.runs() && invalid.stream().allMatch(SloDecision::saturated);
    }

    /// A clause for each candidate: "naive is saturated from 8 req/s" where all higher loads are, too.
    private List<String> saturated(List<ComparedCell> saturated) {
        List<List<ComparedCell>> ascending = loads.ascending(ComparedCell.byLoad(cells).values());
        Map<String, List<ComparedCell>> byName = new LinkedHashMap<>();
        saturated.forEach(cell -> byName.computeIfAbsent(cell.name(), name -> new ArrayList<>()).add(cell));
        List<String> clauses = new ArrayList<>();
        byName.forEach((name, own) -> {
            List<ComparedCell> measured =
                    ascending.stream().flatMap(List::stream).filter(cell -> cell.name().equals(name)).toList();
            int first = measured.size() - own.size();
            if (own.size() > 1 && first >= 0 && own.containsAll(measured.subList(first, measured.size()))) {
                clauses.add(name + " is saturated from " + loads.of(measured.get(first)));
            } else {
                own.forEach(cell -> clauses.add(name + " is saturated " + loads.circumstance(cell)));
            }
        });
        return clauses;
    }

    private String name(ComparedCell cell) {
        return ComparedCell.byLoad(cells).size() == 1 ? cell.label() : cell.name() + " " + loads.circumstance(cell);
    }
}
