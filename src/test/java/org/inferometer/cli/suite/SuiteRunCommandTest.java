package org.inferometer.cli.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.record.RunStatus;
import org.inferometer.suite.ServingConfigurations;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteRunCommandTest {
    private final Path folder;
    private final CliFixture cli;
    private final String configs;

    SuiteRunCommandTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.cli = new CliFixture(folder);
        this.configs = folder.resolve("configs").toString();
        cli.write("configs/disagg/perf/a.yaml", ServingConfigurations.MINIMAL);
        cli.write("configs/disagg/perf/b.yaml", ServingConfigurations.MINIMAL);
    }

    private CliFixture.Outcome run(String... more) {
        return cli.run(Stream.concat(Stream.of("suite", "run"), Stream.of(more)).toArray(String[]::new));
    }

    private SessionFolder session() throws IOException {
        try (Stream<Path> sessions = Files.list(folder.resolve("suites"))) {
            return new SessionFolder(sessions.filter(Files::isDirectory).toList().getFirst());
        }
    }

    private List<String> states() throws IOException {
        return session().read().tests().stream()
                .map(test -> test.id() + " " + test.state() + " " + test.results().size() + " " + test.reason())
                .toList();
    }

    @Test
    void testsRunInTheirOrderAndKeepTheirResults() throws IOException {
        CliFixture.Outcome outcome = run(configs, "--engine", "tiny-int4", "--runs", "3");

        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).contains("2 complete.").doesNotContain("Go on");
        assertThat(cli.benchmarks.started).extracting(ExperimentSpec::name).containsExactly("disagg_perf_a",
                "disagg_perf_b");
        assertThat(cli.benchmarks.started).extracting(ExperimentSpec::runs).containsExactly(3, 3);
        assertThat(states()).containsExactly("disagg_perf_a COMPLETE 1 ", "disagg_perf_b COMPLETE 1 ");
        SessionTest first = session().read().tests().getFirst();
        assertThat(session().of(first).resolve("configuration.yaml")).hasContent(ServingConfigurations.MINIMAL);
        assertThat(session().of(first)).isDirectoryContaining("glob:**/fields.json");
        assertThat(cli.run("suite", "status").out().replaceAll("\\s+", " ")).contains("2 2 0 0 ended");
    }

    @Test
    void largeBuildOfASuiteNeedsAnApproval() throws IOException {
        cli.benchmarks.buildBytes = (2L << 30) + 1;
        CliFixture.Outcome refused = run(configs, "--engine", "tiny-int4");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).endsWith("error: Engines of 2.00 GiB would be built first, and no terminal answers"
                + " whether to. To build them, add --yes.\n");
        assertThat(folder.resolve("suites")).as("no session is planned").doesNotExist();
        assertThat(run(configs, "--target", "null").exit()).as("no engine").isZero();
        assertThat(run(configs, "--engine", "tiny-int4", "--yes").exit()).isZero();
        assertThat(cli.benchmarks.started).hasSize(4);
    }

    @Test
    void refusedAndBlockedTestsDoNotStopTheOthers() throws IOException {
        cli.write("configs/disagg/perf/a.yaml",
                ServingConfigurations.MINIMAL.replace("streaming: true", "streaming: false"));
        cli.write("configs/disagg/perf/c.yaml", ServingConfigurations.MINIMAL.replace("mode: e2e", "mode: gen_only"));
        CliFixture.Outcome outcome = run(configs, "--target", "null");

        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(states()).containsExactly(
                "disagg_perf_a FAILED 0 Line 9: Answers must be streamed, or there is no TTFT.",
                "disagg_perf_b COMPLETE 1 ",
                "disagg_perf_c BLOCKED 0 The mode gen_only measures generation without its contexts,"
                        + " which only TensorRT-LLM's own servers can do. Use --trtllm.");
        assertThat(session().path().resolve("logs/disagg_perf_a_ERROR/configuration.yaml")).exists();
    }

    @Test
    void aFailedRunRenamesItsFolder() throws IOException {
        cli.benchmarks.status = RunStatus.FAILED;
        cli.benchmarks.failure = "The engine is broken.";

        assertThat(run(configs, "--engine", "tiny-int4", "-k", "_a").exit()).isEqualTo(3);
        assertThat(states()).containsExactly("disagg_perf_a FAILED 1 The engine is broken.");
        assertThat(session().path().resolve("logs/disagg_perf_a_ERROR/experiment.yaml")).exists();
        assertThat(session().path().resolve("logs/disagg_perf_a")).doesNotExist();
    }

    @Test
    void stoppedSessionsGoOnWhereTheyStopped() throws IOException {
        cli.benchmarks.script = (spec, listener) -> {
            if (spec.name().equals("disagg_perf_b") && cli.benchmarks.started.size() == 2) {
                List.copyOf(cli.shutdownActions).forEach(stop -> Thread.ofPlatform().start(stop));
                while (cli.benchmarks.cancellations == 0) {
                    Thread.onSpinWait();
                }
            }
        };
        CliFixture.Outcome stopped = run(configs, "--engine", "tiny-int4");
        assertThat(stopped.exit()).isEqualTo(3);
        assertThat(stopped.out()).contains("Go on: inferometer suite run --resume ");
        assertThat(states()).containsExactly("disagg_perf_a COMPLETE 1 ", "disagg_perf_b WAITING 0 ");

        cli.benchmarks.status = RunStatus.COMPLETE;
        assertThat(run("--resume", "latest").exit()).isZero();
        assertThat(states()).containsExactly("disagg_perf_a COMPLETE 1 ", "disagg_perf_b COMPLETE 1 ");
        assertThat(cli.benchmarks.started).extracting(ExperimentSpec::name).containsExactly("disagg_perf_a",
                "disagg_perf_b", "disagg_perf_b");
    }

    @Test
    void failedTestsBeginAgainOnRequest() throws IOException {
        cli.benchmarks.status = RunStatus.FAILED;
        cli.benchmarks.failure = "The engine is broken.";
        cli.write("configs/disagg/perf/c.yaml",
                ServingConfigurations.MINIMAL.replace("streaming: true", "streaming: false"));
        run(configs, "--engine", "tiny-int4");
        cli.benchmarks.status = RunStatus.COMPLETE;
        cli.benchmarks.failure = "";

        assertThat(run("--resume", "latest").exit()).isEqualTo(3);
        assertThat(cli.benchmarks.started).hasSize(2);
        assertThat(run("--resume", "latest", "--retry").exit()).isEqualTo(3);
        assertThat(states()).startsWith("disagg_perf_a COMPLETE 1 ", "disagg_perf_b COMPLETE 1 ").last().asString()
                .startsWith("disagg_perf_c FAILED 0 Line 9: ");
        assertThat(session().path().resolve("logs/disagg_perf_a/experiment.yaml")).exists();
        assertThat(run(configs, "--retry").err()).contains("--retry goes on with a session. Add --resume SESSION.");
    }

    @Test
    void sessionInAnotherFolderGoesOnFromThere() throws IOException {
        String place = folder.resolve("nights").toString();
        cli.benchmarks.status = RunStatus.FAILED;
        assertThat(run(configs, "--engine", "tiny-int4", "--out", place).exit()).isEqualTo(3);
        cli.benchmarks.status = RunStatus.COMPLETE;

        assertThat(run("--resume", "latest", "--retry").err()).contains("No session in suites. Run a suite first.");
        assertThat(run("--resume", "latest", "--retry", "--out", place).exit()).isZero();
        assertThat(cli.benchmarks.started).hasSize(4);
    }

    @Test
    void widerLoadThanTheBatchRunsWithAWarning() throws IOException {
        cli.write("configs/disagg/perf/a.yaml", ServingConfigurations.MINIMAL.replace("1 2 32", "1 36"));
        assertThat(cli.run("suite", "validate", configs, "-k", "_a").out())
                .contains("a.yaml:10: warning: concurrency_list: ", "; the others wait. Found 36, wanted 1 to 32.");
        String warning = "warning: disagg_perf_a: Line 10: The generation server cannot hold so many requests"
                + " (max_batch_size); the others wait.\n";
        assertThat(run(configs, "--engine", "tiny-int4", "-k", "_a", "--dry-run").err()).isEqualTo(warning);
        assertThat(run(configs, "--engine", "tiny-int4", "-k", "_a").err()).startsWith(warning);
        assertThat(cli.benchmarks.started.getFirst().workloads()).extracting(WorkloadSpec::name).containsExactly("con4",
                "con144");
    }

    @Test
    void resumingTakesNoOptionsOfPlanning() throws IOException {
        run(configs, "--engine", "tiny-int4");
        CliFixture.Outcome outcome = run("--resume", "latest", "--dry-run", "-k", "a", "--runs", "3");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("--resume goes on with a session as it was planned. Leave ", "--dry-run",
                "--names", "--runs", "out. To look at it: inferometer suite status latest");
        assertThat(run("--resume", "latest", "--slurm").err())
                .contains("The tests of the session are no jobs. Leave --slurm out.");
        assertThat(cli.benchmarks.started).hasSize(2);
    }

    @Test
    void testsOfJobsAreNotRunHere() throws IOException {
        run(configs, "--engine", "tiny-int4");
        Path file = session().path().resolve("session.json");
        Files.writeString(file, Files.readString(file).replace("\"COMPLETE\"", "\"SUBMITTED\"")
                .replace("\"job\" : \"\"", "\"job\" : \"7\""));
        assertThat(run("--resume", "latest").err()).contains("disagg_perf_a runs as job 7 on a cluster.",
                "inferometer suite collect ");
        assertThat(cli.benchmarks.started).hasSize(2);
    }

    @Test
    void optionsOfJobsInFilesOfOthersNeedApproval() throws IOException {
        cli.write("configs/disagg/perf/a.yaml",
                ServingConfigurations.MINIMAL.replace("slurm:", "slurm:\n  extra_args: --gres=gpu:4 --mail-user=me")
                        + "environment:\n  model_path: /m/a\n");
        CliFixture.Outcome outcome = run(configs, "--trtllm", "--slurm", "--dry-run", "-k", "_a");
        assertThat(outcome.err()).contains("This experiment adds options to its job: --gres=gpu:4 --mail-user=me."
                + " If you trust it, add --allow job.");
        assertThat(run(configs, "--trtllm", "--slurm", "--dry-run", "-k", "_a", "--allow", "job").exit()).isZero();
        assertThat(run(configs, "--trtllm", "--slurm", "--dry-run", "-k", "_a", "--slurm-args", "--gres=gpu:1").exit())
                .isZero();
    }

    @Test
    void sessionThatRunsElsewhereIsNotRunTwice() throws IOException {
        run(configs, "--engine", "tiny-int4");
        SuiteSession before = session().read();
        try (FileChannel other = FileChannel.open(session().path().resolve(".lock"), StandardOpenOption.WRITE);
                FileLock lock = other.lock()) {
            assertThat(lock.isValid()).isTrue();
            CliFixture.Outcome outcome = run("--resume", "latest");
            assertThat(outcome.exit()).isEqualTo(3);
            assertThat(outcome.err()).contains("is being run by another process. See suite status.");
            assertThat(cli.run("suite", "status", "latest", "--json").out()).contains("\"running\" : true");
        }
        assertThat(session().read()).isEqualTo(before);
    }

    @Test
    void sessionsOfOthersCannotLeadOutOfTheirFolder() throws IOException {
        run(configs, "--engine", "tiny-int4");
        Path file = session().path().resolve("session.json");
        Files.writeString(file, Files.readString(file).replace("logs/disagg_perf_a", "logs/../../../etc"));
        CliFixture.Outcome outcome = cli.run("suite", "status", "latest");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).contains("session.json: the path \"logs/../../../etc\" leads out of the session.");
    }

    @Test
    void dryRunShowsWhatBecomesOfEachFieldAndRunsNothing() {
        cli.benchmarks.faults = List.of(new PlanFault("engines", "No engine tiny."));
        CliFixture.Outcome outcome = run(configs, "--engine", "tiny", "-k", "_a", "--dry-run");

        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out()).contains("disagg_perf_a: cannot run\n  No engine tiny.\n",
                "not used: A lane has the whole engine. worker_config.gen.tensor_parallel_size,"
                        + " worker_config.ctx.tensor_parallel_size",
                "0 of 1 test can run, with 0 runs. Nothing was run.");
        cli.benchmarks.faults = List.of();
        assertThat(run(configs, "--engine", "tiny-int4", "-k", "_a", "--dry-run").exit()).isZero();
        assertThat(cli.benchmarks.started).isEmpty();
        assertThat(folder.resolve("suites")).doesNotExist();
    }

    @Test
    void experimentsRunBesideTestsAndNeedApprovalForWhatTheyUse() throws IOException {
        cli.write("configs/night.yaml", "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\n");
        cli.benchmarks.accesses =
                spec -> spec.name().startsWith("disagg") ? List.of()
                        : spec.schedulers().getFirst().name().equals("naive")
                                ? List.of(new Access(Access.Kind.PROGRAM, "/bin/tool"))
                        : List.of();
        CliFixture.Outcome refused = run(configs, "--engine", "tiny-int4");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("night.yaml").contains("/bin/tool").contains("--allow program");
        assertThat(cli.benchmarks.started).isEmpty();

        assertThat(run(configs, "--engine", "tiny-int4", "--allow", "program").exit()).isZero();
        assertThat(states()).containsExactly("disagg_perf_a COMPLETE 1 ", "disagg_perf_b COMPLETE 1 ",
                "night COMPLETE 1 ");
    }

    @Test
    void aSessionChoosesNoMachineByItself() throws IOException {
        run(configs, "--engine", "tiny-int4");
        Path file = session().path().resolve("session.json");
        assertThat(run("--resume", "latest", "--on", "ssh:gpu1").err())
                .contains("The session runs here. Leave --on out.");
        Files.writeString(file, Files.readString(file).replace("\"site\" : \"here\"", "\"site\" : \"ssh:evil\""));
        CliFixture.Outcome outcome = run("--resume", "latest", "--retry");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("The session runs on ssh:evil. Add --on ssh:evil.");
    }

    @Test
    void wrongUseIsOneSentence() {
        assertThat(run(configs, "--engine", "e", "--on", "ssh:gpu1", "--slurm").err())
                .contains("--on and --slurm exclude each other.");
        assertThat(run(configs, "--engine", "e", "--on", "gpu1").err())
                .contains("\"gpu1\" names no machine. Write ssh:HOST.");
        assertThat(run().err()).contains("Give a folder with experiments or test configurations, or --resume SESSION.");
        assertThat(run(configs, "--engine", "e", "--target", "null").err())
                .contains("--engine, --target and --trtllm exclude each other.");
        assertThat(run(configs, "--engine", "e", "-k", "nothing").err())
                .contains("No test is chosen. See: inferometer suite list configs");
        assertThat(run("--resume", "latest").err()).contains("No session in suites. Run a suite first.");
    }
}
