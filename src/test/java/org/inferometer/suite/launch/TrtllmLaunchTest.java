package org.inferometer.suite.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.suite.ServingConfigurations;
import org.inferometer.suite.launch.Overrides.FieldOrigin;
import org.inferometer.suite.serving.ConfigurationReader;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class TrtllmLaunchTest {
    @TempDir
    Path folder;

    private static Disaggregated test(String... changes) {
        String text = ServingConfigurations.MINIMAL;
        for (int i = 0; i < changes.length; i += 2) {
            assertThat(text).contains(changes[i]);
            text = text.replace(changes[i], changes[i + 1]);
        }
        return (Disaggregated) ConfigurationReader
                .read(YamlReader.parse(text, new YamlReader.Limits(1 << 20, 20, 20), new YamlFaults()).orElseThrow())
                .configuration();
    }

    private static EnvironmentVariables variables(String... pairs) {
        Map<String, String> process = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            process.put(pairs[i], pairs[i + 1]);
        }
        return new EnvironmentVariables(process, Map.of(), List.of());
    }

    private static TrtllmLaunch launch(Disaggregated test, String... variables) {
        return TrtllmLaunch.of(test, "a", variables(variables));
    }

    /// The published example: one context server of 4 GPUs, four generation servers of 8, on nodes of 4.
    @Test
    void generationServersAreFirstAndContiguous() {
        Placement placement = Placement.of(test());

        assertThat(placement.nodes()).isEqualTo(9);
        assertThat(placement.tasks()).isEqualTo(36);
        assertThat(placement.servers())
                .extracting(server -> server.kind() + server.index() + " " + server.port() + " " + server.gpus())
                .containsExactly("GEN0 8000 {0=[0, 1, 2, 3], 1=[0, 1, 2, 3]}",
                        "GEN1 8001 {2=[0, 1, 2, 3], 3=[0, 1, 2, 3]}", "GEN2 8002 {4=[0, 1, 2, 3], 5=[0, 1, 2, 3]}",
                        "GEN3 8003 {6=[0, 1, 2, 3], 7=[0, 1, 2, 3]}", "CTX0 8004 {8=[0, 1, 2, 3]}");
        assertThat(launch(test()).sbatch()).containsExactly("--time=02:00:00", "--job-name=unified-benchmark",
                "--nodes=9", "--ntasks=36", "--ntasks-per-node=4", "--output=slurm-%j.out", "--error=slurm-%j.err");
    }

    @Test
    void smallServersShareNodesAndUnevenOnesAreTold() {
        Placement shared = Placement.of(test("tensor_parallel_size: 8", "tensor_parallel_size: 2"));
        assertThat(shared.nodes()).isEqualTo(3);
        assertThat(shared.servers().get(1).gpus()).isEqualTo(Map.of(0, List.of(2, 3)));
        assertThat(launch(test("tensor_parallel_size: 8", "tensor_parallel_size: 6")).findings())
                .contains("Server GEN 0 has different numbers of GPUs on its nodes. Give gpus_per_node a divisor of its"
                        + " GPUs, or a multiple.");
    }

    @Test
    void hostileNumbersAreOneSentence() {
        assertThatThrownBy(() -> Placement.of(test("gpus_per_node: 4", "gpus_per_node: 0")))
                .hasMessage("hardware.gpus_per_node is 0. Give a number from 1 to 1024.");
        assertThatThrownBy(() -> Placement.of(test("num_gen_servers: 4", "num_gen_servers: 2147483647")))
                .hasMessage("2147483647 servers of 8 GPUs are more than 100000 GPUs in all.");
        assertThatThrownBy(() -> Placement.of(test("tensor_parallel_size: 8",
                "tensor_parallel_size: 2147483647\n    pipeline_parallel_size: 2147483647")))
                .hasMessageEndingWith("GPUs (tensor × pipeline parallelism). Give 1 to 100000.");
        assertThatThrownBy(() -> Placement.of(test("num_ctx_servers: 1", "num_ctx_servers: -1")))
                .hasMessageStartingWith("-1 servers of 4 GPUs");
    }

    @Test
    void variablesAndTheTableOfGpusReplaceFields() {
        TrtllmLaunch launch = launch(
                test("job_time: 02:00:00", "partition: <partition>\n  account: mine\n  script_file: run.slurm",
                        "precision: \"fp4\"", "precision: fp4\n  model_dir_name: m1\n  dataset_file: d.json"),
                "SLURM_PARTITION", "batch", "MODEL_DIR", "/models/", "DATASET_DIR", "/data", "SCRIPT_DIR", "/scripts",
                "GPU_TYPE", "GB200_OCI", "SLURM_ACCOUNT", "");

        assertThat(launch.overrides().origins()).extracting(FieldOrigin::toString).containsExactly(
                "FieldOrigin[field=slurm.partition, before=<partition>, after=batch, origin=SLURM_PARTITION]",
                "FieldOrigin[field=environment.model_path, before=, after=/models/m1, origin=MODEL_DIR,"
                        + " metadata.model_dir_name]",
                "FieldOrigin[field=benchmark.dataset_file, before=, after=/data/d.json, origin=DATASET_DIR]",
                "FieldOrigin[field=slurm.script_file, before=run.slurm, after=/scripts/run.slurm, origin=SCRIPT_DIR]",
                "FieldOrigin[field=slurm.extra_args, before=, after=--gres=gpu:4, origin=table of GPUs: GB200_OCI]",
                "FieldOrigin[field=slurm.set_segment, before=, after=true, origin=table of GPUs: GB200_OCI]",
                "FieldOrigin[field=hardware.gpu_type, before=, after=GB200_OCI, origin=GPU_TYPE]");
        assertThat(launch.findings()).isEmpty();
        assertThat(launch.sbatch()).contains("--partition=batch", "--account=mine", "--segment=9", "--gres=gpu:4");
        assertThat(launch.script()).isEqualTo("/scripts/run.slurm");
        assertThat(launch.arguments()).containsExactly("--num-ctx-servers", "1", "--num-gen-servers", "4", "--isl",
                "1024", "--osl", "1024", "--streaming", "true", "--dataset-file", "/data/d.json", "--mode", "e2e",
                "--model-path", "/models/m1");
        assertThat(launch(test("job_time: 02:00:00", "partition: <partition>")).findings()).containsExactly(
                "environment.model_path is missing: the servers have no model.",
                "slurm.partition is still a placeholder. Set its variable, or write it in the file.",
                "slurm.script_file is missing: the job has no script.");
    }

    @Test
    void workerFilesKeepEveryKeyWithItsType() {
        TrtllmLaunch launch = launch(test("max_batch_size: 32\n", """
                max_batch_size: 32
                    cuda_graph_config:
                    stream_interval: "20"
                    kv_cache_config: {enable_block_reuse: no, free_gpu_memory_fraction: 0.8}
                """));

        assertThat(launch.files()).containsOnlyKeys("a-temp.yaml", "gen_config.yaml", "ctx_config.yaml",
                "server_config.yaml", "allocations.json", "start_worker_cmds.txt", "start_servers.sh");
        assertThat(launch.files().get("gen_config.yaml")).isEqualTo("""
                tensor_parallel_size: 8
                max_batch_size: 32
                cuda_graph_config: null
                stream_interval: '20'
                kv_cache_config:
                  enable_block_reuse: false
                  free_gpu_memory_fraction: 0.8
                max_num_tokens: 32
                max_seq_len: 2251
                """);
        assertThat(launch.files().get("server_config.yaml")).isEqualTo("""
                hostname: <node0>
                port: 8333
                backend: pytorch
                context_servers:
                  num_instances: 1
                  urls:
                  - <node8>:8004
                generation_servers:
                  num_instances: 4
                  urls:
                  - <node0>:8000
                  - <node2>:8001
                  - <node4>:8002
                  - <node6>:8003
                """);
        assertThat(launch.client()).hasSize(3);
        assertThat(launch.client().getLast()).containsSequence("--concurrency", "128", "--requests", "128",
                "--prompt-tokens", "1024", "--output-tokens", "1024");
    }

    /// Relative paths of the servers must hold in the container, too.
    @Test
    void containersSeeTheFolderOfTheFiles() {
        Map<String, String> files = launch(test("hardware:", "environment:\n  container_mount: /a:/b\nhardware:"),
                "CONTAINER_IMAGE", "/i.sqsh").files();

        String container =
                " --container-image=/i.sqsh --container-mounts=/a:/b,\"$PWD:$PWD\"" + " --container-workdir=\"$PWD\" ";
        assertThat(files.get("start_worker_cmds.txt").lines()).hasSize(5).allMatch(line -> line.contains(container));
        assertThat(files.get("start_servers.sh"))
                .contains("-w \"${nodes[0]}\"" + container + "trtllm-serve disaggregated -c serving.yaml");
        assertThat(launch(test()).files().get("start_worker_cmds.txt")).doesNotContain("container");
    }

    @Test
    void modelHasTheNameThatItsServersListItBy() {
        assertThat(launch(test("precision: \"fp4\"", "model_dir_name: m1/"), "MODEL_DIR", "/models").model())
                .isEqualTo("m1");
        assertThat(launch(test("hardware:", "environment: {model_path: org/name}\nhardware:")).model())
                .isEqualTo("org/name");
    }

    /// The text is what a shell makes files and calls of.
    @Test
    void shellsReadTheTextBackUnchanged() throws Exception {
        String image = "/images/it's $HOME `id` \"x\"";
        TrtllmLaunch launch = launch(test(), "CONTAINER_IMAGE", image, "SLURM_PARTITION", "a b;touch broken");
        Files.writeString(folder.resolve("sbatch"), "#!/bin/sh\nprintf '%s\\0' \"$@\" > called\n");
        Files.writeString(folder.resolve("inferometer"), "#!/bin/sh\n");
        for (String program : List.of("sbatch", "inferometer")) {
            assertThat(folder.resolve(program).toFile().setExecutable(true)).isTrue();
        }
        Files.writeString(folder.resolve("launch.txt"), launch.text());
        Process shell = new ProcessBuilder("sh", "-c", "PATH=$PWD:$PATH; . ./launch.txt").directory(folder.toFile())
                .redirectErrorStream(true).start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(shell.waitFor()).as(said).isZero();
        for (Map.Entry<String, String> file : launch.files().entrySet()) {
            assertThat(folder.resolve(file.getKey())).hasContent(file.getValue());
        }
        assertThat(Files.readString(folder.resolve("called")).split("\0")).startsWith("--partition=a b;touch broken");
        assertThat(folder.resolve("broken")).doesNotExist();
        assertThat(launch.files().get("start_worker_cmds.txt"))
                .contains("'--container-image=/images/it'\\''s $HOME `id` \"x\"'");
    }
}
