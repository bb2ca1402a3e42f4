package org.inferometer.suite.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.suite.ServingConfigurations;
import org.inferometer.suite.Suite;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.mapping.MappedTest.MappedField.Use;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestPlatform.Endpoint;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class TestMappingTest {
    private static final TestPlatform ENGINE = new OwnEngine("tiny-int4", Selection.parse("host:threads=2"));
    private static final TestPlatform TRTLLM =
            new TrtllmServers(new EnvironmentVariables(Map.of(), Map.of(), List.of()));
    private static final TestPlatform SERVER = new Endpoint(Selection.parse("http:url=http://127.0.0.1:8000"));

    @TempDir
    Path folder;

    private MappedTest mapped(String category, String configuration, TestPlatform platform) throws IOException {
        Path tests = Files.createDirectories(folder.resolve("disagg").resolve(category));
        Files.writeString(tests.resolve("a.yaml"), configuration);
        TestFile test = (TestFile) new Suite(folder).files().getFirst();
        return new TestMapping(platform, new Measuring(1, 2, 7)).of(test);
    }

    private static List<String> uses(MappedTest test) {
        return test.fields().stream().map(field -> field.use() + " " + field.field() + "=" + field.value()).toList();
    }

    /// "name: scheduler or target, limits; loads".
    private static List<String> experiments(MappedTest test) {
        return test.experiments().stream().map(spec -> spec.name() + ": " + spec.systems() + ", "
                + spec.limits().maxBatchRows() + spec.limits().maxStepPositions() + spec.limits().maxSequencePositions()
                + "; "
                + String.join(", ",
                        spec.workloads().stream().map(load -> load.name() + " " + load.promptTokens() + "/"
                                + load.outputTokens() + " " + load.arrivals() + " " + load.requests()).toList()))
                .toList();
    }

    @Test
    void serversBecomeLanesAndConcurrenciesLoads() throws IOException {
        MappedTest test = mapped("perf",
                ServingConfigurations.MINIMAL.replace("streaming: true",
                        "streaming: true\n  multi_round: 8\n  benchmark_ratio: 0.8\n  use_nv_sa_benchmark: false"),
                ENGINE);

        assertThat(test.blocked()).isEmpty();
        assertThat(experiments(test)).containsExactly(
                "disagg_perf_a: [disaggregated:ctx=1,gen=4,ctx_max_batch_size=4,ctx_max_num_tokens=4608,"
                        + "gen_max_batch_size=32], [32][4608][2251]; con4 819..1024/819..1024 closed:concurrency=4 32,"
                        + " con8 819..1024/819..1024 closed:concurrency=8 64,"
                        + " con128 819..1024/819..1024 closed:concurrency=128 1024");
        assertThat(test.experiments().getFirst().engines()).containsExactly("tiny-int4");
        assertThat(test.experiments().getFirst().runs()).isEqualTo(1);
        assertThat(test.experiments().getFirst().seed()).isEqualTo(7);
        assertThat(uses(test)).containsExactly("CHANGED metadata.model_name=m", "CHANGED metadata.precision=fp4",
                "USED metadata.supported_gpus=[GB200]", "NOT_USED slurm.job_time=02:00:00", "USED benchmark.mode=e2e",
                "USED benchmark.streaming=true", "USED benchmark.multi_round=8", "USED benchmark.benchmark_ratio=0.8",
                "NOT_USED benchmark.use_nv_sa_benchmark=false", "USED benchmark.concurrency_list=1 2 32",
                "USED benchmark.input_length=1024", "USED benchmark.output_length=1024",
                "NOT_USED hardware.gpus_per_node=4", "USED hardware.num_ctx_servers=1",
                "USED hardware.num_gen_servers=4", "NOT_USED worker_config.gen.tensor_parallel_size=8",
                "USED worker_config.gen.max_batch_size=32", "USED worker_config.gen.max_num_tokens=32",
                "USED worker_config.gen.max_seq_len=2251", "NOT_USED worker_config.ctx.tensor_parallel_size=4",
                "USED worker_config.ctx.max_batch_size=4", "USED worker_config.ctx.max_num_tokens=4608",
                "USED worker_config.ctx.max_seq_len=2251");
    }

    @Test
    void serversDecideTheirOwnLimits() throws IOException {
        MappedTest test = mapped("perf", ServingConfigurations.MINIMAL, SERVER);

        assertThat(experiments(test)).containsExactly("disagg_perf_a: [http], [][][]; con4 1024/1024"
                + " closed:concurrency=4 4, con8 1024/1024 closed:concurrency=8 8, con128 1024/1024"
                + " closed:concurrency=128 128");
        assertThat(test.fields()).filteredOn(field -> field.field().startsWith("worker_config")).hasSize(8)
                .allMatch(field -> field.use() == Use.NOT_USED && field.sentence().equals("The server decides."));
    }

    @Test
    void serversOfTheJobGetTheirFields() throws IOException {
        MappedTest test = mapped("perf", ServingConfigurations.MINIMAL + "environment:\n  model_path: /m/a\n", TRTLLM);

        assertThat(test.experiments()).singleElement().extracting(spec -> spec.targets().getFirst().toString())
                .isEqualTo("serve:command=bash start_servers.sh {port},model=a,name=trtllm,processes=elsewhere,"
                        + "ready_timeout=7200,stop_timeout=120");
        assertThat(test.launch().orElseThrow().placement().nodes()).isEqualTo(9);
        assertThat(test.fields()).filteredOn(field -> field.use() != Use.USED).isEmpty();
        assertThat(mapped("perf", ServingConfigurations.MINIMAL, TRTLLM).blocked())
                .containsExactly("environment.model_path is missing: the servers have no model.");
        assertThat(mapped("perf", ServingConfigurations.AGGREGATED, TRTLLM).blocked())
                .containsExactly("Only servers for context and generation have a launch of TensorRT-LLM.");
    }

    @Test
    void generationAloneRunsOnServersThatCanDoIt() throws IOException {
        String text = ServingConfigurations.MINIMAL + "environment:\n  model_path: /m/a\n";
        assertThat(mapped("perf", text.replace("mode: e2e", "mode: gen_only"), TRTLLM).blocked())
                .containsExactly("The mode gen_only starts its servers for one concurrency. Give"
                        + " benchmark.concurrency_list one number.");
        MappedTest filled = mapped("perf", text.replace("mode: e2e", "mode: gen_only").replace("1 2 32", "32"), TRTLLM);
        assertThat(filled.experiments()).singleElement().extracting(ExperimentSpec::warmUpRequests).isEqualTo(0);
        assertThat(filled.launch().orElseThrow().files().get("start_worker_cmds.txt").lines())
                .allMatch(line -> line.contains("TRTLLM_DISABLE_KV_CACHE_TRANSFER_OVERLAP=1")
                        && line.contains("TLLM_BENCHMARK_REQ_QUEUES_SIZE=32") == line.contains("gen_config.yaml"));
        MappedTest without = mapped("perf", text.replace("mode: e2e", "mode: gen_only_no_context"), TRTLLM);
        assertThat(without.experiments()).singleElement().extracting(ExperimentSpec::warmUpRequests).isEqualTo(2);
        assertThat(without.launch().orElseThrow().files().get("start_worker_cmds.txt").lines())
                .allMatch(line -> line.contains(" TRTLLM_DISAGG_BENCHMARK_GEN_ONLY=1 "));
        assertThat(without.launch().orElseThrow().files().get("start_servers.sh"))
                .contains(" env TRTLLM_DISAGG_BENCHMARK_GEN_ONLY=1 trtllm-serve disaggregated");
        assertThat(uses(without)).contains("CHANGED benchmark.mode=gen_only_no_context");
    }

    @Test
    void aggregatedServersAreExperimentsOfTheirOwn() throws IOException {
        String two = ServingConfigurations.AGGREGATED + ServingConfigurations.AGGREGATED
                .substring(ServingConfigurations.AGGREGATED.indexOf("  - name: \"tep8\"")).replace("tep8", "dep8")
                .replace("max_batch_size: 4\n", "max_batch_size: 4\n    enable_chunked_prefill: false\n");

        assertThat(experiments(mapped("perf", two, ENGINE))).containsExactly(
                "disagg_perf_a_tep8: [continuous], [4][][]; con2 8192/1024 closed:concurrency=2 20,"
                        + " con4 8192/1024 closed:concurrency=4 40",
                "disagg_perf_a_dep8: [continuous:enable_chunked_prefill=false], [4][][]; con2 8192/1024"
                        + " closed:concurrency=2 20, con4 8192/1024 closed:concurrency=4 40");
    }

    @Test
    void contextsAloneAreAnswersOfOneToken() throws IOException {
        assertThat(experiments(
                mapped("perf", ServingConfigurations.MINIMAL.replace("mode: e2e", "mode: ctx_only"), ENGINE))
                .getFirst()).contains("gen=1,", "con4 1024/1 closed:concurrency=4 4");
    }

    @Test
    void whatCannotBeMeasuredHereIsBlockedWithItsReason() throws IOException {
        String text = ServingConfigurations.MINIMAL.replace("mode: e2e", "mode: gen_only");
        MappedTest own = mapped("perf", text, ENGINE);
        assertThat(own.blocked()).isEmpty();
        assertThat(own.experiments()).isEqualTo(mapped("perf", ServingConfigurations.MINIMAL, ENGINE).experiments());
        assertThat(uses(own)).contains("CHANGED benchmark.mode=gen_only");
        MappedTest generation = mapped("perf", text, SERVER);
        assertThat(generation.experiments()).isEmpty();
        assertThat(generation.blocked()).containsExactly("The mode gen_only measures generation without its contexts,"
                + " which only TensorRT-LLM's own servers can do. Use --trtllm.");
        assertThat(mapped("perf", ServingConfigurations.MINIMAL.replace("1 2 32", "1 99999"), ENGINE).blocked())
                .containsExactly("benchmark.concurrency_list needs numbers from 1 to 100000 requests in flight, and at"
                        + " most 10000000 requests.");
        assertThat(mapped("accuracy", ServingConfigurations.MINIMAL + "accuracy:\n  tasks: gsm8k\n", ENGINE).blocked())
                .containsExactly("An accuracy test needs its data set gsm8k, which is not here. To compare answers"
                        + " with a reference, write a.reference.jsonl beside it.");
    }

    @Test
    void accuracyTestsAskTheirReferenceOnce() throws IOException {
        Path reference = Files.createDirectories(folder.resolve("disagg/accuracy")).resolve("a.reference.jsonl");
        Files.writeString(reference, "{\"prompt\":\"p\",\"answer\":\"x\"}\n{\"prompt\":\"q\",\"answer\":\"y\"}\n");
        MappedTest test = mapped("accuracy", ServingConfigurations.MINIMAL, SERVER);

        assertThat(experiments(test))
                .containsExactly("disagg_accuracy_a: [http], [][][]; reference 1024/1024 closed:concurrency=2 2");
        assertThat(test.experiments().getFirst().keepText()).isTrue();
        assertThat(test.experiments().getFirst().workloads().getFirst().promptFile()).isEqualTo(reference.toString());
        Files.writeString(reference, "{}");
        assertThat(mapped("accuracy", ServingConfigurations.MINIMAL, SERVER).blocked()).singleElement().asString()
                .contains("There is no \"prompt\" text.");
    }
}
