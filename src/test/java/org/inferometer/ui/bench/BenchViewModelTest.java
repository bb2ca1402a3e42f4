package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.bench.BenchViewModel.Stage;
import org.inferometer.ui.designer.BenchServices;
import org.inferometer.ui.designer.RecipeImport;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BenchViewModelTest {
    private final InlineUi ui = new InlineUi();
    private final LibraryTwin library = new LibraryTwin(Path.of("no-such-folder", "results"));
    private final ByHand service = new ByHand();
    private final BenchServices twins = DesktopTwin.bench(new ScriptedBenchmark(library, 0), library);
    private final BenchViewModel bench =
            new BenchViewModel(new BenchServices(service, twins.engines(), twins.schedulers(), twins.workloads(),
                    twins.backends(), twins.quick(), library), ui.work(), ui, new SystemClock());

    /// A service whose experiment is moved by the test.
    private final class ByHand implements BenchmarkService {
        private final List<ExperimentSpec> specs = new ArrayList<>();
        private ExperimentListener listener = new ExperimentListener() {};
        private final List<String> asked = new ArrayList<>();
        private List<PlanFault> faults = List.of();

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
                    return library.folder().resolve("id");
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
            library.add(Experiments.record(library.folder().resolve("id"), manifest, List.of()));
            listener.ended(manifest);
        }
    }

    @Test
    void aRunGoesFromWelcomeOverLiveToItsResult() {
        List<String> refreshed = new ArrayList<>();
        bench.onExperimentEnded(() -> refreshed.add("ended"));
        bench.refreshEngines();
        assertThat(bench.stage().get()).isEqualTo(Stage.WELCOME);
        bench.runQuick();
        assertThat(bench.stage().get()).isEqualTo(Stage.RUNNING);
        ui.tick();
        ui.tick();
        assertThat(bench.live().runs()).hasSize(4);
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(bench.stage().get()).isEqualTo(Stage.FINISHED);
        assertThat(bench.running().get()).isFalse();
        assertThat(bench.result().get().rows()).extracting(ResultCard.CellRow::tokensPerSecond).contains("1043 tok/s");
        assertThat(bench.result().get().findings()).isNotEmpty();
        assertThat(refreshed).containsExactly("ended");
        assertThat(ui.running()).isZero();
    }

    @Test
    void aPreviewOffersThreeRepetitions() {
        bench.runQuick();
        service.end(RunStatus.COMPLETE, Verdict.Grade.PREVIEW);
        assertThat(bench.result().get().wantsMoreRuns()).isTrue();
        bench.runMore();
        assertThat(service.specs).extracting(ExperimentSpec::runs).containsExactly(1, 3);
        service.end(RunStatus.COMPLETE, Verdict.Grade.VALID);
        assertThat(bench.result().get().wantsMoreRuns()).isFalse();
    }

    @Test
    void stoppingKeepsWhatWasMeasured() {
        bench.runQuick();
        bench.stop();
        // The window goes on, so nothing waits.
        assertThat(service.asked).containsExactly("cancel");
        assertThat(bench.stopping().get()).isTrue();
        service.end(RunStatus.CANCELLED, Verdict.Grade.PREVIEW);
        assertThat(bench.stage().get()).isEqualTo(Stage.FINISHED);
        assertThat(bench.result().get().wantsMoreRuns()).isFalse();
    }

    @Test
    void aWindowThatClosesWaitsInTheBackgroundForTheEndOfWhatItStops() {
        bench.runQuick();
        bench.stopAndWait();
        assertThat(service.asked).containsExactly("cancel", "await");
    }

    @Test
    void aWindowThatClosesStopsWhatOnlyStarts() {
        List<Runnable> background = new ArrayList<>();
        BenchViewModel closing = new BenchViewModel(
                new BenchServices(service, twins.engines(), twins.schedulers(), twins.workloads(), twins.backends(),
                        twins.quick(), library),
                new BackgroundWork(background::add, new GoneUi()), ui, new SystemClock());
        closing.runQuick();
        closing.stopAndWait();
        assertThat(service.asked).isEmpty();
        background.forEach(Runnable::run);
        assertThat(service.specs).hasSize(1);
        assertThat(service.asked).containsExactly("cancel", "await");
    }

    @Test
    void aWindowThatClosesWaitsForNothingWhereNothingRuns() {
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
    void aRefusedPlanSaysAllItsFaults() {
        service.faults = List.of(new PlanFault("--requests", "At least 1."), new PlanFault("", "No engine."));
        bench.runQuick();
        assertThat(bench.stage().get()).isEqualTo(Stage.WELCOME);
        assertThat(bench.problem().get()).isEqualTo("--requests: At least 1.\nNo engine.");
        assertThat(bench.running().get()).isFalse();
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
        assertThat(bench.stage().get()).isEqualTo(Stage.FINISHED);
        assertThat(bench.result().get().problem()).contains("could not be read back");
    }

    @Test
    void theEstimateFollowsTheForm() {
        bench.refreshEngines();
        assertThat(bench.estimate().get()).startsWith("4 runs, 96 measured requests.");
        bench.designer().workload().requests().text().set("many");
        assertThat(bench.estimate().get()).isEmpty();
        assertThat(bench.runDesigned()).contains("field.requests");
        assertThat(service.specs).isEmpty();
    }

    @Test
    void withoutItsEnginesTheQuickBenchmarkSaysSoOnceAndRunsOnOthersWhenAsked() {
        BenchServices bare = new BenchServices(service, new RecipeImport(Path.of("engines"), List::of),
                twins.schedulers(), twins.workloads(), twins.backends(), twins.quick(), library);
        BenchViewModel empty = new BenchViewModel(bare, ui.work(), ui, new SystemClock());
        empty.refreshEngines();
        empty.runQuick();
        assertThat(empty.problem().get()).startsWith("No engine is in this workspace yet").hasLineCount(1)
                .doesNotContain("--");
        assertThat(empty.stage().get()).isEqualTo(Stage.WELCOME);
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
        assertThat(bench.problem().get()).isEqualTo(fault.toString());
    }

    @Test
    void timeGoesOnInTheStatusLineWhileTheBenchIsHidden() {
        bench.setShowing(false);
        bench.runQuick();
        ui.tick();
        assertThat(bench.live().elapsed().get()).matches("\\d\\d:\\d\\d");
        assertThat(bench.live().sampling().get()).isNotEmpty();
        assertThat(bench.live().runs()).isEmpty();
        bench.setShowing(true);
        assertThat(bench.live().runs()).hasSize(4);
    }
}
