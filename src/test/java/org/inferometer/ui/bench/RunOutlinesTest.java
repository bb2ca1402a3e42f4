package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.report.charts.ChartData;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.LiveViewModel.Kpi;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.bench.RunOutlines.RunOutline;
import org.inferometer.ui.twin.DesignedSpecs;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

/// What stays on the screen of an experiment between its runs.
class RunOutlinesTest {
    private static final long SECOND = 1_000_000_000L;
    private final LiveRecorder recorder = new LiveRecorder(new SystemClock(), 100, new LiveLog(), manifest -> {});
    private final LiveViewModel live = new LiveViewModel();

    private static ExperimentManifest planned(ExperimentSpec spec) {
        return Experiments.manifest("id", spec, RunStatus.RUNNING, null, Instant.EPOCH);
    }

    private void frames(RunPlan plan, Phase phase, int seconds, long tokensPerSecond) {
        recorder.frame(plan, new WorkerFrame.PhaseStarted(phase, SECOND));
        for (int i = 1; i <= seconds; i++) {
            long[] ttft = new long[LatencyBins.COUNT];
            ttft[LatencyBins.of(20_000_000)] = 10L * i;
            recorder.frame(plan, new WorkerFrame.Live((i + 1) * SECOND, phase, i, 8, i / 8.0, i * tokensPerSecond, i, 2,
                    1, new long[]{10, 20}, 30, 0, ttft, new long[LatencyBins.COUNT]));
        }
    }

    private void play(ExperimentManifest manifest, RunPlan plan, long tokensPerSecond) {
        recorder.runStarted(plan);
        frames(plan, Phase.MEASURE, 4, tokensPerSecond);
        recorder.frame(plan, new WorkerFrame.PhaseStarted(Phase.ANALYSE, 9 * SECOND));
        recorder.runEnded(plan, Experiments.runRecord(plan, manifest));
    }

    private List<String> lines(LiveChart chart) {
        ChartData data = live.chart(chart).get();
        return data == null ? List.of()
                : ((ChartData.Marks.Lines) data.marks()).lines().stream().map(ChartData.Line::name).toList();
    }

    @Test
    void finishedRunsStayBehindTheNextRun() {
        ExperimentManifest manifest = planned(Experiments.QUICK);
        recorder.started(manifest);
        play(manifest, manifest.plan().getFirst(), 100);
        live.apply(recorder.snapshot());
        assertThat(lines(LiveChart.THROUGHPUT)).containsExactly("prompt", "output");
        RunPlan second = manifest.plan().get(1);
        recorder.runStarted(second);
        live.apply(recorder.snapshot());
        assertThat(lines(LiveChart.THROUGHPUT)).containsExactly("tiny-fp8 · naive");
        assertThat(lines(LiveChart.REQUESTS)).containsExactly("tiny-fp8 · naive");
        assertThat(lines(LiveChart.TTFT)).containsExactly("tiny-fp8 · naive");
        assertThat(live.chart(LiveChart.LATENCY).get()).isNotNull();
        assertThat(live.chart(LiveChart.THROUGHPUT).get().footer()).isEqualTo("loading weights of tiny-fp8");
        assertThat(live.kpis().get().get("kpi.tokens")).isEqualTo(new Kpi("–", "", "naive 100 tok/s", false));
        frames(second, Phase.MEASURE, 3, 300);
        live.apply(recorder.snapshot());
        assertThat(lines(LiveChart.THROUGHPUT)).containsExactly("tiny-fp8 · naive", "prompt", "output");
        assertThat(lines(LiveChart.REQUESTS)).containsExactly("tiny-fp8 · naive", "running", "waiting",
                "in the system");
        assertThat(lines(LiveChart.TTFT)).containsExactly("tiny-fp8 · naive", "P95", "P50");
        assertThat(live.kpis().get().get("kpi.tokens")).isEqualTo(new Kpi("300", "tok/s", "naive 100 tok/s", false));
    }

    @Test
    void theLastRunOfTheFourNewestCellsStays() {
        ExperimentManifest manifest = planned(DesignedSpecs.repeated("bench", 2));
        recorder.started(manifest);
        manifest.plan().forEach(plan -> play(manifest, plan, 100 + plan.index().run()));
        List<RunOutline> outlines = recorder.snapshot().outlines();
        assertThat(outlines).hasSizeLessThanOrEqualTo(4);
        assertThat(outlines.stream().map(RunOutline::name)).doesNotHaveDuplicates();
        assertThat(outlines.stream().map(run -> List.of(run.style().colour(), run.style().dash())))
                .doesNotHaveDuplicates();
        assertThat(outlines.stream().map(run -> run.style().isFaint())).doesNotContain(false);
        assertThat(FrameTrack.thinned(List.of(), 10)).isEmpty();
    }

    @Test
    void outlinesAreBoundedAndEndWithTheExperiment() {
        ExperimentManifest sweep = planned(Experiments.SWEEP);
        recorder.started(sweep);
        sweep.plan().subList(0, 7).forEach(plan -> play(sweep, plan, 100 + plan.index().run()));
        List<RunOutline> outlines = recorder.snapshot().outlines();
        // The seventh is the current run itself; four of the seven are kept.
        assertThat(outlines.stream().map(run -> Math.round(LiveFigures.meanRate(run).orElseThrow())))
                .containsExactly(103L, 104L, 105L);
        recorder.started(planned(Experiments.QUICK));
        assertThat(recorder.snapshot().outlines()).isEmpty();
        live.apply(recorder.snapshot());
        live.reset();
        assertThat(live.chart(LiveChart.THROUGHPUT).get()).isNull();
    }

    @Test
    void longRunsAreKeptThin() {
        ExperimentManifest manifest = planned(Experiments.QUICK);
        recorder.started(manifest);
        RunPlan first = manifest.plan().getFirst();
        recorder.runStarted(first);
        frames(first, Phase.MEASURE, 1000, 50);
        recorder.runEnded(first, Experiments.runRecord(first, manifest));
        recorder.runStarted(manifest.plan().get(1));
        RunOutline kept = recorder.snapshot().outlines().getFirst();
        assertThat(kept.frames()).hasSizeBetween(100, 240);
        assertThat(kept.frames().getLast().outputTokens()).isEqualTo(50_000);
    }

    @Test
    void everyStepHasAText() {
        ExperimentManifest manifest = planned(Experiments.QUICK);
        RunPlan first = manifest.plan().getFirst();
        assertThat(recorder.snapshot().step()).isEqualTo("planning");
        recorder.building("tiny-int4", 0.5);
        assertThat(recorder.snapshot().step()).isEqualTo("Building tiny-int4: 50 %");
        recorder.started(manifest);
        recorder.runStarted(first);
        assertThat(recorder.snapshot().step()).isEqualTo("loading weights of tiny-fp8");
        frames(first, Phase.WARM_UP, 3, 50);
        assertThat(recorder.snapshot().step()).isEqualTo("warm-up, 3 of 8 requests");
        frames(first, Phase.MEASURE, 3, 50);
        assertThat(recorder.snapshot().step()).isEmpty();
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.ANALYSE, 9 * SECOND));
        assertThat(recorder.snapshot().step()).isEqualTo("judging the run");
        recorder.runEnded(first, Experiments.runRecord(first, manifest));
        assertThat(recorder.snapshot().step()).isEqualTo("starting run 2");
        RunPlan last = manifest.plan().getLast();
        play(manifest, last, 10);
        assertThat(recorder.snapshot().step()).isEqualTo("reading the result");
    }
}
