package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.Phase;
import org.inferometer.record.RunMarker;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.LiveViewModel.Kpi;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.designer.FormFault;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.units.SystemClock;
import org.inferometer.wording.AdvisedText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BenchViewModelTest {
    private final InlineUi ui = new InlineUi();
    private final LibraryTwin library;
    private final ByHand service = new ByHand();
    private final DesignerServices choices = DesktopTwin.designer(service);
    private final BenchViewModel bench;

    BenchViewModelTest(@TempDir Path folder) {
        library = new LibraryTwin(folder.resolve("results"));
        bench = bench(choices);
    }

    private BenchViewModel bench(DesignerServices services) {
        return new BenchViewModel(services, library.tools(), ui.work(), ui, new SystemClock(), 8, null);
    }

    private ResultCard result() {
        return ((BenchState.Finished) bench.state().get()).result();
    }

    @Test
    void largeBuildStartsAfterItsApproval() {
        service.buildBytes = BenchmarkService.LARGE_BUILD_BYTES + 1;
        bench.runQuick();
        assertThat(bench.state().get().isRunning()).as("nobody was asked").isFalse();
        List<Long> asked = new ArrayList<>();
        bench.onLargeBuild(bytes -> asked.add(bytes) && asked.size() > 1);
        bench.runQuick();
        assertThat(bench.state().get().isRunning()).as("declined").isFalse();
        bench.runQuick();
        assertThat(bench.state().get().isRunning()).isTrue();
        assertThat(asked).containsExactly(service.buildBytes, service.buildBytes);
    }

    /// A service whose experiment is moved by the test.
    private final class ByHand implements BenchmarkService {
        private final List<ExperimentSpec> specs = new ArrayList<>();
        private ExperimentListener listener = new ExperimentListener() {};
        private final List<String> asked = new ArrayList<>();
        private List<PlanFault> faults = List.of();
        private long buildBytes;

        @Override
        public long buildBytes(ExperimentSpec spec) {
            return buildBytes;
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return faults;
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(4, 96, 15 << 20, 64 << 20, 24L << 30);
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener who) throws PlanException {
            if (!faults.isEmpty()) {
                throw new PlanException(faults);
            }
            specs.add(spec);
            listener = who;
            listener.started(Experiments.manifest("id", spec, RunStatus.RUNNING, null, Instant.EPOCH));
            return new RunningExperiment() {
                @Override
                public Path folder() {
                    return library.folder().resolve("id-" + specs.size());
                }

                @Override
                public void cancel() {
                    asked.add("cancel");
                }

                @Override
                public ExperimentManifest await() {
                    asked.add("await");
                    return Experiments.manifest("id", spec, RunStatus.CANCELLED, null, Instant.EPOCH);
                }
            };
        }

        void end(RunStatus status, Verdict.Grade grade) {
            ExperimentManifest manifest = Experiments.manifest("id", specs.getLast(), status, grade, Instant.EPOCH);
            library.add(Experiments.record(library.folder().resolve("id-" + specs.size()), manifest, List.of()));
            listener.ended(manifest);
        }
    }

    @Test
    void aRunGoesFromWelcomeOverLiveToItsResult() {
        List<String> refreshed = new ArrayList<>();
        bench.onExperimentEnded(() -> refreshed.add("ended"));
        bench.refreshEngines();
        assertThat(bench.state().get()).isEqualTo(new BenchState.Editing());
        bench.runQuick();
        assertThat(bench.state().get().isRunning()).isTrue();
        ui.tick();
        ui.tick();
        assertThat(bench.live().runs()).hasSize(4);
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(bench.state().get()).isInstanceOf(BenchState.Finished.class);
        assertThat(result().rows()).extracting(ResultCard.CellRow::tokensPerSecond).contains("1043 tok/s");
        assertThat(result().findings()).isNotEmpty();
        assertThat(refreshed).containsExactly("ended");
        assertThat(ui.running()).isZero();
    }

    @Test
    void aDiscardedExperimentShowsNoResult() {
        List<String> heard = new ArrayList<>();
        bench.onDiscarded(folder -> heard.add("discard " + folder.getFileName()));
        bench.onExperimentEnded(() -> heard.add("ended"));
        bench.runQuick();
        assertThat(bench.canDiscard()).isTrue();
        bench.discard();
        assertThat(bench.state().get().isStopping()).isTrue();
        assertThat(service.asked).containsExactly("cancel");
        service.end(RunStatus.CANCELLED, Verdict.Grade.PREVIEW);
        assertThat(bench.state().get()).isEqualTo(new BenchState.Editing());
        assertThat(heard).containsExactly("ended", "discard id-1");
        assertThat(ui.running()).isZero();
    }

    @Test
    void anExperimentOfASuiteIsNotDiscarded() {
        bench.startWhenIdle(Experiments.QUICK, service, "");
        assertThat(bench.canDiscard()).isFalse();
    }

    @Test
    void withoutAWindowNoTimerRuns() {
        bench.log().open().set(true);
        bench.runQuick();
        assertThat(ui.running()).isEqualTo(2);
        bench.setWindow(false);
        assertThat(ui.running()).isZero();
        bench.live().chooseNext();
        assertThat(ui.running()).isZero();
        bench.setWindow(true);
        assertThat(ui.running()).isEqualTo(2);
        bench.setWindow(false);
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(bench.state().get()).isInstanceOf(BenchState.Finished.class);
        assertThat(ui.running()).isZero();
    }

    @Test
    void aPreviewOffersThreeRepetitions() {
        bench.runQuick();
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(result().wantsMoreRuns()).isTrue();
        bench.runMore(result());
        assertThat(service.specs).extracting(ExperimentSpec::runs).containsExactly(1, 3);
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(result().wantsMoreRuns()).as("three of them were too short").isFalse();
    }

    @Test
    void stoppingKeepsWhatWasMeasured() {
        bench.runQuick();
        bench.stop();
        // The window goes on, so nothing waits.
        assertThat(service.asked).containsExactly("cancel");
        assertThat(bench.state().get().isStopping()).isTrue();
        service.end(RunStatus.CANCELLED, Verdict.Grade.PREVIEW);
        assertThat(bench.state().get()).isInstanceOf(BenchState.Finished.class);
        assertThat(result().wantsMoreRuns()).isFalse();
    }

    @Test
    void closingWindowWaitsForTheStoppedExperiment() {
        bench.runQuick();
        bench.stopAndWait();
        assertThat(service.asked).containsExactly("cancel", "await");
    }

    @Test
    void closingWindowStopsAStartingExperiment() {
        List<Runnable> background = new ArrayList<>();
        BenchViewModel closing = new BenchViewModel(choices, library.tools(),
                new BackgroundWork(background::add, new GoneUi()), ui, new SystemClock(), 8, null);
        closing.runQuick();
        closing.stopAndWait();
        assertThat(service.asked).isEmpty();
        background.forEach(Runnable::run);
        assertThat(service.specs).hasSize(1);
        assertThat(service.asked).containsExactly("cancel", "await");
    }

    @Test
    void closingWindowDoesNotWaitWhenNothingRuns() {
        bench.stopAndWait();
        bench.runQuick();
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        bench.stopAndWait();
        assertThat(service.asked).isEmpty();
    }

    /// The UI thread of a window that has closed: it takes nothing more up.
    private static final class GoneUi implements UiThread {
        @Override
        public void later(Runnable action) {}

        @Override
        public boolean current() {
            return false;
        }
    }

    @Test
    void heavyWorkWaitsForTheEndOfTheExperiment() {
        BackgroundWork work = ui.work();
        BenchViewModel own = new BenchViewModel(choices, library.tools(), work, ui, new SystemClock(), 8, null);
        List<String> done = new ArrayList<>();
        own.runQuick();
        work.run(WindowWork.REPORT, () -> "report", done::add, failure -> done.add("failed"),
                () -> done.add("report waits"));
        work.run(WindowWork.OPEN_RESULT, () -> "result", done::add, failure -> done.add("failed"));
        assertThat(done).containsExactly("report waits", "result");
        assertThat(service.listener.windowUse(
                Experiments.manifest("id", Experiments.QUICK, RunStatus.RUNNING, null, Instant.EPOCH).plan().getFirst())
                .actions()).isEmpty();
        service.end(RunStatus.COMPLETE, Verdict.Grade.VALID);
        assertThat(done).containsExactly("report waits", "result", "report");
        assertThat(work.measuring().postponed()).isEmpty();
        service.faults = List.of(new PlanFault("engine", "There is none."));
        own.runQuick();
        work.run(WindowWork.REPORT, () -> "again", done::add, failure -> done.add("failed"));
        assertThat(done).last().isEqualTo("again");
    }

    @Test
    void markersAreKeptOnTheClockOfTheirRun() {
        ExperimentManifest manifest =
                Experiments.manifest("id", Experiments.QUICK, RunStatus.RUNNING, null, Instant.EPOCH);
        RunPlan run = manifest.plan().getFirst();
        bench.runQuick();
        bench.addMarker();
        assertThat(bench.marking().get()).isNull();
        service.listener.runStarted(run);
        service.listener.frame(run, new WorkerFrame.PhaseStarted(Phase.MEASURE, 2_000_000_000L));
        bench.addMarker();
        assertThat(bench.marking().get()).isEqualTo("Marker 1");
        bench.nameMarker(" other program started ");
        bench.addMarker();
        bench.nameMarker("");
        bench.addMarker();
        assertThat(service.listener.windowUse(run).markers()).extracting(RunMarker::text)
                .containsExactly("other program started", "Marker 3");
        assertThat(service.listener.windowUse(run).markers())
                .allMatch(marker -> marker.nanos() >= 2_000_000_000L && marker.nanos() < 60_000_000_000L);
        service.listener.runEnded(run, Experiments.runRecord(run, manifest));
        bench.nameMarker("too late");
        assertThat(service.listener.windowUse(run).markers()).extracting(RunMarker::text)
                .containsExactly("other program started", "Marker 3");
        assertThat(bench.live().runs().getFirst().markers()).hasSize(2);
    }

    @Test
    void aRefusedPlanSaysAllItsFaults() {
        service.faults =
                List.of(new PlanFault("short", new AdvisedText("Raise ", ExperimentFields.KV_MEMORY.advice(), ".")),
                        new PlanFault("", "No engine."));
        bench.runQuick();
        assertThat(bench.state().get()).isEqualTo(new BenchState.Refused("short: Raise “KV memory”.\nNo engine."));
        assertThat(ui.running()).isZero();
    }

    @Test
    void aSecondRunWaitsForTheFirst() {
        bench.runQuick();
        bench.runQuick();
        assertThat(service.specs).hasSize(1);
    }

    @Test
    void aRecordThatCannotBeReadStillEndsTheRun() {
        bench.runQuick();
        service.listener.ended(Experiments.manifest("lost", Experiments.QUICK, RunStatus.FAILED, null, Instant.EPOCH));
        assertThat(bench.state().get()).isInstanceOf(BenchState.Finished.class);
        assertThat(result().problem()).contains("cannot be read");
    }

    @Test
    void theEstimateFollowsTheForm() {
        bench.refreshEngines();
        assertThat(bench.designer().preview().get().estimate()).startsWith("4 runs, 96 measured requests.");
        bench.designer().workload().requests().text().set("many");
        assertThat(bench.designer().preview().get().faults()).containsExactly(
                new FormFault("field.requests", "Requests", "\"many\" is not a whole number from 1 to 10000000."));
        assertThat(bench.designer().workload().requests().error().get()).as("before the field was left").isEmpty();
        assertThat(bench.runDesigned()).contains("field.requests");
        assertThat(service.specs).isEmpty();
    }

    @Test
    void quickBenchmarkNeedsItsEnginesOrOthers() {
        BenchViewModel empty = bench(
                new DesignerServices(service, Path.of("engines"), List::of, choices.schedulers(), choices.workloads(),
                        choices.backends(), Map.of(), choices.quick(), choices.presets(), choices.reader()));
        empty.refreshEngines();
        empty.runQuick();
        assertThat(empty.readiness().get().sentence()).startsWith("There is no engine in this workspace.")
                .hasLineCount(1).doesNotContain("--");
        assertThat(empty.state().get()).isEqualTo(new BenchState.Editing());
        assertThat(service.specs).isEmpty();
        empty.runQuickOn(List.of("mine"));
        assertThat(service.specs).singleElement().satisfies(spec -> {
            assertThat(spec.engines()).containsExactly("mine");
            assertThat(spec.schedulers()).isEqualTo(Experiments.QUICK.schedulers());
        });
    }

    @Test
    void aFaultOfEveryEngineIsSaidOnce() {
        PlanFault fault = new PlanFault("engine", "There is no room.");
        service.faults = List.of(fault, fault);
        bench.refreshEngines();
        bench.runQuick();
        assertThat(bench.state().get()).isEqualTo(new BenchState.Refused(fault.toString()));
    }

    @Test
    void timeGoesOnInTheStatusLineWhileTheBenchIsHidden() {
        bench.setShowing(false);
        bench.runQuick();
        ui.tick();
        assertThat(bench.live().time().get().elapsed()).matches("\\d\\d:\\d\\d");
        assertThat(bench.live().time().get().sampling()).isNotEmpty();
        assertThat(bench.live().runs()).isEmpty();
        bench.setShowing(true);
        assertThat(bench.live().runs()).hasSize(4);
    }

    private void measure(ExperimentManifest manifest, int seconds) {
        long second = 1_000_000_000L;
        service.listener.runStarted(manifest.plan().getFirst());
        service.listener.frame(manifest.plan().getFirst(), new WorkerFrame.PhaseStarted(Phase.MEASURE, 0));
        for (int i = 1; i <= seconds; i++) {
            service.listener.frame(manifest.plan().getFirst(),
                    new WorkerFrame.Live(i * second, Phase.MEASURE, i, 8, i / 8.0, i * 100L, i, 2, 1,
                            new long[]{10, 20}, 30, 0, new long[LatencyBins.COUNT], new long[LatencyBins.COUNT]));
        }
    }

    private boolean shows(LiveChart chart) {
        return bench.live().chart(chart).get() != null;
    }

    @Test
    void eachBeatDrawsHalfOfTheCharts() {
        bench.refreshEngines();
        bench.runQuick();
        measure(Experiments.manifest("id", service.specs.getLast(), RunStatus.RUNNING, null, Instant.EPOCH), 4);
        ui.tick();
        assertThat(shows(LiveChart.THROUGHPUT)).isTrue();
        assertThat(shows(LiveChart.MEMORY)).isFalse();
        ui.tick();
        assertThat(shows(LiveChart.MEMORY)).isTrue();
        assertThat(ui.running()).isEqualTo(1);
    }

    @Test
    void lowImpactShowsFiguresAndNoChart() {
        bench.live().choose(LiveMode.LOW_IMPACT);
        bench.refreshEngines();
        bench.runQuick();
        measure(Experiments.manifest("id", service.specs.getLast(), RunStatus.RUNNING, null, Instant.EPOCH), 4);
        ui.tick();
        ui.tick();
        assertThat(shows(LiveChart.THROUGHPUT)).isFalse();
        assertThat(bench.live().kpis().get().get("kpi.tokens"))
                .isEqualTo(new Kpi("100", "tok/s", "last second", false));
        bench.live().choose(LiveMode.LIVE);
        assertThat(shows(LiveChart.THROUGHPUT)).isTrue();
        assertThat(ui.running()).isEqualTo(1);
    }

    @Test
    void blackoutShowsTheRemainingTimeAlone() {
        bench.live().choose(LiveMode.BLACKOUT);
        bench.refreshEngines();
        bench.runQuick();
        measure(Experiments.manifest("id", service.specs.getLast(), RunStatus.RUNNING, null, Instant.EPOCH), 4);
        ui.tick();
        assertThat(bench.live().time().get().blackout()).startsWith("Measuring");
        assertThat(bench.live().time().get().headline()).startsWith("Run 1 of 4");
        assertThat(bench.live().kpis().get().get("kpi.tokens")).isEqualTo(Kpi.NONE);
        assertThat(bench.live().runs()).isEmpty();
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(ui.running()).isZero();
    }

    @Test
    void hostRunsOnFewCoresAreLowImpact() {
        ExperimentSpec everyCore = onHost("host");
        ExperimentSpec oneThread = onHost("host:threads=1");
        assertThat(LiveMode.usual(everyCore, 3)).isEqualTo(LiveMode.LOW_IMPACT);
        assertThat(LiveMode.usual(everyCore, 4)).isEqualTo(LiveMode.LIVE);
        assertThat(LiveMode.usual(oneThread, 1)).isEqualTo(LiveMode.LOW_IMPACT);
        assertThat(LiveMode.usual(oneThread, 2)).isEqualTo(LiveMode.LIVE);
        BenchViewModel small = new BenchViewModel(choices, library.tools(), ui.work(), ui, new SystemClock(), 2, null);
        small.refreshEngines();
        small.runQuick();
        assertThat(small.live().mode().get()).isEqualTo(LiveMode.LOW_IMPACT);
        BenchViewModel chosen = new BenchViewModel(choices, library.tools(), ui.work(), ui, new SystemClock(), 2, null);
        chosen.live().choose(LiveMode.LIVE);
        chosen.refreshEngines();
        chosen.runQuick();
        assertThat(chosen.live().mode().get()).isEqualTo(LiveMode.LIVE);
    }

    private static ExperimentSpec onHost(String backend) {
        ExperimentSpec quick = Experiments.QUICK;
        return new ExperimentSpec("quick", quick.engines(), quick.schedulers(), quick.workloads(),
                Selection.parse(backend), 1, 4, 1, 100, 0, quick.limits());
    }

    @Test
    void modesHaveNamesInSettings() {
        assertThat(List.of(LiveMode.values())).extracting(LiveMode::key).containsExactly("live", "low-impact",
                "blackout");
        assertThat(LiveMode.of("low-impact")).isEqualTo(LiveMode.LOW_IMPACT);
        assertThat(LiveMode.of("")).isEqualTo(LiveMode.LIVE);
        assertThat(LiveMode.BLACKOUT.next()).isEqualTo(LiveMode.LIVE);
    }
}
