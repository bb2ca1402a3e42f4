package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunEvent.Admitted;
import org.inferometer.record.RunEvent.Preempted;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class PreemptionFiguresTest {
    /// A warm-up request and two measured ones with prompts of 100 and 60 tokens; the window is 1000 to 2000 ms.
    private static final List<RequestOutcome> REQUESTS = List.of(Outcomes.warmUp(0, 0, 900),
            Outcomes.of(1, false, 100, 2, 1000, 1000, 1000, 1000, RequestStatus.OK, 1500, 1600),
            Outcomes.of(2, false, 60, 2, 1100, 1100, 1200, 1200, RequestStatus.OK, 1900, 2000));
    private static final List<StepReport> STEPS = List.of(new StepReport(0, new LaneId(0), 1000 * MS, 1100 * MS, 1, 1,
            StepSlices.parse("1:0+100"), 100, 0, 0, 0, 1, 0, 7, ""));

    private static Map<String, Figure> figures(boolean reusesPrefixes, List<StepReport> steps, RunEvent... events) {
        Setup setup = new Setup(LaneLayout.sharing(1).lanes(), List.of(), List.of(100), 4, 2, reusesPrefixes, true,
                DeploymentGoal.NONE, LoadKind.UNKNOWN);
        return RunFigures.of(new RunObservations(REQUESTS, steps, List.of(), setup, List.of(events))).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), figure -> figure));
    }

    private static Admitted admitted(int request, long millis, int cached) {
        return new Admitted(millis * MS, new RequestId(request), new LaneId(0), false, cached);
    }

    private static Admitted readmitted(int request, long millis, int cached) {
        return new Admitted(millis * MS, new RequestId(request), new LaneId(0), true, cached);
    }

    private static Preempted preempted(int request, long millis, int lost) {
        return new Preempted(millis * MS, new RequestId(request), lost);
    }

    @Test
    void hitRateCountsFirstAdmissions() {
        Map<String, Figure> figures = figures(true, STEPS, admitted(0, 100, 10), admitted(1, 1000, 32),
                preempted(1, 1100, 50), readmitted(1, 1150, 48), admitted(2, 1200, 48));
        assertThat(figures.get("prefix_hit_rate"))
                .isEqualTo(new Figure(Metrics.PREFIX_HIT_RATE, (32 + 48) / 160.0, 2, true));
    }

    @Test
    void hitRateIsAbsentWithoutPrefixReuse() {
        assertThat(figures(false, STEPS, admitted(1, 1000, 0))).doesNotContainKey("prefix_hit_rate");
        assertThat(figures(true, STEPS)).doesNotContainKey("prefix_hit_rate");
        assertThat(figures(true, STEPS, admitted(0, 1000, 9))).doesNotContainKey("prefix_hit_rate");
        assertThat(figures(true, STEPS, admitted(1, 1000, 0)).get("prefix_hit_rate").value()).isZero();
    }

    /// A server leaves the count out where nothing was cached; one that never counts has no rate.
    @Test
    void hitRateOfServersIsTheirOwnCount() {
        assertThat(figures(false, List.of(), cached(0, 90), cached(1, 40), cached(9, 1)).get("prefix_hit_rate"))
                .isEqualTo(new Figure(Metrics.PREFIX_HIT_RATE, 40 / 160.0, 2, true));
        assertThat(figures(false, List.of(), cached(1, 0)).get("prefix_hit_rate").value()).isZero();
        assertThat(figures(false, List.of(), cached(0, 90))).doesNotContainKey("prefix_hit_rate");
    }

    @Test
    void hitRateOfCountersIsTheirIncreaseOverTheWindow() {
        String hits = "vllm:prefix_cache_hits_total";
        String queries = "vllm:prefix_cache_queries_total";
        RunEvent[] readings = {gauge(hits, 500, 7), gauge(queries, 500, 90), gauge(hits, 900, 10),
                gauge(queries, 900, 100), gauge(hits, 1500, 30), gauge(queries, 1500, 150), gauge(hits, 1900, 70),
                gauge(queries, 1900, 300)};
        assertThat(figures(false, List.of(), readings).get("prefix_hit_rate"))
                .isEqualTo(new Figure(Metrics.PREFIX_HIT_RATE, 60 / 200.0, 1, true));
        assertThat(figures(false, List.of(), gauge(hits, 1500, 30), gauge(queries, 1500, 150)))
                .doesNotContainKey("prefix_hit_rate");
        assertThat(figures(false, List.of(), gauge(hits, 900, 30), gauge(queries, 900, 90), gauge(hits, 1500, 0),
                gauge(queries, 1500, 5))).doesNotContainKey("prefix_hit_rate");
        assertThat(figures(false, List.of(), gauge("sglang:cached_tokens_total", 900, 0),
                gauge("sglang:prompt_tokens_total", 900, 0), gauge("sglang:cached_tokens_total", 1500, 5),
                gauge("sglang:prompt_tokens_total", 1500, 20)).get("prefix_hit_rate").value()).isEqualTo(0.25);
    }

    private static RunEvent cached(int request, int tokens) {
        return new RunEvent.CachedPrompt(1500 * MS, new RequestId(request), tokens);
    }

    private static RunEvent gauge(String name, long millis, double value) {
        return new RunEvent.Gauge(millis * MS, name, value);
    }

    @Test
    void preemptionsCountInsideTheWindowOnly() {
        Map<String, Figure> figures = figures(true, STEPS, preempted(0, 500, 3), preempted(1, 1100, 50),
                preempted(1, 1500, 20), preempted(1, 2500, 1));
        assertThat(figures.get("preemptions").value()).isEqualTo(2);
    }

    @Test
    void recomputedIsLostLessCached() {
        Map<String, Figure> figures = figures(true, STEPS, preempted(1, 1100, 50), readmitted(1, 1200, 16),
                preempted(1, 1300, 30), readmitted(1, 1400, 0), preempted(2, 1300, 20), readmitted(2, 1400, 48),
                preempted(2, 1900, 33));
        assertThat(figures.get("recomputed_tokens").value()).isEqualTo(50 - 16 + 30);
        assertThat(figures.get("preemptions").value()).isEqualTo(4);
    }

    @Test
    void noPreemptionIsZeroNoStepsIsAbsent() {
        assertThat(figures(false, STEPS)).extractingByKeys("preemptions", "recomputed_tokens").extracting(Figure::value)
                .containsExactly(0.0, 0.0);
        assertThat(figures(true, List.of(), admitted(1, 1000, 4))).doesNotContainKeys("preemptions",
                "recomputed_tokens", "prefix_hit_rate");
    }
}
