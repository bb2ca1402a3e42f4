package org.inferometer.suite.serving;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.inferometer.units.OneLine;

/// A test configuration: what is served, and under which load.
public sealed interface TestConfiguration {
    /// What it is about.
    Metadata metadata();

    /// The whole file, for fields that only a launch or a job needs.
    Section file();

    /// A short text of its load: "1024/1024 tokens, concurrency 1 2 4".
    String load();

    /// A short text of its servers: "1 context × 4 GPUs, 4 generation × 8 GPUs".
    String servers();

    /// Context and generation on servers of their own.
    ///
    /// @param contextServers number of servers
    /// @param generationServers number of servers
    /// @param file the whole file, for fields that only a launch or a job needs
    record Disaggregated(Metadata metadata, Benchmark benchmark, int contextServers, int generationServers,
            Worker context, Worker generation, MetricsFields metrics, Section file) implements TestConfiguration {
        @Override
        public String load() {
            return lengths(benchmark.inputLength(), benchmark.outputLength()) + ", concurrency "
                    + (benchmark.concurrencies().isEmpty() ? "–"
                            : String.join(", ", benchmark.concurrencies().stream().map(String::valueOf).toList()));
        }

        @Override
        public String servers() {
            return contextServers + " context × " + gpus(context) + ", " + generationServers + " generation × "
                    + gpus(generation);
        }
    }

    /// Servers that do both.
    record Aggregated(Metadata metadata, List<Server> list, Section file) implements TestConfiguration {
        @Override
        public String load() {
            return String
                    .join("; ",
                            list.stream().flatMap(server -> server.clients().stream())
                                    .map(client -> lengths(client.inputLength(), client.outputLength())
                                            + ", concurrency " + client.concurrency().map(String::valueOf).orElse("–"))
                                    .distinct().toList());
        }

        @Override
        public String servers() {
            return String.join("; ", list.stream().map(server -> "1 × " + gpus(server.worker())).distinct().toList());
        }
    }

    /// A server of an aggregated test.
    record Server(String name, Worker worker, List<Client> clients) {}

    /// A load of an aggregated test.
    record Client(String name, Optional<Integer> concurrency, Optional<Integer> iterations,
            Optional<Integer> inputLength, Optional<Integer> outputLength, Section section) {}

    private static String gpus(Worker worker) {
        return worker.gpus() + (worker.gpus() == 1 ? " GPU" : " GPUs");
    }

    private static String lengths(Optional<Integer> input, Optional<Integer> output) {
        return input.map(String::valueOf).orElse("–") + "/" + output.map(String::valueOf).orElse("–") + " tokens";
    }

    /// What a test is about.
    ///
    /// @param precision "fp4", "fp8"
    /// @param modelFolder name of the checkpoint's folder
    /// @param supportedGpus as written; the framework's default where the file has none
    /// @param benchmarkType as written: "1k1k"
    public record Metadata(String modelName, String precision, String modelFolder, List<String> supportedGpus,
            String benchmarkType, String scriptFile, String datasetFile) {
        /// The framework's default.
        static final List<String> STANDARD_GPUS = List.of("GB200", "GB300", "H100", "B200", "B300");
        private static final Set<String> KEYS = Set.of("model_name", "precision", "model_dir_name", "supported_gpus",
                "script_file", "benchmark_type", "config_index", "dataset_file", "metrics", "accuracy");

        static Metadata read(Section section) {
            section.noteUnknown(KEYS);
            List<String> gpus = section.words("supported_gpus");
            return new Metadata(section.text("model_name"), section.text("precision"), section.text("model_dir_name"),
                    gpus.isEmpty() ? STANDARD_GPUS : gpus, section.text("benchmark_type"), section.text("script_file"),
                    section.text("dataset_file"));
        }
    }

    /// How a test's figures are read from its log. Empty fields have the defaults of its type.
    ///
    /// @param pattern groups are the metrics, and last the concurrency
    /// @param names of the metrics, in the order of the groups
    public record MetricsFields(String logFile, String pattern, List<String> names, Section section) {
        private static final Set<String> KEYS = Set.of("log_file", "extractor_pattern", "metric_names");

        static MetricsFields read(Section section) {
            section.noteUnknown(KEYS);
            return new MetricsFields(section.text("log_file"), section.text("extractor_pattern"),
                    section.words("metric_names"), section);
        }
    }

    /// The servers of one kind: their parallelism and limits. Absent fields have TensorRT-LLM's defaults.
    ///
    /// @param attentionDp whether each GPU of a group serves requests of its own
    /// @param mtpLayers draft tokens a step of multi-token prediction; 0 without
    /// @param section the fields as written, for messages
    public record Worker(Optional<Integer> tensorParallel, Optional<Integer> pipelineParallel,
            Optional<Integer> expertParallel, boolean attentionDp, Optional<Integer> maxBatchSize,
            Optional<Integer> maxNumTokens, Optional<Integer> maxSeqLen, int mtpLayers, Section section) {

        /// Every other key is an argument of TensorRT-LLM's LLM API and is passed on, so none is unknown.
        static Worker read(Section section) {
            Section speculation = section.section("speculative_config");
            int mtp = speculation.whole("num_nextn_predict_layers").or(() -> speculation.whole("max_draft_len"))
                    .orElse(0);
            return new Worker(section.whole("tensor_parallel_size"), section.whole("pipeline_parallel_size"),
                    section.whole("moe_expert_parallel_size"), section.flag("enable_attention_dp").orElse(false),
                    section.whole("max_batch_size"), section.whole("max_num_tokens"), section.whole("max_seq_len"), mtp,
                    section);
        }

        /// GPUs of one server.
        public int gpus() {
            return tensorParallel.orElse(1) * pipelineParallel.orElse(1);
        }
    }

    /// Something about a test configuration that its writer should know.
    ///
    /// @param line counted from 1
    /// @param rule its name, which stays the same: "max_seq_len"
    /// @param sentence what is wrong, and what to do
    /// @param found the value of the file; empty if it is absent or the rule has none
    /// @param wanted the accepted values; empty if the rule has none
    public record Finding(int line, Severity severity, String rule, String sentence, String found, String wanted) {
        /// How bad it is.
        public enum Severity {
            /// The framework's code refuses the test.
            ERROR,
            /// The framework's documentation asks for something else; its code accepts it.
            WARNING,
            /// Nothing is refused.
            NOTE
        }

        public Finding {
            found = OneLine.of(found);
        }
    }
}
