package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.measurement.Drift;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.DeploymentAnswer;

/// Short sentences that the record supports: how it ended, what failed, who won where that can be told, and what it does not show.
public final class Findings {
    private static final int NAMED = 3;
    private final ExperimentRecord record;
    private final ExperimentManifest manifest;
    private final List<ComparedCell> cells;

    private Findings(ExperimentRecord record) {
        this.record = record;
        this.manifest = record.manifest();
        this.cells = ComparedCell.of(List.of(manifest));
    }

    /// The findings, the most important first.
    public static List<String> of(ExperimentRecord record) {
        return new Findings(record).all();
    }

    private List<String> all() {
        List<String> findings = new ArrayList<>();
        ending().ifPresent(findings::add);
        invalid().ifPresent(findings::add);
        DeploymentAnswer.of(cells, List.of(manifest)).map(DeploymentAnswer::sentence).ifPresent(findings::add);
        failures().ifPresent(findings::add);
        if (!cells.isEmpty()) {
            findings.addAll(winners("output_throughput", "output throughput"));
            findings.addAll(winners("ttft_p50", "median time to first token"));
            tooFewSamples().ifPresent(findings::add);
            warnings().forEach(findings::add);
            drift().ifPresent(findings::add);
        }
        synthetic().ifPresent(findings::add);
        return List.copyOf(findings);
    }

    private Optional<String> ending() {
        int runs = record.runs().size();
        long complete = record.runs().stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).count();
        String share = complete + " of " + manifest.plan().size() + " planned runs are complete.";
        return switch (manifest.status()) {
            case COMPLETE -> complete == runs ? Optional.empty() : Optional.of(share);
            case RUNNING -> Optional.of("The experiment is still running: " + share);
            case CANCELLED -> Optional.of("The experiment was stopped by its user: " + share);
            case INTERRUPTED -> Optional.of("The experiment was interrupted, for its process vanished: " + share);
            case FAILED ->
                Optional.of("The experiment failed. " + (manifest.failure().isEmpty() ? share : manifest.failure()));
        };
    }

    private Optional<String> invalid() {
        Verdict verdict = manifest.verdict();
        if (verdict == null || verdict.grade() != Verdict.Grade.INVALID) {
            return Optional.empty();
        }
        List<String> broken =
                verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.BROKEN)
                        .map(condition -> condition.name() + " (" + condition.observed() + ")").toList();
        return Optional.of("These figures cannot be relied on. Not met: " + String.join("; ", broken) + ".");
    }

    private List<String> warnings() {
        Verdict verdict = manifest.verdict();
        return verdict == null ? List.of()
                : verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.WARNING)
                        .map(condition -> "Warning: " + condition.name() + ": " + condition.observed() + ".").toList();
    }

    /// Runs in the order in which they happened; a cell counts where each of its complete runs has the figure.
    private Optional<String> drift() {
        List<Drift.Point> points = new ArrayList<>();
        for (ComparedCell cell : cells) {
            List<Integer> orders = record.runs().stream().map(RunRecord::manifest).filter(
                    run -> run.status() == RunStatus.COMPLETE && run.plan().cellIndex() == cell.summary().cellIndex())
                    .map(run -> run.plan().run()).toList();
            List<Double> values = cell.figure("output_throughput").map(CellFigure::runValues).orElse(List.of());
            for (int i = 0; i < values.size() && values.size() == orders.size(); i++) {
                points.add(new Drift.Point(cell.summary().cellIndex(), orders.get(i), values.get(i)));
            }
        }
        return Drift.of(points).filter(Drift::isWarning).map(drift -> "Warning: output throughput drifted by "
                + FigureText.signed(drift.change()) + " % from the first run to the last (p = "
                + String.format(Locale.ROOT, "%.3f", drift.pValue()) + " over " + drift.runs()
                + " runs): something beside the cells changed while they ran. Let the machine settle and run again.");
    }

    private Optional<String> failures() {
        long measured = 0;
        Map<String, Long> failed = new LinkedHashMap<>();
        for (RunRecord run : record.runs()) {
            for (RequestOutcome request : run.observations().requests()) {
                if (!request.warmUp()) {
                    measured++;
                    if (!request.ok()) {
                        failed.merge(label(run), 1L, Long::sum);
                    }
                }
            }
        }
        if (measured == 0) {
            return Optional.empty();
        }
        long all = failed.values().stream().mapToLong(Long::longValue).sum();
        if (all == 0) {
            return Optional.of("All " + measured + " measured requests ended well.");
        }
        List<String> worst = failed.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(NAMED).map(entry -> entry.getKey() + " " + entry.getValue()).toList();
        return Optional.of(all + " of " + measured + " measured requests did not end well (" + String.join(", ", worst)
                + (failed.size() > NAMED ? ", ..." : "") + "); latencies are those of the others.");
    }

    /// One sentence for each model and load with more than one cell.
    private List<String> winners(String metricId, String name) {
        Map<Object, List<ComparedCell>> byLoad = new LinkedHashMap<>();
        cells.stream().filter(cell -> cell.figure(metricId).isPresent()).forEach(
                cell -> byLoad.computeIfAbsent(List.of(cell.summary().model(), cell.summary().cell().workload()),
                        key -> new ArrayList<>()).add(cell));
        List<String> sentences = new ArrayList<>();
        for (List<ComparedCell> group : byLoad.values()) {
            if (group.size() > 1) {
                String load = byLoad.size() > 1
                        ? " (workload " + group.getFirst().summary().cell().workload().name() + ")" : "";
                sentences.add(winner(group, metricId, name, load));
            }
        }
        return sentences;
    }

    private static String winner(List<ComparedCell> group, String metricId, String name, String load) {
        if (group.stream().anyMatch(cell -> figure(cell, metricId).runs() < 2)) {
            return "For " + name + load + " no winner is named: a cell that ran once has no interval.";
        }
        boolean higher = figure(group.getFirst(), metricId).metric().better() == Better.HIGHER;
        Comparator<ComparedCell> byMean = Comparator.comparingDouble(cell -> figure(cell, metricId).mean());
        List<ComparedCell> ranked = group.stream().sorted(higher ? byMean.reversed() : byMean).toList();
        ComparedCell best = ranked.getFirst();
        List<ComparedCell> others = ranked.subList(1, ranked.size());
        List<Comparison> comparisons = Comparisons.against(figure(best, metricId),
                others.stream().map(cell -> figure(cell, metricId)).toList());
        List<String> equals = new ArrayList<>();
        for (int c = 0; c < others.size(); c++) {
            if (comparisons.get(c).outcome() != Comparison.Outcome.SLOWER) {
                equals.add(others.get(c).name());
            }
        }
        CellFigure top = figure(best, metricId);
        String value = FigureText.value(top.metric().unit(), top.mean()) + " " + FigureText.unit(top.metric().unit());
        String adjective = higher ? "highest" : "lowest";
        if (!equals.isEmpty()) {
            return "The " + adjective + " " + name + load + " cannot be pinned on one cell: " + best.name() + " ("
                    + value + ") cannot be told apart from " + String.join(", ", equals) + ".";
        }
        return best.name() + " had the " + adjective + " " + name + load + ", " + value
                + lead(figure(others.getFirst(), metricId), top, others.getFirst());
    }

    private static String lead(CellFigure next, CellFigure top, ComparedCell nextCell) {
        Comparison lead = Comparisons.between(next, top);
        String interval = lead
                .relativeHalfWidth().flatMap(half -> lead.improvement().map(gain -> " (95 % interval "
                        + FigureText.percent(gain - half) + " to " + FigureText.percent(gain + half) + " %)"))
                .orElse("");
        return lead.improvement().map(gain -> ", " + FigureText.percent(gain) + " % better than the next, "
                + nextCell.name() + interval + ".").orElse(".");
    }

    private Optional<String> tooFewSamples() {
        List<String> marked = cells.stream().flatMap(cell -> cell.summary().figures().stream())
                .filter(figure -> !figure.enough()
                        && List.of("ttft_p95", "ttft_p99", "e2e_p95", "e2e_p99").contains(figure.metric().id()))
                .map(figure -> figure.metric().label()).distinct().toList();
        return marked.isEmpty() ? Optional.empty() : Optional.of("Too few samples stand behind "
                + String.join(", ", marked) + " in at least one cell; they are shown with the n of a run.");
    }

    private Optional<String> synthetic() {
        long synthetic = record.runs().stream().filter(run -> run.manifest().syntheticWeights()).count();
        return synthetic == 0 ? Optional.empty() : Optional.of(
                "Weights are synthetic random numbers: this shows speed and memory, and nothing of the quality of answers.");
    }

    private String label(RunRecord run) {
        int index = run.manifest().plan().cellIndex();
        return cells.stream().filter(cell -> cell.summary().cellIndex() == index).findFirst().map(ComparedCell::label)
                .orElse(run.manifest().plan().cell().label());
    }

    private static CellFigure figure(ComparedCell cell, String metricId) {
        return cell.figure(metricId).orElseThrow();
    }
}
