package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.record.Metric.Unit;
import org.inferometer.units.QuantityText;

/// The rules that say what stood out in a cell. Each looks at figures that the record holds, has one threshold, and says one sentence
/// or nothing; what was not recorded is not spoken of.
final class SchedulerInsights {
    static final String NOTHING = "Nothing stood out: no queue, padding, preemption or idle lane worth a word.";
    static final String NOT_RECORDED = "The record does not hold what could be explained.";
    /// The queue is named from this share of the end-to-end latency on.
    static final double QUEUE_SHARE = 0.25;
    /// Padding is named from this share of the computed positions on.
    static final double PADDING_SHARE = 0.05;
    /// A lane is named idle below this share of the window.
    static final double IDLE_BELOW = 0.5;
    /// Lanes are named uneven where the least busy has less than this share of what the busiest has.
    static final double UNEVEN_BELOW = 0.7;
    /// Steps are named sparse below this share of the row limit.
    static final double SPARSE_BELOW = 0.3;
    /// Deciding is named from this share of a step's time on.
    static final double DECISION_SHARE = 0.05;
    /// The KV pool is named full from this share on.
    static final double POOL_FULL = 0.95;
    /// Prefix hits are named from this share of the prompt tokens on.
    static final double HIT_SHARE = 0.01;

    private static final List<Function<CellFacts, Optional<String>>> RULES = List.of(SchedulerInsights::queueing,
            SchedulerInsights::padding, SchedulerInsights::preemption, SchedulerInsights::fullPool,
            SchedulerInsights::unevenLanes, SchedulerInsights::idleLanes, SchedulerInsights::sparseSteps,
            SchedulerInsights::prefixHits, SchedulerInsights::moves, SchedulerInsights::decisionCost);
    private static final List<String> NEEDED =
            List.of("engine_queue_mean", "batch_efficiency", "lane_utilisation", "batch_occupancy");

    private SchedulerInsights() {}

    /// Everything that stood out, in the order of the rules, as one text.
    static String seen(CellFacts facts) {
        List<String> sentences = new ArrayList<>();
        RULES.forEach(rule -> rule.apply(facts).ifPresent(sentences::add));
        if (!sentences.isEmpty()) {
            return String.join(" ", sentences);
        }
        return NEEDED.stream().allMatch(id -> facts.mean(id).isPresent()) ? NOTHING : NOT_RECORDED;
    }

    /// Waiting to be let in took a good part of the latency; and whether steps had room meanwhile.
    static Optional<String> queueing(CellFacts facts) {
        return both(facts, "engine_queue_mean", "e2e_mean").filter(pair -> pair.share() >= QUEUE_SHARE)
                .map(pair -> "Requests waited " + percent(pair.share()) + " of their time to be let in ("
                        + QuantityText.latency(pair.part()) + " of " + QuantityText.latency(pair.whole())
                        + " on average)"
                        + facts.mean("batch_occupancy").filter(rows -> rows < SPARSE_BELOW).map(
                                rows -> ", although steps carried only " + percent(rows) + " of the rows they may.")
                                .orElse("."));
    }

    /// Positions were computed for nothing.
    static Optional<String> padding(CellFacts facts) {
        return facts.mean("batch_efficiency").map(useful -> 1 - useful).filter(padding -> padding >= PADDING_SHARE)
                .map(padding -> percent(padding) + " of the computed positions were padding.");
    }

    /// Requests lost their blocks, and work with them.
    static Optional<String> preemption(CellFacts facts) {
        double preempted = facts.mean("preemptions").orElse(0.0);
        double again = facts.mean("recomputed_tokens").orElse(0.0);
        if (preempted <= 0 && again <= 0) {
            return Optional.empty();
        }
        String who = preempted > 0
                ? count(preempted, "request") + " lost " + (preempted == 1 ? "its" : "their") + " blocks to older ones"
                : "";
        String what = again > 0 ? count(again, "position") + " had to be computed again" : "";
        String joined = who.isEmpty() || what.isEmpty() ? who + what : who + " and " + what;
        return Optional.of("In a run " + joined + ".");
    }

    /// The KV pool was full at times.
    static Optional<String> fullPool(CellFacts facts) {
        return facts.mean("kv_use_peak").filter(peak -> peak >= POOL_FULL)
                .map(peak -> "The KV pool was full at times (" + percent(peak) + " held).");
    }

    /// One lane worked while another stood still.
    static Optional<String> unevenLanes(CellFacts facts) {
        Optional<LaneShare> busiest = facts.lanes().stream().max(Comparator.comparingDouble(LaneShare::busy));
        Optional<LaneShare> least = facts.lanes().stream().min(Comparator.comparingDouble(LaneShare::busy));
        return busiest.flatMap(
                most -> least.filter(few -> facts.lanes().size() > 1 && few.busy() < UNEVEN_BELOW * most.busy())
                        .map(few -> "Lanes were uneven: " + few.words() + " worked " + percent(few.busy())
                                + " of the time, " + most.words() + " " + percent(most.busy()) + "."));
    }

    /// Lanes stood still for want of work or of leave to do it.
    static Optional<String> idleLanes(CellFacts facts) {
        List<LaneShare> idle = facts.lanes().stream().filter(lane -> lane.busy() < IDLE_BELOW).toList();
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        double mean = idle.stream().mapToDouble(LaneShare::busy).average().orElse(0);
        String who = facts.lanes().size() == 1 ? "the lane" : idle.size() == facts.lanes().size() ? "all lanes"
                : idle.stream().map(LaneShare::words).collect(Collectors.joining(" and "));
        return Optional.of(capitalised(who) + " stood idle " + percent(1 - mean) + " of the time.");
    }

    /// Steps carried few rows of those they may.
    static Optional<String> sparseSteps(CellFacts facts) {
        return queueing(facts).isPresent() ? Optional.empty()
                : facts.mean("batch_occupancy").filter(rows -> rows < SPARSE_BELOW)
                        .map(rows -> "Steps carried only " + percent(rows) + " of the rows they may.");
    }

    /// Prompts were found in the cache.
    static Optional<String> prefixHits(CellFacts facts) {
        return facts.mean("prefix_hit_rate").filter(share -> share >= HIT_SHARE)
                .map(share -> percent(share) + " of the prompt tokens came from the prefix cache.");
    }

    /// Keys and values were copied between pools.
    static Optional<String> moves(CellFacts facts) {
        return facts.mean("moves").filter(moves -> moves > 0)
                .map(moves -> "In a run " + count(moves, "request") + " moved to another pool"
                        + facts.mean("moved_bytes")
                                .map(bytes -> ", " + QuantityText.bytes(Math.round(bytes / moves)) + " each").orElse("")
                        + facts.mean("move_time_mean").map(nanos -> " in " + QuantityText.latency(nanos)).orElse("")
                        + ".");
    }

    /// Deciding cost a part of the steps that it chose.
    static Optional<String> decisionCost(CellFacts facts) {
        return both(facts, "decision_time_mean", "step_time_mean").filter(pair -> pair.share() >= DECISION_SHARE)
                .map(pair -> "Deciding took " + QuantityText.latency(pair.part()) + " before steps of "
                        + QuantityText.latency(pair.whole()) + ".");
    }

    private record Pair(double part, double whole) {
        double share() {
            return part / whole;
        }
    }

    private static Optional<Pair> both(CellFacts facts, String part, String whole) {
        return facts.mean(part).flatMap(one -> facts.mean(whole).filter(all -> all > 0).map(all -> new Pair(one, all)));
    }

    /// One decimal below ten per cent, none from there on.
    private static String percent(double share) {
        double tenths = Math.round(share * 1000) / 10.0;
        boolean whole = tenths >= 9.95 || tenths == Math.rint(tenths);
        return String.format(Locale.ROOT, whole ? "%.0f %%" : "%.1f %%", share * 100);
    }

    /// Means over runs need not be whole.
    private static String count(double mean, String noun) {
        String number = mean == Math.rint(mean) ? Long.toString(Math.round(mean)) : FigureText.value(Unit.COUNT, mean);
        return number + " " + noun + (mean == 1 ? "" : "s");
    }

    private static String capitalised(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
