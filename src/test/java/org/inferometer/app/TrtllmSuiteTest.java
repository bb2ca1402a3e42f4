package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.server.StandInServer;
import org.inferometer.suite.ServingConfigurations;
import org.inferometer.suite.Suite;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SlurmSite;
import org.inferometer.suite.running.SuiteRunner;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.TestCluster;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.ShellWord;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Tests on servers that their jobs start on several nodes. Stand-ins have the names of TensorRT-LLM's programs.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(180)
class TrtllmSuiteTest {
    @TempDir
    Path folder;

    private void program(String name, String script) throws Exception {
        Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /// Workers wait; one of the second test fails. The server of both answers at the port of its file.
    private void standIns() throws Exception {
        program("trtllm-llmapi-launch", "exec \"$@\"");
        program("trtllm-serve", """
                if [ "$1" = disaggregated ]; then
                    port=$(sed -n 's/^port: //p' "$3")
                    exec %s
                fi
                echo "worker of $1 on $CUDA_VISIBLE_DEVICES"
                grep max_batch_size "$7"
                case $PWD in *t1*) echo "torch.OutOfMemoryError: CUDA out of memory."; exit 1 ;; esac
                exec sleep 600
                """.formatted(ShellWord.line(StandInServer.command("fine")).replaceAll("'?\\{port}'?", "\"\\$port\"")));
    }

    private String configuration(String model) {
        String path = "PATH=" + folder.resolve("bin") + ":/usr/local/bin:/usr/bin:/bin";
        return ServingConfigurations.MINIMAL.replace("input_length: 1024", "input_length: 24")
                .replace("output_length: 1024", "output_length: 8").replace("1 2 32", "2")
                .replace("num_gen_servers: 4", "num_gen_servers: 2")
                .replace("tensor_parallel_size: 8", "tensor_parallel_size: 4") + "environment:\n  model_path: /models/"
                + model + "\n  worker_env_var: '" + path + "'\n  server_env_var: '" + path + "'\n";
    }

    private SlurmSite site(TestCluster cluster, Path workspace, SuiteListener listener) {
        List<String> program = FastJava.program(SlurmSuiteTest.OnNode.class);
        JobWait.Times times = new JobWait.Times(Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMinutes(2),
                Duration.ofSeconds(60));
        return new SlurmSite(cluster.slurm(),
                new SlurmSettings(new Allocation("", "", "", 1, 1, 0, true, 0, ""), program, workspace, 5, times, ""),
                workspace.resolve("results"), listener, new SystemClock());
    }

    @Test
    void jobsStartTheirServersOnTheirNodesAndMeasureThem() throws Exception {
        standIns();
        Path workspace = Files.createDirectories(folder.resolve("the \"$work space\" of 'many'"));
        Path tests = Files.createDirectories(folder.resolve("suite/disagg/perf"));
        Files.writeString(tests.resolve("t0.yaml"), configuration("stand-in"));
        Files.writeString(tests.resolve("t1.yaml"), configuration("m 2"));
        TestMapping mapping = new TestMapping(
                new TrtllmServers(new EnvironmentVariables(Map.of(), Map.of(), List.of())), new Measuring(1, 1, 42));
        Suite suite = new Suite(folder.resolve("suite"));
        SessionFolder session = new SessionPlanner(suite, mapping, workspace.resolve("suites"), new SystemClock())
                .plan(suite.files(), "slurm", Allocation.DEFAULT);
        List<String> messages = new ArrayList<>();
        SuiteListener listener = new SuiteListener() {
            @Override
            public void message(String text) {
                messages.add(text);
            }
        };
        SuiteSession ended;
        try (TestCluster cluster = TestCluster.start(folder, 4)) {
            ended = new SuiteRunner(session, site(cluster, workspace, listener), workspace.resolve("results"), listener,
                    new SystemClock()).run();
        }

        assertThat(ended.tests()).extracting(test -> test.id() + " " + test.state()).as("%s %s", ended, messages)
                .containsExactly("disagg_perf_t0 COMPLETE", "disagg_perf_t1 FAILED");
        Path first = session.path().resolve("logs/disagg_perf_t0");
        assertThat(first.resolve("3_output_CTX_0.log")).content().contains("worker of /models/stand-in on 0,1,2,3",
                "max_batch_size: 4");
        assertThat(first.resolve("serving.yaml")).content().contains("hostname: 127.0.0.1", "n1:8000", "n2:8001",
                "n3:8002");
        assertThat(first.resolve("placed.json")).content().contains("\"n3\"").doesNotContain("<node");
        assertThat(new ResultLibrary(workspace.resolve("results")).list())
                .filteredOn(entry -> entry.manifest().orElseThrow().status() == RunStatus.COMPLETE).hasSize(1)
                .allSatisfy(entry -> assertThat(entry.manifest().orElseThrow().toString()).contains("trtllm"));
        assertThat(Files.readAllLines(workspace.resolve("suites/perf_script_test_results.csv"))).hasSize(1 + 2).last()
                .asString().contains("disagg_perf_t0", "_con:4", "TensorRT-LLM");
        assertThat(ended.tests().getLast().reason()).contains("CUDA out of memory");
    }
}
