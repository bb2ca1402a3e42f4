package org.inferometer.ui.suites;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.slurm.JobStatus;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.ScriptedSlurm;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.suites.PlatformViewModel.Kind;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices.SuitePlaces;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.MachinesTwin;
import org.inferometer.ui.twin.TestSuites;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A suite that is open, with services that end every experiment at once.
abstract class OpenSuite {
    @TempDir
    Path folder;

    final LinkedBlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
    final List<String> notices = new ArrayList<>();
    final List<ExperimentSpec> started = new ArrayList<>();
    final List<ExperimentSpec> startedThere = new ArrayList<>();
    volatile boolean jobEnded = true;
    final ScriptedSlurm slurm = new ScriptedSlurm(new ScriptedSlurm.Answers() {
        @Override
        public @Nullable JobStatus state() {
            return jobEnded ? null : new JobStatus("100", JobState.RUNNING, "RUNNING", "", "", "", "");
        }

        @Override
        public Optional<JobStatus> end() {
            return jobEnded ? Optional.of(new JobStatus("100", JobState.FAILED, "FAILED", "", "1:0", "", ""))
                    : Optional.empty();
        }
    });
    final Thread testThread = Thread.currentThread();
    RunStatus status = RunStatus.COMPLETE;
    /// Of a-int4.
    long unbuiltBytes;
    SuitesViewModel model;

    /// Ends every experiment at once.
    final class Ending implements BenchmarkService {
        private final List<ExperimentSpec> taken;

        private Ending(List<ExperimentSpec> taken) {
            this.taken = taken;
        }

        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public long buildBytes(ExperimentSpec spec) {
            return spec.engines().contains("a-int4") ? unbuiltBytes : 0;
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return spec.name().equals("night") ? List.of(new Access(Access.Kind.PROGRAM, "/bin/tool")) : List.of();
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(0, 0, 0, 0, 0);
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) {
            taken.add(spec);
            ExperimentManifest manifest = Experiments.manifest("r" + taken.size(), Experiments.QUICK, status,
                    Verdict.Grade.PREVIEW, OpenSuite.NOW);
            return new RunningExperiment() {
                @Override
                public Path folder() {
                    return folder.resolve("results").resolve(manifest.id());
                }

                @Override
                public void cancel() {}

                @Override
                public ExperimentManifest await() {
                    return manifest;
                }
            };
        }
    }

    final Deque<Runnable> held = new ArrayDeque<>();
    boolean holding;
    static final Instant NOW = Instant.parse("2026-11-23T17:00:00Z");

    @BeforeEach
    void openSuite() {
        UiThread ui = new UiThread() {
            @Override
            public void later(Runnable action) {
                later.add(action);
            }

            @Override
            public boolean current() {
                return Thread.currentThread() == testThread;
            }
        };
        BackgroundWork work = new BackgroundWork(task -> {
            if (holding) {
                held.add(task);
            } else {
                task.run();
            }
        }, ui);
        OtherMachines others = new OtherMachines(new MachinesTwin().with("gpu1", MachinesTwin.GPU_SERVER),
                new Settings(folder.resolve("settings.properties")), work);
        others.add("gpu1");
        SuitePlaces places =
                new SuitePlaces(new Ending(started), others, machine -> new Ending(startedThere), () -> slurm,
                        () -> SlurmSettings
                                .of(EnvironmentVariables.NONE, OptionalInt.empty(), List.of("inferometer"),
                                        folder.resolve("workspace"))
                                .looking(new JobWait.Times(Duration.ZERO, Duration.ofMillis(5), Duration.ofSeconds(60),
                                        Duration.ofSeconds(60))),
                        EnvironmentVariables.NONE);
        model = new SuitesViewModel(new SuiteServices(places, () -> List.of("a-int4", "b-int4"),
                folder.resolve("suites"), folder.resolve("results"), new SystemClock()), work, new Notifier() {
                    @Override
                    public void done(String sentence) {
                        notices.add(sentence);
                    }

                    @Override
                    public void problem(String sentence) {
                        notices.add("problem: " + sentence);
                    }
                });
        model.open(TestSuites.written(folder.resolve("library")));
    }

    void awaitEnd() throws InterruptedException {
        while (model.session().running().get()) {
            later.take().run();
        }
    }

    List<String> states() {
        SuiteSession session = Objects.requireNonNull(model.session().session().get());
        return session.tests().stream().map(test -> test.id().replaceFirst("_deepseek.*-", "…") + " " + test.state())
                .toList();
    }
}
