package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.Subject;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.SchedulerInsights;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;

/// Explains each cell: the load that suits its scheduler, and the insights of [SchedulerInsights] from the record.
public final class SchedulerExplanations {
    private SchedulerExplanations() {}

    /// One per cell, in the order of the cells.
    public static List<CellExplanation> of(ExperimentRecord record, SchedulerRegistry schedulers) {
        List<CellExplanation> explanations = new ArrayList<>();
        List<ComparedCell> cells = ComparedCell.of(List.of(record.manifest()));
        List<String> circumstances = ComparedCell.circumstances(cells);
        for (int i = 0; i < cells.size(); i++) {
            CellSummary summary = cells.get(i).summary();
            SchedulerInsights insights =
                    SchedulerInsights.of(summary.figures(), record.completeRuns(summary.cellIndex()));
            explanations.add(new CellExplanation(summary.cellIndex(), cells.get(i).label(), circumstances.get(i),
                    summary.cell().subject().system(), whenItWins(summary.cell().subject(), schedulers),
                    insights.isKnown(), insights.text()));
        }
        return List.copyOf(explanations);
    }

    private static String whenItWins(Subject subject, SchedulerRegistry schedulers) {
        return switch (subject) {
            case EngineSubject engine ->
                schedulers.descriptions().stream().filter(each -> each.name().equals(engine.scheduler().name()))
                        .findFirst().map(SchedulerDescription::whenItWins).orElse("");
            case TargetSubject target -> "";
        };
    }

    /// The explanations by scheduler: the load that suits it, then the insights into its cells. Cells with equal insights are joined; of a
    /// target whose queue, batches and lanes were not recorded there is nothing to say. The last of several schedulers without a record says
    /// so for all of them.
    public static List<Paragraph> paragraphs(List<CellExplanation> explanations) {
        Map<String, List<CellExplanation>> bySchedulers = new LinkedHashMap<>();
        explanations.stream().filter(each -> !each.whenItWins().isEmpty() || each.known())
                .forEach(each -> bySchedulers.computeIfAbsent(each.scheduler(), key -> new ArrayList<>()).add(each));
        List<String> silent = bySchedulers.entrySet().stream()
                .filter(entry -> entry.getValue().stream().noneMatch(CellExplanation::known)).map(Map.Entry::getKey)
                .toList();
        return bySchedulers.entrySet().stream()
                .map(entry -> silent.contains(entry.getKey())
                        ? new Paragraph(heading(entry.getKey(), entry.getValue()), notRecorded(entry.getKey(), silent))
                        : paragraph(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static List<String> notRecorded(String scheduler, List<String> silent) {
        return !scheduler.equals(silent.getLast()) ? List.of()
                : List.of(silent.size() == 1 ? SchedulerInsights.NOT_RECORDED
                        : "Not recorded for " + String.join(", ", silent) + ": queue, batches and lanes.");
    }

    /// @param heading the scheduler and the load that suits it
    /// @param seen sentences, each behind its cells if the scheduler has several
    public record Paragraph(String heading, List<String> seen) {}

    private static Paragraph paragraph(String scheduler, List<CellExplanation> cells) {
        Map<String, List<String>> labelsBySeen = new LinkedHashMap<>();
        cells.forEach(
                cell -> labelsBySeen.computeIfAbsent(cell.seen(), key -> new ArrayList<>()).add(cell.circumstance()));
        List<String> seen = labelsBySeen.entrySet().stream()
                .map(entry -> cells.size() == 1 ? "Observed: " + entry.getKey()
                        : labelsBySeen.size() == 1
                                ? "Observed in all " + cells.size() + " cells of " + scheduler + ": " + entry.getKey()
                        : "Observed with " + String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .toList();
        return new Paragraph(heading(scheduler, cells), seen);
    }

    private static String heading(String scheduler, List<CellExplanation> cells) {
        String load = cells.getFirst().whenItWins();
        return scheduler
                + (load.isEmpty() ? "" : " suits " + Character.toLowerCase(load.charAt(0)) + load.substring(1));
    }

    /// The explanation of a cell's figures by its scheduler.
    ///
    /// @param cellIndex index of the cell in its experiment
    /// @param cellLabel its label among the cells of the experiment
    /// @param circumstance what distinguishes it from other cells of its scheduler
    /// @param scheduler with its options
    /// @param whenItWins the load that suits the policy, from the registry; empty for an unknown scheduler
    /// @param known whether queue, batches and lanes were recorded, or a rule has something to say
    /// @param seen the insights, or a sentence that there are none
    public record CellExplanation(int cellIndex, String cellLabel, String circumstance, String scheduler,
            String whenItWins, boolean known, String seen) {}
}
