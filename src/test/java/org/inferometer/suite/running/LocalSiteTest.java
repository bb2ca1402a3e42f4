package org.inferometer.suite.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecWriter;
import org.inferometer.options.Access;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.SampleRecords;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.suite.running.SessionTest.OwnRequest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.units.JumpingClock;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LocalSiteTest {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    /// A machine that does not answer.
    private final BenchmarkService silent = new BenchmarkService() {
        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(0, 0, 0, 0, 0);
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new RunningExperiment() {
                @Override
                public Path folder() {
                    throw new IllegalStateException("Nothing was measured");
                }

                @Override
                public void cancel() {
                    stopped.countDown();
                }

                @Override
                public ExperimentManifest await() {
                    throw new IllegalStateException("Nothing was measured");
                }
            };
        }
    };

    private static SessionFolder session(Path folder) throws IOException {
        SessionFolder session = SessionFolder.create(folder, "s");
        SessionTest test =
                SessionTest.waiting("a", "", "a.yaml", "logs/a", List.of("experiment.yaml"), OwnRequest.NONE);
        session.write(
                new SuiteSession(SuiteSession.FORMAT_VERSION, "s", "suite", "", "here", Instant.EPOCH, List.of(test)));
        return session;
    }

    @Test
    void aTestEndsAfterItsStartThoughTheClockJumps(@TempDir Path folder) throws Exception {
        JumpingClock clock = new JumpingClock();
        LocalSite site = new LocalSite(silent, new ExperimentListener() {});
        SessionTest test =
                new SuiteRunner(session(folder), site, folder, new SuiteListener() {}, clock).run().tests().getFirst();
        assertThat(test.state()).as("its experiment is missing").isEqualTo(State.BLOCKED);
        assertThat(test.started()).isBefore(test.ended());
    }

    @Test
    @Timeout(60)
    void aStopDoesNotWaitForAMachineThatDoesNotAnswer(@TempDir Path folder) throws Exception {
        SessionFolder session = session(folder);
        session.write(session.read().tests().getFirst(), "experiment.yaml", SpecWriter.text(SampleRecords.spec(1)));
        SuiteRunner runner = new SuiteRunner(session, new LocalSite(silent, new ExperimentListener() {}), folder,
                new SuiteListener() {}, new SystemClock());
        CompletableFuture<SuiteSession> ended = runner.start(false);
        asked.await();
        runner.cancel();
        assertThat(ended.get(20, TimeUnit.SECONDS).tests()).extracting(SessionTest::state)
                .containsExactly(State.WAITING);
        answer.countDown();
        stopped.await();
    }
}
