package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.report.compare.SchedulerExplanations.SchedulerInsights;
import org.inferometer.scheduling.Lane;
import org.junit.jupiter.api.Test;

class SchedulerInsightsTest {
    private static final double MILLI = 1e6;

    /// Pairs of metric id and mean.
    private static SchedulerInsights insights(Object... pairs) {
        return insights(List.of(), pairs);
    }

    private static SchedulerInsights insights(List<SchedulerInsights.LaneShare> lanes, Object... pairs) {
        List<CellFigure> figures = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            String id = (String) pairs[i];
            double mean = ((Number) pairs[i + 1]).doubleValue();
            figures.add(new CellFigure(Metrics.find(id).orElseThrow(), mean, null, List.of(mean), 100, 100, true));
        }
        return new SchedulerInsights(figures, lanes);
    }

    private static List<SchedulerInsights.LaneShare> lanes(double... busy) {
        return IntStream.range(0, busy.length)
                .mapToObj(lane -> new SchedulerInsights.LaneShare(lane, Lane.Role.ANY, busy[lane])).toList();
    }

    @Test
    void queueIsReportedFromAQuarterOfLatency() {
        assertThat(insights("engine_queue_mean", 300 * MILLI, "e2e_mean", 1000 * MILLI).queueing())
                .contains("Queue time was 30 % of E2E latency (300 ms of 1000 ms).");
        assertThat(insights("engine_queue_mean", 240 * MILLI, "e2e_mean", 1000 * MILLI).queueing()).isEmpty();
        assertThat(insights("e2e_mean", 1000 * MILLI).queueing()).isEmpty();
    }

    @Test
    void queueWithSmallBatchesIsReportedOnce() {
        SchedulerInsights waiting =
                insights("engine_queue_mean", 300 * MILLI, "e2e_mean", 1000 * MILLI, "batch_occupancy", 0.15);
        assertThat(waiting.queueing())
                .hasValueSatisfying(text -> assertThat(text).endsWith(", although batch occupancy was only 15 %."));
        assertThat(waiting.smallBatches()).isEmpty();
        assertThat(insights("batch_occupancy", 0.15).smallBatches()).contains("Batch occupancy was only 15 %.");
        assertThat(insights("batch_occupancy", 0.31).smallBatches()).isEmpty();
    }

    @Test
    void paddingIsReportedFromFivePercent() {
        assertThat(insights("batch_efficiency", 0.654).padding()).contains("35 % of computed positions were padding.");
        assertThat(insights("batch_efficiency", 0.96).padding()).isEmpty();
        assertThat(insights().padding()).isEmpty();
    }

    @Test
    void preemptionsAreReportedWithRecomputation() {
        assertThat(insights("preemptions", 3, "recomputed_tokens", 120.5).preemption())
                .contains("Per run, 3 requests were preempted and 120.5 positions were recomputed.");
        assertThat(insights("preemptions", 1, "recomputed_tokens", 0).preemption())
                .contains("Per run, 1 request was preempted.");
        assertThat(insights("preemptions", 0, "recomputed_tokens", 0).preemption()).isEmpty();
        assertThat(insights().preemption()).isEmpty();
    }

    @Test
    void fullPoolIsReported() {
        assertThat(insights("kv_use_peak", 0.97).fullPool()).contains("KV use peaked at 97 % of the pool.");
        assertThat(insights("kv_use_peak", 0.94).fullPool()).isEmpty();
    }

    @Test
    void idleLanesAreReportedBelowHalfBusy() {
        assertThat(insights(lanes(0.4)).idleLanes()).contains("The lane was idle 60 % of the time.");
        assertThat(insights(lanes(0.9, 0.3)).idleLanes()).contains("Lane 1 was idle 70 % of the time.");
        assertThat(insights(lanes(0.2, 0.3)).idleLanes()).contains("All lanes were idle 75 % of the time.");
        assertThat(insights(lanes(0.51, 0.6)).idleLanes()).isEmpty();
        assertThat(insights().idleLanes()).isEmpty();
    }

    @Test
    void unevenLanesAreReported() {
        assertThat(insights(List.of(new SchedulerInsights.LaneShare(0, Lane.Role.PREFILL, 0.3),
                new SchedulerInsights.LaneShare(1, Lane.Role.DECODE, 0.9))).unevenLanes())
                .contains("Lanes were uneven: prefill lane 0 was busy 30 % of the time, decode lane 1 90 %.");
        assertThat(insights(lanes(0.077, 0)).unevenLanes())
                .contains("Lanes were uneven: lane 1 was busy 0 % of the time, lane 0 7.7 %.");
        assertThat(insights(lanes(0.65, 0.9)).unevenLanes()).isEmpty();
        assertThat(insights(lanes(0.2)).unevenLanes()).isEmpty();
    }

    @Test
    void prefixHitsAndKvTransfersAreReported() {
        assertThat(insights("prefix_hit_rate", 0.42).prefixHits())
                .contains("42 % of prompt tokens were prefix cache hits.");
        assertThat(insights("prefix_hit_rate", 0).prefixHits()).isEmpty();
        assertThat(insights("moves", 10, "moved_bytes", 10 << 20, "move_time_mean", 2 * MILLI).moves())
                .contains("Per run, 10 KV transfers between pools, 1.00 MiB each in 2.00 ms.");
        assertThat(insights("moves", 0, "moved_bytes", 0).moves()).isEmpty();
    }

    @Test
    void decisionTimeIsReportedFromFivePercent() {
        assertThat(insights("decision_time_mean", 0.1 * MILLI, "step_time_mean", MILLI).decisionTime())
                .contains("Scheduling decisions took 100 µs per step of 1.00 ms.");
        assertThat(insights("decision_time_mean", 0.04 * MILLI, "step_time_mean", MILLI).decisionTime()).isEmpty();
    }

    @Test
    void noInsightsHaveTheirOwnSentence() {
        assertThat(insights("engine_queue_mean", 0, "e2e_mean", MILLI, "batch_efficiency", 1, "lane_utilisation", 0.9,
                "batch_occupancy", 0.8).text()).isEqualTo(SchedulerInsights.NOTHING);
        assertThat(insights("e2e_mean", MILLI).text()).isEqualTo(SchedulerInsights.NOT_RECORDED);
        assertThat(Optional.of(insights("batch_efficiency", 0.5, "kv_use_peak", 1).text()))
                .contains("50 % of computed positions were padding. KV use peaked at 100 % of the pool.");
    }
}
