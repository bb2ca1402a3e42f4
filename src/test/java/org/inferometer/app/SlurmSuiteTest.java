package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.options.Selection;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.suite.ServingConfigurations;
import org.inferometer.suite.Suite;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.TestCluster;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Suites as jobs of a real Slurm that run this program.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(180)
class SlurmSuiteTest {
    private static final String CONFIGURATION = ServingConfigurations.MINIMAL
            .replace("input_length: 1024", "input_length: 24").replace("output_length: 1024", "output_length: 8")
            .replace("num_gen_servers: 4", "num_gen_servers: 1").replace("1 2 32", "2");

    @TempDir
    Path folder;

    private Path workspace;
    private TestCluster cluster;

    /// The program on a node, without the long warm-up of kernels. Arguments: as those of the program, the workspace first.
    static final class OnNode {
        private OnNode() {}

        public static void main(String[] arguments) {
            Path workspace = Path.of(arguments[1]);
            Cli cli = new Cli(
                    new CommandLineWiring(EnvironmentVariables.ofProcess(),
                            (folders, environment, plugins) -> new Program(folders, environment,
                                    HastyWorker.in(workspace, environment))),
                    Terminal.ofProcess(EnvironmentVariables.ofProcess()));
            System.exit(cli.execute(arguments));
        }
    }

    @BeforeEach
    void startCluster() throws Exception {
        cluster = TestCluster.start(folder);
        workspace = Files.createDirectories(folder.resolve("the \"$work space\" of 'many'"));
        SmallestEngines.into(workspace);
    }

    @AfterEach
    void stopCluster() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private SessionFolder plan(String... configurations) throws Exception {
        Path suite = folder.resolve("suite");
        for (int i = 0; i < configurations.length; i++) {
            Path tests = Files.createDirectories(suite.resolve("disagg/perf"));
            Files.writeString(tests.resolve("t" + i + ".yaml"), configurations[i]);
        }
        TestMapping mapping =
                new TestMapping(new OwnEngine("tiny-int4", Selection.of("host")), new Measuring(1, 1, 42));
        return new SessionPlanner(new Suite(suite), mapping, workspace.resolve("suites"), new SystemClock())
                .plan(new Suite(suite).files(), "slurm", Allocation.DEFAULT);
    }

    private SlurmSite site(List<String> messages) {
        List<String> program = FastJava.program(OnNode.class);
        JobWait.Times times = new JobWait.Times(Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMinutes(2),
                Duration.ofSeconds(60));
        SlurmSettings settings =
                new SlurmSettings(new Allocation("", "", "", 1, 1, 0, true, 0, ""), program, workspace, 5, times, "");
        return new SlurmSite(cluster.slurm(), settings, workspace.resolve("results"), listener(messages),
                new SystemClock());
    }

    private static SuiteListener listener(List<String> messages) {
        return new SuiteListener() {
            @Override
            public void message(String text) {
                messages.add(text);
            }
        };
    }

    private SuiteRunner runner(SessionFolder session, SlurmSite site) {
        return new SuiteRunner(session, site, workspace.resolve("results"), listener(new ArrayList<>()),
                new SystemClock());
    }

    private static List<String> states(SuiteSession session) {
        return session.tests().stream().map(test -> test.id() + " " + test.state()).toList();
    }

    @Test
    void stoppedSessionsFindTheirJobsAndCollectThem() throws Exception {
        SessionFolder session = plan(CONFIGURATION, CONFIGURATION,
                CONFIGURATION.replace("mode: e2e", "mode: e2e\n  multi_round: 9000000"));
        CountDownLatch running = new CountDownLatch(1);
        List<String> messages = new ArrayList<>() {
            @Override
            public boolean add(String message) {
                if (message.contains("RUNNING")) {
                    running.countDown();
                }
                return super.add(message);
            }
        };
        SuiteRunner first = runner(session, site(messages));
        FutureTask<SuiteSession> stopped = new FutureTask<>(first::run);
        Thread.ofPlatform().daemon().start(stopped);
        assertThat(running.await(60, TimeUnit.SECONDS)).as("%s", messages).isTrue();
        first.cancel();

        SuiteSession left = stopped.get(30, TimeUnit.SECONDS);
        assertThat(messages).contains("  [  1/2] Job 1 <- disagg_perf_t0", "  [  2/2] Job 2 <- disagg_perf_t1");
        assertThat(states(left)).containsExactly("disagg_perf_t0 RUNNING", "disagg_perf_t1 SUBMITTED",
                "disagg_perf_t2 BLOCKED");
        SuiteSession ended = runner(session, site(new ArrayList<>())).run();

        assertThat(states(ended)).as("%s", ended).containsExactly("disagg_perf_t0 COMPLETE", "disagg_perf_t1 COMPLETE",
                "disagg_perf_t2 BLOCKED");
        assertThat(ended.tests()).extracting(SessionTest::job).containsExactly("1", "2", "");
        assertThat(new ResultLibrary(workspace.resolve("results")).list())
                .allMatch(entry -> entry.manifest().orElseThrow().status() == RunStatus.COMPLETE).hasSize(2);
        assertThat(Files.readAllLines(workspace.resolve("suites/perf_script_test_results.csv"))).hasSize(1 + 2 * 2);
        assertThat(cluster.slurm().states(List.of("1", "2", "3"))).doesNotContainKey("3");
    }

    @Test
    void cancelledJobsAreCollectedAsFar() throws Exception {
        SessionFolder session =
                plan(CONFIGURATION.replace("streaming: true", "streaming: true\n  multi_round: 100000"), CONFIGURATION);
        CountDownLatch running = new CountDownLatch(1);
        SuiteRunner first = runner(session, site(new ArrayList<>() {
            @Override
            public boolean add(String message) {
                if (message.contains("RUNNING")) {
                    running.countDown();
                }
                return super.add(message);
            }
        }));
        FutureTask<SuiteSession> stopped = new FutureTask<>(first::run);
        Thread.ofPlatform().daemon().start(stopped);
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
        first.cancel();
        SuiteSession left = stopped.get(30, TimeUnit.SECONDS);

        SlurmSite site = site(new ArrayList<>());
        for (SessionTest test : left.tests()) {
            site.cancelJob(session, test);
        }
        SuiteSession collected = runner(session, site).collect();
        while (collected.tests().stream().anyMatch(test -> !test.state().isEnd())) {
            collected = runner(session, site).collect();
        }
        assertThat(states(collected)).containsExactly("disagg_perf_t0 CANCELLED", "disagg_perf_t1 CANCELLED");
        try (Stream<Path> logs = Files.list(session.path().resolve("logs"))) {
            assertThat(logs.map(path -> path.getFileName().toString()).sorted()).containsExactly("disagg_perf_t0",
                    "disagg_perf_t1");
        }
    }
}
