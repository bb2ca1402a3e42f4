package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.scheduling.Lane;
import org.junit.jupiter.api.Test;

class SchedulerInsightsTest {
    private static final double MILLI = 1e6;

    /// Pairs of metric id and mean.
    private static CellFacts facts(Object... pairs) {
        return facts(List.of(), pairs);
    }

    private static CellFacts facts(List<LaneShare> lanes, Object... pairs) {
        Map<String, CellFigure> figures = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            String id = (String) pairs[i];
            double mean = ((Number) pairs[i + 1]).doubleValue();
            figures.put(id, new CellFigure(Metrics.find(id).orElseThrow(), mean, null, List.of(mean), 100, true));
        }
        return new CellFacts(figures, lanes);
    }

    private static List<LaneShare> lanes(double... busy) {
        return IntStream.range(0, busy.length).mapToObj(lane -> new LaneShare(lane, Lane.Role.ANY, busy[lane]))
                .toList();
    }

    @Test
    void aQueueIsNamedFromAQuarterOfTheLatencyOn() {
        assertThat(SchedulerInsights.queueing(facts("engine_queue_mean", 300 * MILLI, "e2e_mean", 1000 * MILLI)))
                .contains("Requests waited 30 % of their time to be let in (300 ms of 1000 ms on average).");
        assertThat(SchedulerInsights.queueing(facts("engine_queue_mean", 240 * MILLI, "e2e_mean", 1000 * MILLI)))
                .isEmpty();
        assertThat(SchedulerInsights.queueing(facts("e2e_mean", 1000 * MILLI))).isEmpty();
    }

    @Test
    void aQueueBesideEmptyRowsSaysSoOnce() {
        CellFacts waiting = facts("engine_queue_mean", 300 * MILLI, "e2e_mean", 1000 * MILLI, "batch_occupancy", 0.15);
        assertThat(SchedulerInsights.queueing(waiting)).hasValueSatisfying(
                text -> assertThat(text).endsWith(", although steps carried only 15 % of the rows they may."));
        assertThat(SchedulerInsights.sparseSteps(waiting)).isEmpty();
        assertThat(SchedulerInsights.sparseSteps(facts("batch_occupancy", 0.15)))
                .contains("Steps carried only 15 % of the rows they may.");
        assertThat(SchedulerInsights.sparseSteps(facts("batch_occupancy", 0.31))).isEmpty();
    }

    @Test
    void paddingIsNamedFromATwentiethOn() {
        assertThat(SchedulerInsights.padding(facts("batch_efficiency", 0.654)))
                .contains("35 % of the computed positions were padding.");
        assertThat(SchedulerInsights.padding(facts("batch_efficiency", 0.96))).isEmpty();
        assertThat(SchedulerInsights.padding(facts())).isEmpty();
    }

    @Test
    void preemptionsAreNamedWithWhatTheyCost() {
        assertThat(SchedulerInsights.preemption(facts("preemptions", 3, "recomputed_tokens", 120.5))).contains(
                "In a run 3 requests lost their blocks to older ones and 120.5 positions had to be computed again.");
        assertThat(SchedulerInsights.preemption(facts("preemptions", 1, "recomputed_tokens", 0)))
                .contains("In a run 1 request lost its blocks to older ones.");
        assertThat(SchedulerInsights.preemption(facts("preemptions", 0, "recomputed_tokens", 0))).isEmpty();
        assertThat(SchedulerInsights.preemption(facts())).isEmpty();
    }

    @Test
    void aFullPoolIsNamed() {
        assertThat(SchedulerInsights.fullPool(facts("kv_use_peak", 0.97)))
                .contains("The KV pool was full at times (97 % held).");
        assertThat(SchedulerInsights.fullPool(facts("kv_use_peak", 0.94))).isEmpty();
    }

    @Test
    void idleLanesAreNamedBelowHalfOfTheTime() {
        assertThat(SchedulerInsights.idleLanes(facts(lanes(0.4)))).contains("The lane stood idle 60 % of the time.");
        assertThat(SchedulerInsights.idleLanes(facts(lanes(0.9, 0.3)))).contains("Lane 1 stood idle 70 % of the time.");
        assertThat(SchedulerInsights.idleLanes(facts(lanes(0.2, 0.3))))
                .contains("All lanes stood idle 75 % of the time.");
        assertThat(SchedulerInsights.idleLanes(facts(lanes(0.51, 0.6)))).isEmpty();
        assertThat(SchedulerInsights.idleLanes(facts())).isEmpty();
    }

    @Test
    void unevenLanesAreNamed() {
        assertThat(SchedulerInsights.unevenLanes(
                facts(List.of(new LaneShare(0, Lane.Role.PREFILL, 0.3), new LaneShare(1, Lane.Role.DECODE, 0.9)))))
                .contains("Lanes were uneven: context lane 0 worked 30 % of the time, generation lane 1 90 %.");
        assertThat(SchedulerInsights.unevenLanes(facts(lanes(0.077, 0))))
                .contains("Lanes were uneven: lane 1 worked 0 % of the time, lane 0 7.7 %.");
        assertThat(SchedulerInsights.unevenLanes(facts(lanes(0.65, 0.9)))).isEmpty();
        assertThat(SchedulerInsights.unevenLanes(facts(lanes(0.2)))).isEmpty();
    }

    @Test
    void prefixHitsAndMovesAreNamedWhereThereAreAny() {
        assertThat(SchedulerInsights.prefixHits(facts("prefix_hit_rate", 0.42)))
                .contains("42 % of the prompt tokens came from the prefix cache.");
        assertThat(SchedulerInsights.prefixHits(facts("prefix_hit_rate", 0))).isEmpty();
        assertThat(SchedulerInsights.moves(facts("moves", 10, "moved_bytes", 10 << 20, "move_time_mean", 2 * MILLI)))
                .contains("In a run 10 requests moved to another pool, 1.00 MiB each in 2.00 ms.");
        assertThat(SchedulerInsights.moves(facts("moves", 0, "moved_bytes", 0))).isEmpty();
    }

    @Test
    void decidingIsNamedFromATwentiethOfAStepOn() {
        assertThat(SchedulerInsights.decisionCost(facts("decision_time_mean", 0.1 * MILLI, "step_time_mean", MILLI)))
                .contains("Deciding took 100 µs before steps of 1.00 ms.");
        assertThat(SchedulerInsights.decisionCost(facts("decision_time_mean", 0.04 * MILLI, "step_time_mean", MILLI)))
                .isEmpty();
    }

    @Test
    void nothingIsSaidOfNothingAndOfWhatWasNotRecorded() {
        assertThat(SchedulerInsights.seen(facts("engine_queue_mean", 0, "e2e_mean", MILLI, "batch_efficiency", 1,
                "lane_utilisation", 0.9, "batch_occupancy", 0.8))).isEqualTo(SchedulerInsights.NOTHING);
        assertThat(SchedulerInsights.seen(facts("e2e_mean", MILLI))).isEqualTo(SchedulerInsights.NOT_RECORDED);
        assertThat(Optional.of(SchedulerInsights.seen(facts("batch_efficiency", 0.5, "kv_use_peak", 1))))
                .contains("50 % of the computed positions were padding. The KV pool was full at times (100 % held).");
    }
}
