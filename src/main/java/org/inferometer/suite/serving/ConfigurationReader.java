package org.inferometer.suite.serving;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.suite.serving.TestConfiguration.Metadata;
import org.inferometer.suite.serving.TestConfiguration.MetricsFields;
import org.inferometer.suite.serving.TestConfiguration.Worker;
import org.inferometer.yaml.YamlMapping;

/// Reads test configurations. Rules that are not met are findings; nothing keeps a configuration from loading.
public final class ConfigurationReader {
    private static final Set<String> DISAGGREGATED = Set.of("metadata", "slurm", "benchmark", "hardware", "environment",
            "profiling", "accuracy", "worker_config", "sequence");
    private static final Set<String> AGGREGATED = Set.of("metadata", "hardware", "server_configs", "environment");
    private static final Set<String> SLURM = Set.of("script_file", "partition", "account", "job_time", "job_name",
            "extra_args", "set_segment", "numa_bind");
    private static final Set<String> HARDWARE =
            Set.of("gpus_per_node", "num_ctx_servers", "num_gen_servers", "gpu_type");
    private static final Set<String> ENVIRONMENT = Set.of("container_mount", "container_image", "model_path",
            "trtllm_repo", "build_wheel", "trtllm_wheel_path", "work_dir", "log_dir", "worker_env_var",
            "server_env_var", "ctx_worker_env_var", "gen_worker_env_var", "cuda_architectures");
    private static final Set<String> PROFILING = Set.of("nsys_on", "ctx_profile_range", "gen_profile_range");
    private static final Set<String> ACCURACY =
            Set.of("enable_accuracy_test", "model", "tasks", "model_args_extra", "env_var", "extra_kwargs");
    private static final Set<String> CLIENT = Set.of("name", "concurrency", "iterations", "isl", "osl", "backend",
            "trust_remote_code", "dataset_file", "random_range_ratio", "use_chat_template", "streaming", "tokenizer",
            "endpoint", "num_images", "use_nv_sa_benchmark");

    private ConfigurationReader() {}

    /// A configuration and what was found in it, by line.
    public record Loaded(TestConfiguration configuration, List<Finding> findings) {}

    /// Whether a mapping is a test configuration: it has servers and their load.
    public static boolean isTest(YamlMapping root) {
        return root.entries().containsKey("worker_config") || root.entries().containsKey("server_configs")
                || (root.entries().containsKey("metadata") && root.entries().containsKey("benchmark"));
    }

    /// Reads a configuration and checks its rules.
    public static Loaded read(YamlMapping root) {
        List<Finding> findings = new ArrayList<>();
        Section file = Section.of("", root, findings);
        TestConfiguration configuration =
                root.entries().containsKey("server_configs") ? aggregated(file) : disaggregated(file);
        ConfigurationRules.check(configuration);
        findings.sort(Comparator.comparingInt(Finding::line));
        return new Loaded(configuration, findings.stream().distinct().toList());
    }

    private static TestConfiguration disaggregated(Section file) {
        file.noteUnknown(DISAGGREGATED);
        file.section("slurm", SLURM);
        file.section("environment", ENVIRONMENT);
        file.section("profiling", PROFILING);
        file.section("accuracy", ACCURACY);
        Section hardware = file.section("hardware", HARDWARE);
        Section benchmark = file.section("benchmark");
        Section metadata = file.section("metadata");
        Section workers = file.section("worker_config", Set.of("gen", "ctx"));
        // Older files have the metrics at the benchmark.
        Section metrics = benchmark.has("metrics") ? benchmark.section("metrics") : metadata.section("metrics");
        return new TestConfiguration.Disaggregated(Metadata.read(metadata), Benchmark.read(benchmark),
                hardware.whole("num_ctx_servers").orElse(0), hardware.whole("num_gen_servers").orElse(0),
                Worker.read(workers.section("ctx")), Worker.read(workers.section("gen")), MetricsFields.read(metrics),
                file);
    }

    private static TestConfiguration aggregated(Section file) {
        file.noteUnknown(AGGREGATED);
        file.section("hardware", HARDWARE);
        List<TestConfiguration.Server> servers = new ArrayList<>();
        for (Section server : file.sections("server_configs")) {
            List<TestConfiguration.Client> clients = new ArrayList<>();
            for (Section client : server.sections("client_configs")) {
                client.noteUnknown(CLIENT);
                clients.add(new TestConfiguration.Client(client.text("name"), client.whole("concurrency"),
                        client.whole("iterations"), client.whole("isl"), client.whole("osl"), client));
            }
            servers.add(new TestConfiguration.Server(server.text("name"), Worker.read(server), clients));
        }
        return new TestConfiguration.Aggregated(Metadata.read(file.section("metadata")), servers, file);
    }
}
