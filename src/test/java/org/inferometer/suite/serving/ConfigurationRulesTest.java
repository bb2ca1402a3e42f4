package org.inferometer.suite.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.suite.ServingConfigurations;
import org.inferometer.suite.serving.ConfigurationReader.Loaded;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlReader;
import org.junit.jupiter.api.Test;

class ConfigurationRulesTest {
    private static Loaded load(String text) {
        YamlFaults faults = new YamlFaults();
        Loaded loaded = ConfigurationReader
                .read(YamlReader.parse(text, new YamlReader.Limits(1 << 20, 20, 20), faults).orElseThrow());
        assertThat(faults.list()).isEmpty();
        return loaded;
    }

    /// "12 ERROR rule: found, wanted" of the minimal configuration with a replacement.
    private static List<String> findings(String from, String to) {
        assertThat(ServingConfigurations.MINIMAL).contains(from);
        return load(ServingConfigurations.MINIMAL.replace(from, to)).findings().stream().map(finding -> finding.line()
                + " " + finding.severity() + " " + finding.rule() + ": " + finding.found() + ", " + finding.wanted())
                .toList();
    }

    @Test
    void minimalConfigurationMeetsEveryRule() {
        Loaded loaded = load(ServingConfigurations.MINIMAL);

        assertThat(loaded.findings()).isEmpty();
        assertThat(loaded.configuration().servers()).isEqualTo("1 context × 4 GPUs, 4 generation × 8 GPUs");
        assertThat(loaded.configuration().load()).isEqualTo("1024/1024 tokens, concurrency 1, 2, 32");
    }

    @Test
    void sectionsKeepAllValuesWithTheirTypes() {
        Loaded loaded = load(ServingConfigurations.MINIMAL.replace("max_batch_size: 32\n", """
                max_batch_size: 32
                    kv_cache_config: {enable_block_reuse: no, free_gpu_memory_fraction: 0.8, dtype: fp8}
                    cuda_graph_config:
                    stream_interval: "20"
                    sizes: [1, -2e3]
                """));

        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("tensor_parallel_size", 8L);
        expected.put("max_batch_size", 32L);
        expected.put("kv_cache_config",
                Map.of("enable_block_reuse", false, "free_gpu_memory_fraction", 0.8, "dtype", "fp8"));
        expected.put("cuda_graph_config", null);
        expected.put("stream_interval", "20");
        expected.put("sizes", List.of(1L, -2000.0));
        expected.put("max_num_tokens", 32L);
        expected.put("max_seq_len", 2251L);
        assertThat(loaded.configuration().file().section("worker_config").section("gen").values()).isEqualTo(expected);
    }

    @Test
    void aggregatedConfigurationsLoad() {
        Loaded loaded = load(ServingConfigurations.AGGREGATED);

        assertThat(loaded.findings()).isEmpty();
        assertThat(loaded.configuration().servers()).isEqualTo("1 × 8 GPUs");
        assertThat(loaded.configuration().load())
                .isEqualTo("8192/1024 tokens, concurrency 2; 8192/1024 tokens, concurrency 4");
    }

    @Test
    void clientsNeedTheirLoad() {
        assertThat(load(ServingConfigurations.AGGREGATED.replace("concurrency: 2", "concurency: 2")).findings())
                .extracting(finding -> finding.line() + " " + finding.rule() + " " + finding.sentence())
                .containsExactly("16 concurrency The client con2 has no concurrency. Add it.",
                        "17 unknown_key Unknown key \"server_configs[0].client_configs[0].concurency\"."
                                + " Did you mean concurrency? It is kept and not used.");
    }

    @Test
    void draftTokensNeedRoomInAStep() {
        String mtp = "    max_batch_size: 32\n    speculative_config:\n      decoding_type: MTP\n      %s: 3\n"
                + "    max_num_tokens: %d\n";
        String plain = "    max_batch_size: 32\n    max_num_tokens: 32\n";

        assertThat(findings(plain, mtp.formatted("num_nextn_predict_layers", 127)))
                .containsExactly("24 ERROR gen_max_tokens: 127, at least 128");
        assertThat(findings(plain, mtp.formatted("max_draft_len", 128))).isEmpty();
        assertThat(findings(plain, mtp.formatted("num_nextn_predict_layers", 256)))
                .containsExactly("24 WARNING gen_max_tokens: 256, 128");
    }

    @Test
    void answersAreStreamed() {
        assertThat(findings("streaming: true", "streaming: false")).containsExactly("9 ERROR streaming: false, true");
        assertThat(findings("  streaming: true\n", "")).containsExactly("8 ERROR streaming: nothing, true");
    }

    @Test
    void sequencesFitTheServers() {
        assertThat(
                findings("max_num_tokens: 4608\n    max_seq_len: 2251", "max_num_tokens: 4608\n    max_seq_len: 1024"))
                .containsExactly("27 ERROR max_seq_len: 1024, above 1024");
        assertThat(
                findings("max_num_tokens: 4608\n    max_seq_len: 2251", "max_num_tokens: 4608\n    max_seq_len: 2048"))
                .containsExactly("27 WARNING max_seq_len: 2048, above 2048");
        assertThat(findings("max_num_tokens: 32\n    max_seq_len: 2251", "max_num_tokens: 32\n    max_seq_len: 2048"))
                .containsExactly("22 ERROR max_seq_len: 2048, above 2048");
    }

    @Test
    void concurrenciesFitTheGenerationServer() {
        assertThat(findings("\"1 2 32\"", "\"1 33 64\"")).containsExactly("10 WARNING concurrency_list: 33, 1 to 32",
                "10 WARNING concurrency_list: 64, 1 to 32");
        assertThat(load(ServingConfigurations.MINIMAL.replace("\"1 2 32\"", "256").replace("max_num_tokens: 32",
                "max_num_tokens: 32\n    enable_attention_dp: true")).findings()).isEmpty();
        assertThat(findings("\"1 2 32\"", "[]"))
                .containsExactly("10 ERROR concurrency_list: , whole numbers divided by blanks");
        assertThat(findings("\"1 2 32\"", "1 two"))
                .containsExactly("10 ERROR concurrency_list: two, whole numbers divided by blanks");
    }

    @Test
    void patternsNeedAGroupForEachFigure() {
        assertThat(findings("mode: e2e",
                "mode: e2e\n  metrics:\n    log_file: a.log\n    metric_names: [A, B, C]\n    extractor_pattern: '(1)(2)(3)'"))
                .containsExactly("12 WARNING extractor_pattern: 3 groups, at least 4");
        assertThat(
                findings("mode: e2e", "mode: e2e\n  metrics:\n    metric_names: [A, B]\n    extractor_pattern: '(1)'"))
                .containsExactly("11 ERROR extractor_pattern: 1 group, at least 2");
        assertThat(findings("mode: e2e", "mode: e2e\n  metrics:\n    extractor_pattern: '(1)'"))
                .containsExactly("10 ERROR extractor_pattern: 1 group, at least 1");
        assertThat(findings("precision: \"fp4\"",
                "precision: \"fp4\"\n  metrics:\n    metric_names: [A]\n    extractor_pattern: '((1)(2)'"))
                .containsExactly("6 ERROR extractor_pattern: ((1)(2), a regular expression");
    }

    @Test
    void unknownModesAndKeysAreTold() {
        assertThat(findings("mode: e2e", "mode: e2"))
                .containsExactly("8 ERROR mode: e2, e2e, gen_only, gen_only_no_context or ctx_only");
        assertThat(load(ServingConfigurations.MINIMAL.replace("job_time", "job_tme").replace("max_num_tokens: 32",
                "max_num_tokens: 32\n    context_parallel_size: 1")).findings())
                .singleElement()
                .isEqualTo(new Finding(6, Finding.Severity.NOTE, "unknown_key",
                        "Unknown key \"slurm.job_tme\". Did you mean job_time or job_name? It is kept and not used.",
                        "job_tme", "job_time or job_name"));
    }

    @Test
    void lengthsAndServersArePositive() {
        assertThat(findings("input_length: 1024", "input_length: -5"))
                .containsExactly("11 ERROR input_length: -5, a whole number from 1");
        assertThat(findings("num_gen_servers: 4", "num_gen_servers: 0"))
                .containsExactly("16 ERROR num_gen_servers: 0, a whole number from 1");
        assertThat(load(ServingConfigurations.MINIMAL.replace("num_gen_servers: 4", "num_gen_servers: 0")
                .replace("mode: e2e", "mode: ctx_only")).findings()).isEmpty();
    }

    @Test
    void commasDoNotDivideConcurrencies() {
        assertThat(findings("1 2 32", "1,2,32"))
                .containsExactly("10 ERROR concurrency_list: 1,2,32, whole numbers divided by blanks");
        assertThat(findings("\"1 2 32\"", "[1, 2, 32]")).isEmpty();
    }

    @Test
    void valuesOfAnotherKindAreTold() {
        assertThat(findings("num_gen_servers: 4", "num_gen_servers: four"))
                .containsExactly("16 ERROR type: \"four\", a whole number");
        assertThat(findings("  ctx:\n    tensor_parallel_size: 4\n", "  ctx:\n    tensor_parallel_size: {a: 1}\n"))
                .containsExactly("24 ERROR type: keys and values, a whole number");
    }

    @Test
    void aliasesAndMergesAreTheirValues() {
        String merged = ServingConfigurations.MINIMAL.replace("  gen:\n", "  gen: &gen\n").replaceFirst("(?s)  ctx:.*",
                "  ctx:\n    <<: *gen\n    tensor_parallel_size: 2\n");

        assertThat(load(merged).configuration().servers()).isEqualTo("1 context × 2 GPUs, 4 generation × 8 GPUs");
        assertThat(load(merged).findings()).isEmpty();
    }

    @Test
    void otherGpusAreAWarningOfTheDocumentation() {
        assertThat(findings("[\"GB200\"]", "[H100, B200]"))
                .containsExactly("1 WARNING supported_gpus: H100, B200, GB200");
    }
}
