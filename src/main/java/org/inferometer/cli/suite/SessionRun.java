package org.inferometer.cli.suite;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.run.RunProgress;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.running.LocalSite;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestSite;
import org.inferometer.suite.slurm.SlurmCommands;

/// A session that a command runs or collects, with progress on standard error and Ctrl+C.
record SessionRun(CliServices services, Terminal terminal, ProgressLine line, SessionFolder session) {
    private static final long MOST_WAIT_SECONDS = 30;

    static SessionRun of(CliServices services, Terminal terminal, SessionFolder session) {
        return new SessionRun(services, terminal, new ProgressLine(terminal, services.clock()), session);
    }

    /// Runs tests here.
    TestSite here(BenchmarkService service, boolean verbose) {
        return new LocalSite(service, new RunProgress(line, services.clock(), verbose));
    }

    /// Runs tests as jobs.
    SlurmSite slurm(SlurmSettings settings) {
        return new SlurmSite(new SlurmCommands(Map.of()), settings, services.workspace().results(),
                new SuiteProgress(line), services.clock());
    }

    /// What is done with the session.
    interface Step {
        SuiteSession take(SuiteRunner runner) throws IOException, InterruptedException;
    }

    /// @return the session afterwards
    SuiteSession follow(TestSite site, Step step) throws IOException, InterruptedException {
        SuiteRunner runner = new SuiteRunner(session, site, services.workspace().results(), new SuiteProgress(line),
                services.clock());
        CountDownLatch shown = new CountDownLatch(1);
        try (ShutdownHooks.Registration hook = services.shutdown().onShutdown(() -> stop(runner, shown))) {
            SuiteSession ended = step.take(runner);
            line.clear();
            shown.countDown();
            return ended;
        } finally {
            shown.countDown();
        }
    }

    /// Stops the session and keeps the process alive until its state is saved.
    private void stop(SuiteRunner runner, CountDownLatch shown) {
        line.print("stopping; what was measured is kept");
        runner.cancel();
        try {
            if (!shown.await(MOST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                line.print("the test did not stop within " + MOST_WAIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Prints a line for each test that begins or ends.
    record SuiteProgress(ProgressLine line) implements SuiteListener {
        @Override
        public void testStarted(SuiteSession session, int index) {
            line.print(
                    "test " + (index + 1) + " of " + session.tests().size() + ": " + session.tests().get(index).id());
        }

        @Override
        public void testEnded(SuiteSession session, int index) {
            SessionTest test = session.tests().get(index);
            line.print("  " + test.state().id() + (test.reason().isEmpty() ? "" : ": " + test.reason()));
        }

        @Override
        public void message(String text) {
            line.print(text);
        }
    }
}
