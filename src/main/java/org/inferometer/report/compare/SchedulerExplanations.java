package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.Subject;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.LaneUse;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RunRecord;
import org.inferometer.report.FigureText;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;

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

    /// The rules that explain the figures of a cell. Each looks at recorded figures, has one threshold, and gives one sentence or none.
    ///
    /// @param figures of the cell
    /// @param lanes the computing lanes, by number
    public record SchedulerInsights(List<CellFigure> figures, List<LaneShare> lanes) {
        static final String NOTHING = "No notable queue, padding, preemption or idle lane.";
        public static final String NOT_RECORDED = "Queue, batches and lanes were not recorded.";
        /// Queue time / E2E from which the queue is reported.
        static final double QUEUE_SHARE = 0.25;
        /// Padding / computed positions from which padding is reported.
        static final double PADDING_SHARE = 0.05;
        /// Busy share below which a lane is idle.
        static final double IDLE_BELOW = 0.5;
        /// Least busy / most busy lane below which lanes are uneven.
        static final double UNEVEN_BELOW = 0.7;
        /// Batch occupancy below which batches are small.
        static final double SMALL_BATCH_BELOW = 0.3;
        /// Decision time / step time from which decisions are reported.
        static final double DECISION_SHARE = 0.05;
        /// Share of the KV pool from which it is full.
        static final double POOL_FULL = 0.95;
        /// Prefix hits / prompt tokens from which hits are reported.
        static final double HIT_SHARE = 0.01;
        private static final List<Metric> NEEDED = List.of(Metrics.ENGINE_QUEUE.mean(), Metrics.BATCH_EFFICIENCY,
                Metrics.LANE_UTILISATION, Metrics.BATCH_OCCUPANCY);

        /// Busy time of a lane / window, mean over runs.
        record LaneShare(int lane, Lane.Role role, double busy) {
            String label() {
                return switch (role) {
                    case ANY -> "lane " + lane;
                    case PREFILL -> "prefill lane " + lane;
                    case DECODE -> "decode lane " + lane;
                    case TRANSFER -> "transfer lane " + lane;
                };
            }
        }

        /// The insights into a cell, its lanes averaged over its runs.
        public static SchedulerInsights of(List<CellFigure> figures, List<RunRecord> runs) {
            Map<Integer, List<LaneUse>> lanes = runs.stream().flatMap(run -> LaneUse.of(run.observations()).stream())
                    .filter(use -> use.role() != Lane.Role.TRANSFER)
                    .collect(Collectors.groupingBy(use -> use.lane().index(), TreeMap::new, Collectors.toList()));
            return new SchedulerInsights(figures,
                    lanes.entrySet().stream()
                            .map(lane -> new LaneShare(lane.getKey(), lane.getValue().getFirst().role(),
                                    lane.getValue().stream().mapToDouble(LaneUse::busyShare).average().orElse(0)))
                            .toList());
        }

        private List<String> sentences() {
            return Stream.of(queueing(), padding(), preemption(), fullPool(), unevenLanes(), idleLanes(),
                    smallBatches(), prefixHits(), moves(), decisionTime()).flatMap(Optional::stream).toList();
        }

        /// Whether there is something to say: an insight, or that there is none.
        public boolean isKnown() {
            return isRecorded() || !sentences().isEmpty();
        }

        /// The sentences of all rules, as one text.
        public String text() {
            String text = String.join(" ", sentences());
            return !text.isEmpty() ? text : isRecorded() ? NOTHING : NOT_RECORDED;
        }

        /// Whether queue, batches and lanes were recorded.
        private boolean isRecorded() {
            return NEEDED.stream().allMatch(metric -> mean(metric).isPresent());
        }

        private Optional<Double> mean(Metric metric) {
            return CellFigures.find(figures, metric).map(CellFigure::mean);
        }

        Optional<String> queueing() {
            return ratio(Metrics.ENGINE_QUEUE.mean(), Metrics.E2E.mean()).filter(queue -> queue.share() >= QUEUE_SHARE)
                    .map(queue -> "Queue time was " + percent(queue.share()) + " of E2E latency ("
                            + QuantityText.latency(queue.part()) + " of " + QuantityText.latency(queue.whole()) + ")"
                            + mean(Metrics.BATCH_OCCUPANCY).filter(rows -> rows < SMALL_BATCH_BELOW)
                                    .map(rows -> ", although batch occupancy was only " + percent(rows) + ".")
                                    .orElse("."));
        }

        Optional<String> padding() {
            return mean(Metrics.BATCH_EFFICIENCY).map(useful -> 1 - useful).filter(padding -> padding >= PADDING_SHARE)
                    .map(padding -> percent(padding) + " of computed positions were padding.");
        }

        Optional<String> preemption() {
            double preempted = mean(Metrics.PREEMPTIONS).orElse(0.0);
            double recomputed = mean(Metrics.RECOMPUTED_TOKENS).orElse(0.0);
            List<String> parts = new ArrayList<>();
            if (preempted > 0) {
                parts.add(count(preempted, "request") + (preempted == 1 ? " was" : " were") + " preempted");
            }
            if (recomputed > 0) {
                parts.add(count(recomputed, "position") + (recomputed == 1 ? " was" : " were") + " recomputed");
            }
            return parts.isEmpty() ? Optional.empty() : Optional.of("Per run, " + String.join(" and ", parts) + ".");
        }

        Optional<String> fullPool() {
            return mean(Metrics.KV_USE_PEAK).filter(peak -> peak >= POOL_FULL)
                    .map(peak -> "KV use peaked at " + percent(peak) + " of the pool.");
        }

        Optional<String> unevenLanes() {
            Optional<LaneShare> most = lanes.stream().max(Comparator.comparingDouble(LaneShare::busy));
            Optional<LaneShare> least = lanes.stream().min(Comparator.comparingDouble(LaneShare::busy));
            return most.flatMap(
                    busiest -> least.filter(idlest -> lanes.size() > 1 && idlest.busy() < UNEVEN_BELOW * busiest.busy())
                            .map(idlest -> "Lanes were uneven: " + idlest.label() + " was busy "
                                    + percent(idlest.busy()) + " of the time, " + busiest.label() + " "
                                    + percent(busiest.busy()) + "."));
        }

        Optional<String> idleLanes() {
            List<LaneShare> idle = lanes.stream().filter(lane -> lane.busy() < IDLE_BELOW).toList();
            if (idle.isEmpty()) {
                return Optional.empty();
            }
            double busy = idle.stream().mapToDouble(LaneShare::busy).average().orElse(0);
            String subject = lanes.size() == 1 ? "the lane" : idle.size() == lanes.size() ? "all lanes"
                    : idle.stream().map(LaneShare::label).collect(Collectors.joining(" and "));
            return Optional.of(LetterCase.capitalized(subject) + (idle.size() > 1 ? " were" : " was") + " idle "
                    + percent(1 - busy) + " of the time.");
        }

        Optional<String> smallBatches() {
            return queueing().isPresent() ? Optional.empty()
                    : mean(Metrics.BATCH_OCCUPANCY).filter(rows -> rows < SMALL_BATCH_BELOW)
                            .map(rows -> "Batch occupancy was only " + percent(rows) + ".");
        }

        Optional<String> prefixHits() {
            return mean(Metrics.PREFIX_HIT_RATE).filter(share -> share >= HIT_SHARE)
                    .map(share -> percent(share) + " of prompt tokens were prefix cache hits.");
        }

        Optional<String> moves() {
            return mean(Metrics.MOVES).filter(moves -> moves > 0).map(moves -> "Per run, " + count(moves, "KV transfer")
                    + " between pools"
                    + mean(Metrics.MOVED_BYTES)
                            .map(bytes -> ", " + QuantityText.bytes(Math.round(bytes / moves)) + " each").orElse("")
                    + mean(Metrics.MOVE_TIME.mean()).map(nanos -> " in " + QuantityText.latency(nanos)).orElse("")
                    + ".");
        }

        Optional<String> decisionTime() {
            return ratio(Metrics.DECISION_TIME.mean(), Metrics.STEP_TIME.mean())
                    .filter(decision -> decision.share() >= DECISION_SHARE)
                    .map(decision -> "Scheduling decisions took " + QuantityText.latency(decision.part())
                            + " per step of " + QuantityText.latency(decision.whole()) + ".");
        }

        private record Ratio(double part, double whole) {
            double share() {
                return part / whole;
            }
        }

        private Optional<Ratio> ratio(Metric part, Metric whole) {
            return mean(part).flatMap(one -> mean(whole).filter(all -> all > 0).map(all -> new Ratio(one, all)));
        }

        /// One decimal below ten per cent, none from there on.
        private static String percent(double share) {
            double tenths = Math.round(share * 1000) / 10.0;
            boolean whole = tenths >= 9.95 || tenths == Math.rint(tenths);
            return String.format(Locale.ROOT, whole ? "%.0f %%" : "%.1f %%", share * 100);
        }

        /// Means over runs may have decimals.
        private static String count(double mean, String noun) {
            String number =
                    mean == Math.rint(mean) ? Long.toString(Math.round(mean)) : FigureText.value(Unit.COUNT, mean);
            return number + " " + noun + (mean == 1 ? "" : "s");
        }
    }

    private static String whenItWins(Subject subject, SchedulerRegistry schedulers) {
        return switch (subject) {
            case EngineSubject engine ->
                schedulers.descriptions().stream().filter(each -> each.name().equals(engine.scheduler().name()))
                        .findFirst().map(each -> each.whenItWins(engine.scheduler())).orElse("");
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
