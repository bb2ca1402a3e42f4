package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.WindowAction;
import org.inferometer.record.WindowUse;
import org.inferometer.report.charts.ChartData;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.BenchView.StopQuestion;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class LiveRecorderTest {
    private static final long SECOND = 1_000_000_000L;
    private final long[] now = {0};
    private final LiveRecorder recorder = new LiveRecorder(new Clock() {
        @Override
        public long nanos() {
            return now[0];
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }
    }, 100, new LiveLog(), manifest -> {});
    private final ExperimentManifest manifest =
            Experiments.manifest("id", Experiments.QUICK, RunStatus.RUNNING, null, Instant.EPOCH);
    private final RunPlan first = manifest.plan().getFirst();

    private static WorkerFrame.Live live(double seconds, Phase phase, int done, long tokens) {
        long[] bins = new long[LatencyBins.COUNT];
        bins[LatencyBins.of(20_000_000)] = 3;
        return new WorkerFrame.Live((long) (seconds * SECOND), phase, done, 24, done / 24.0, tokens, 10, 2, 1,
                new long[]{10, 20, 0, 0, 0, 5}, 35, 0, bins, new long[LatencyBins.COUNT]);
    }

    private void begin() {
        recorder.started(manifest);
        recorder.runStarted(first);
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
    }

    @Test
    void ofASearchNobodyKnowsHowMuchIsLeft() {
        recorder.started(
                Experiments.manifest("id", Experiments.QUICK.searching(), RunStatus.RUNNING, null, Instant.EPOCH));
        recorder.runStarted(first);
        LiveSnapshot snapshot = recorder.snapshot();
        assertThat(LiveFigures.fractionDone(snapshot)).isNegative();
        assertThat(LiveFigures.remainingSeconds(60, LiveFigures.fractionDone(snapshot))).isEmpty();
    }

    @Test
    void windowUseIsThatOfTheMeasuredPhase() {
        recorder.show(LiveMode.LIVE);
        recorder.started(manifest);
        recorder.runStarted(first);
        recorder.show(LiveMode.BLACKOUT);
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
        assertThat(recorder.windowUse(first)).isEqualTo(new WindowUse("blackout", null, List.of()));
        recorder.show(LiveMode.LOW_IMPACT);
        recorder.show(LiveMode.BLACKOUT);
        Runnable report = recorder.work("report");
        now[0] = 4 * SECOND;
        report.run();
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.ANALYSE, 4 * SECOND));
        WindowUse use = recorder.windowUse(first);
        assertThat(use.mode()).isEqualTo("low-impact");
        assertThat(use.actions()).hasSize(1);
        assertThat(use.cores()).isNotNull().isNotNegative();
        recorder.runStarted(manifest.plan().get(1));
        assertThat(recorder.windowUse(manifest.plan().get(1))).isEqualTo(new WindowUse("blackout", null, List.of()));
    }

    @Test
    void withoutAWindowTheRecordSaysNone() {
        recorder.show(LiveMode.LIVE);
        begin();
        recorder.show(null);
        assertThat(recorder.windowUse(first).mode()).as("it was open for a part").isEqualTo("live");
        recorder.runStarted(first);
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
        assertThat(recorder.windowUse(first)).isEqualTo(WindowUse.NONE);
        recorder.show(LiveMode.BLACKOUT);
        assertThat(recorder.windowUse(first).mode()).isEqualTo("blackout");
    }

    @Test
    void aStopSaysWhatIsKeptAndWhatIsLost() {
        recorder.started(manifest);
        recorder.runStarted(first);
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.WARM_UP, 0));
        recorder.frame(first, live(0.5, Phase.WARM_UP, 3, 10));
        StopQuestion early = StopQuestion.of(recorder, false);
        assertThat(early.detail()).isEqualTo("Runs that have ended: 0 of 4. Measured requests so far: 0."
                + " The current run ends within two seconds.");
        assertThat(early.answers()).extracting(Questions.Answer::label).containsExactly("Stop", "Keep running");
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
        recorder.frame(first, live(3, Phase.MEASURE, 24, 200));
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.ANALYSE, 3 * SECOND));
        recorder.runEnded(first, Experiments.runRecord(first, manifest));
        RunPlan second = manifest.plan().get(1);
        recorder.runStarted(second);
        recorder.frame(second, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
        recorder.frame(second, live(2, Phase.MEASURE, 14, 100));
        StopQuestion late = StopQuestion.of(recorder, true);
        assertThat(late.detail()).isEqualTo("""
                Runs that have ended: 1 of 4. Measured requests so far: 38. The current run ends within two seconds.
                Discard moves all of it to the trash, where it stays for 30 days. Ctrl+Z brings it back.""");
        assertThat(late.answers()).extracting(Questions.Answer::value, Questions.Answer::label).containsExactly(
                tuple(BenchState.End.STOPPED, "Stop and keep 38 requests"),
                tuple(BenchState.End.DISCARDED, "Discard experiment"), tuple(BenchState.End.COMPLETE, "Keep running"));
    }

    @Test
    void workBesideARunIsListedOnItsClock() {
        recorder.started(manifest);
        Runnable view = recorder.work("results view");
        recorder.runStarted(first);
        // The run's anchor is at 10 s here; the second message came 1 s late.
        now[0] = 10 * SECOND;
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.LOAD, 0));
        now[0] = 13 * SECOND;
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, 2 * SECOND));
        recorder.work("report").run();
        Runnable open = recorder.work("timeline");
        now[0] = 14 * SECOND;
        view.run();
        now[0] = 15 * SECOND;
        WindowUse use = recorder.windowUse(first);
        assertThat(use.actions()).containsExactly(new WindowAction("results view", 0, 4 * SECOND),
                new WindowAction("report", 3 * SECOND, 0), new WindowAction("timeline", 3 * SECOND, 2 * SECOND));
        assertThat(use.text()).contains("beside results view (4.0 s), report (0.0 s), timeline (2.0 s)");
        recorder.runStarted(manifest.plan().get(1));
        recorder.frame(manifest.plan().get(1), new WorkerFrame.PhaseStarted(Phase.LOAD, 0));
        now[0] = 16 * SECOND;
        open.run();
        assertThat(recorder.windowUse(manifest.plan().get(1)).actions())
                .containsExactly(new WindowAction("timeline", 0, SECOND));
    }

    @Test
    void eventsAndLinesOfWorkersAreLogged() {
        LiveLog log = new LiveLog();
        LiveRecorder own = new LiveRecorder(new SystemClock(), 100, log, ended -> {});
        own.building("tiny-int4", 0.1);
        own.building("tiny-int4", 0.2);
        own.building("tiny-int4", 1);
        own.started(manifest);
        own.runStarted(first);
        own.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
        own.frame(first, new WorkerFrame.Log("info", "WARNING: The clock is coarse."));
        own.work("report").run();
        own.frame(first, new WorkerFrame.Finished(RunStatus.FAILED, "No space left."));
        own.ended(manifest.failed("No space left.", Instant.EPOCH));
        assertThat(log.from(0)).extracting(entry -> entry.level() + " " + entry.text()).containsExactly(
                "EVENT Building tiny-int4", "EVENT Run 1 started: " + first.cell().label() + ", repetition 1",
                "EVENT Phase: Measuring", "WARNING WARNING: The clock is coarse.", "EVENT The window begins: report",
                "ERROR No space left.", "ERROR Experiment ended: Failed. No space left.");
    }

    @Test
    void stripsShowWhatIsSampled() {
        begin();
        for (int i = 0; i < 30; i++) {
            WorkerFrame.Live frame = live(1 + i / 10.0, Phase.MEASURE, 1, 10);
            recorder.frame(first,
                    new WorkerFrame.Live(frame.nanos(), Phase.MEASURE, 1, 24, 0.1, 10, 10, 2, 1, frame.ownerBytes(), 35,
                            2 * frame.nanos(), frame.ttftBins(), frame.itlBins(), i == 7 ? 3_000_000 : -1,
                            new WorkerFrame.Gpu(40.0, null, 300.0 + i, null)));
        }
        List<LiveStrip> strips = LiveStrip.of(recorder.snapshot());
        assertThat(strips).extracting(LiveStrip::name, LiveStrip::latest, LiveStrip::top).containsExactly(
                tuple("GPU use", "40.0", "100 %"), tuple("GPU power", "329", "329 W"),
                tuple("engine CPU", "2.00", "2.00 cores"), tuple("send lateness", "3.00", "3.00 ms"));
        assertThat(Arrays.stream(strips.getLast().values()).filter(value -> !Double.isNaN(value))).containsExactly(3.0);
    }

    @Test
    void aLateSendOutlivesThinning() {
        FrameTrack track = new FrameTrack(16);
        for (int i = 0; i < 1000; i++) {
            track.add(live(i, Phase.MEASURE, 1, 10).lateAtLeast(i == 501 ? 7 : -1));
        }
        assertThat(track.frames()).hasSizeLessThan(17).filteredOn(frame -> frame.lateNanos() == 7).hasSize(1);
    }

    @Test
    void beforeThePlanThereAreNoRuns() {
        recorder.building("tiny-int4", 0.5);
        LiveSnapshot snapshot = recorder.snapshot();
        assertThat(snapshot.building()).isEqualTo("tiny-int4");
        assertThat(snapshot.runs()).isEmpty();
        assertThat(LiveFigures.fractionDone(snapshot)).isZero();
    }

    @Test
    void theRateIsThatOfTheLastSecond() {
        begin();
        recorder.frame(first, live(2, Phase.MEASURE, 4, 100));
        recorder.frame(first, live(3, Phase.MEASURE, 8, 400));
        LiveSnapshot snapshot = recorder.snapshot();
        assertThat(LiveFigures.outputTokensPerSecond(snapshot)).hasValue(300);
        assertThat(LiveFigures.requestsPerSecond(snapshot)).hasValue(4);
        assertThat(snapshot.runs().getFirst().tokensPerSecond()).isEqualTo(200);
    }

    @Test
    void theRatesStayThoseOfWhatWasMeasuredWhileTheFiguresAreMade() {
        begin();
        recorder.frame(first, live(3, Phase.MEASURE, 24, 400));
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.ANALYSE, 4 * SECOND));
        LiveSnapshot snapshot = recorder.snapshot();
        assertThat(snapshot.phase()).isEqualTo(Phase.ANALYSE);
        assertThat(LiveFigures.requestsPerSecond(snapshot)).hasValue(12);
        assertThat(LiveFigures.outputTokensPerSecond(snapshot)).hasValue(200);
    }

    @Test
    void framesOfAnotherRunAreIgnored() {
        begin();
        recorder.frame(manifest.plan().get(1), live(2, Phase.MEASURE, 4, 100));
        assertThat(recorder.snapshot().newest()).isEmpty();
    }

    @Test
    void remainingTimeFollowsTheShareThatIsDone() {
        begin();
        recorder.frame(first, live(2, Phase.MEASURE, 24, 100));
        now[0] = 5 * SECOND;
        recorder.runEnded(first, Experiments.runRecord(first, manifest));
        LiveSnapshot snapshot = recorder.snapshot();
        assertThat(LiveFigures.fractionDone(snapshot)).isEqualTo(0.25);
        assertThat(LiveFigures.remainingSeconds(snapshot.elapsedSeconds(), 0.25)).hasValue(15);
        assertThat(LiveFigures.remainingSeconds(5, 0.01)).isEmpty();
    }

    @Test
    void theMedianOfBinsLiesInItsBin() {
        long[] bins = new long[LatencyBins.COUNT];
        Arrays.fill(bins, 0);
        bins[LatencyBins.of(20_000_000)] = 100;
        assertThat(LiveFigures.medianNanos(bins).orElseThrow()).isCloseTo(20e6, within(3e6));
        assertThat(LiveFigures.medianNanos(new long[LatencyBins.COUNT])).isEmpty();
    }

    @Test
    void warmUpIsALineOfItsOwn() {
        recorder.started(manifest);
        recorder.runStarted(first);
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.WARM_UP, 0));
        recorder.frame(first, live(0.1, Phase.WARM_UP, 1, 10));
        recorder.frame(first, live(0.2, Phase.WARM_UP, 2, 20));
        recorder.frame(first, new WorkerFrame.PhaseStarted(Phase.MEASURE, SECOND));
        recorder.frame(first, live(1.1, Phase.MEASURE, 1, 10));
        recorder.frame(first, live(1.2, Phase.MEASURE, 2, 30));
        ChartData chart = LiveCharts.throughput(recorder.snapshot()).orElseThrow();
        List<ChartData.Line> lines = ((ChartData.Marks.Lines) chart.marks()).lines();
        assertThat(lines).extracting(ChartData.Line::name).containsExactly("warm-up", "prompt", "output");
        assertThat(lines.getLast().y()).containsExactly(new double[]{200}, within(1e-6));
    }

    @Test
    void withoutLatenciesThereIsNoDistribution() {
        begin();
        assertThat(LiveLatencies.distribution(recorder.snapshot())).isEmpty();
        recorder.frame(first, live(2, Phase.MEASURE, 4, 100));
        ChartData chart = LiveLatencies.distribution(recorder.snapshot()).orElseThrow();
        ChartData.Marks.Histogram marks = (ChartData.Marks.Histogram) chart.marks();
        assertThat(marks.series()).singleElement()
                .satisfies(bins -> assertThat(Arrays.stream(bins.heights()).sum()).isEqualTo(100));
        assertThat(marks.edges()).hasSize(marks.series().getFirst().heights().length + 1);
    }

    @Test
    void memoryShowsOnlyOwnersThatHoldSomething() {
        begin();
        recorder.frame(first, live(2, Phase.MEASURE, 4, 100));
        recorder.frame(first, live(3, Phase.MEASURE, 4, 100));
        ChartData chart = LiveCharts.memory(recorder.snapshot()).orElseThrow();
        assertThat(((ChartData.Marks.Stack) chart.marks()).layers()).extracting(ChartData.Layer::name)
                .containsExactly("Weights", "KV cache", "Unattributed");
    }

    @Test
    void longRunsAreThinnedAndKeepTheirShape() {
        FrameTrack track = new FrameTrack(100);
        for (int i = 0; i < 10_000; i++) {
            track.add(live(i, Phase.MEASURE, 0, i));
        }
        assertThat(track.frames()).hasSizeLessThanOrEqualTo(100).hasSizeGreaterThan(25);
        assertThat(track.frames()).isSortedAccordingTo((a, b) -> Long.compare(a.nanos(), b.nanos()));
        assertThat(track.frames().getFirst().nanos()).isZero();
    }
}
