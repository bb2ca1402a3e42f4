package org.inferometer.suite.serving;

import java.util.List;
import java.util.Optional;
import org.inferometer.suite.serving.TestConfiguration.Aggregated;
import org.inferometer.suite.serving.TestConfiguration.Client;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.suite.serving.TestConfiguration.MetricsFields;
import org.inferometer.suite.serving.TestConfiguration.Server;
import org.inferometer.suite.serving.TestConfiguration.Worker;

/// The rules of TensorRT-LLM's benchmark framework: those of its code, which refuses a test, and those of its documentation,
/// which are stricter in places.
final class ConfigurationRules {
    private static final String DOCUMENTED_GPU = "GB200";

    private ConfigurationRules() {}

    static void check(TestConfiguration configuration, List<Finding> findings) {
        switch (configuration) {
            case Disaggregated test -> check(test, findings);
            case Aggregated test -> test.list().forEach(server -> check(server, findings));
        }
    }

    private static void check(Disaggregated test, List<Finding> findings) {
        draftTokens(test.generation(), findings);
        streaming(test.benchmark(), findings);
        positive(test.benchmark().section(), List.of("input_length", "output_length"), findings);
        positive(test.file().section("hardware"), servers(test.benchmark()), findings);
        lengths(test, findings);
        concurrency(test, findings);
        metrics(test.metrics(), findings);
        if (!test.metadata().supportedGpus().contains(DOCUMENTED_GPU)) {
            findings.add(Finding.warning(1, "supported_gpus", "The documentation names one supported GPU alone.",
                    String.join(", ", test.metadata().supportedGpus()), DOCUMENTED_GPU));
        }
    }

    private static void draftTokens(Worker generation, List<Finding> findings) {
        if (generation.mtpLayers() <= 0 || generation.maxBatchSize().isEmpty() || generation.maxNumTokens().isEmpty()) {
            return;
        }
        long needed = (long) generation.maxBatchSize().get() * (generation.mtpLayers() + 1);
        int given = generation.maxNumTokens().get();
        int line = generation.section().line("max_num_tokens");
        if (given < needed) {
            findings.add(Finding.error(line, "gen_max_tokens",
                    "A generation step must hold every sequence with its draft tokens: max_batch_size × (MTP layers + 1).",
                    String.valueOf(given), "at least " + needed));
        } else if (given > needed) {
            findings.add(Finding.warning(line, "gen_max_tokens",
                    "The documentation asks for exactly max_batch_size × (MTP layers + 1).", String.valueOf(given),
                    String.valueOf(needed)));
        }
    }

    private static void streaming(Benchmark benchmark, List<Finding> findings) {
        if (!benchmark.streaming()) {
            findings.add(Finding.error(benchmark.section().line("streaming"), "streaming",
                    "Answers must be streamed, or there is no TTFT.",
                    benchmark.section().has("streaming") ? benchmark.section().text("streaming") : "nothing", "true"));
        }
    }

    /// Servers that the mode measures.
    private static List<String> servers(Benchmark benchmark) {
        return switch (benchmark.mode().orElse(Benchmark.Mode.E2E)) {
            case E2E, GEN_ONLY -> List.of("num_ctx_servers", "num_gen_servers");
            case GEN_ONLY_NO_CONTEXT -> List.of("num_gen_servers");
            case CTX_ONLY -> List.of("num_ctx_servers");
        };
    }

    private static void positive(Section section, List<String> keys, List<Finding> findings) {
        for (String key : keys) {
            section.given(key).filter(given -> given < 1)
                    .ifPresent(given -> findings.add(Finding.error(section.line(key), key, key + " is not positive.",
                            String.valueOf(given), "a whole number from 1")));
        }
    }

    private static void lengths(Disaggregated test, List<Finding> findings) {
        int input = required(test.benchmark().section(), "input_length", test.benchmark().inputLength(), findings);
        int output = required(test.benchmark().section(), "output_length", test.benchmark().outputLength(), findings);
        if (input < 0 || output < 0) {
            return;
        }
        test.context().maxSeqLen().ifPresent(given -> {
            int line = test.context().section().line("max_seq_len");
            if (given <= input) {
                findings.add(Finding.error(line, "max_seq_len", "Context servers must hold the prompt.",
                        String.valueOf(given), "above " + input));
            } else if (given <= (long) input + output) {
                findings.add(Finding.warning(line, "max_seq_len",
                        "The documentation asks context servers too to hold prompt and output.", String.valueOf(given),
                        "above " + ((long) input + output)));
            }
        });
        test.generation().maxSeqLen().filter(given -> given <= (long) input + output)
                .ifPresent(given -> findings.add(Finding.error(test.generation().section().line("max_seq_len"),
                        "max_seq_len", "Generation servers must hold prompt and output.", String.valueOf(given),
                        "above " + ((long) input + output))));
    }

    /// The value; -1, with a finding, if it is absent.
    private static int required(Section section, String key, Optional<Integer> value, List<Finding> findings) {
        if (value.isEmpty() && !section.has(key)) {
            findings.add(Finding.error(section.line(key), key, key + " is missing. Add it.", "", "a whole number"));
        }
        return value.orElse(-1);
    }

    private static void concurrency(Disaggregated test, List<Finding> findings) {
        Section section = test.benchmark().section();
        int line = section.line("concurrency_list");
        if (test.benchmark().concurrencies().isEmpty() && section.words("concurrency_list").isEmpty()) {
            findings.add(Finding.error(line, "concurrency_list", "No concurrency is given.", "",
                    "whole numbers divided by blanks"));
        }
        Worker generation = test.generation();
        generation.maxBatchSize().ifPresent(batch -> {
            long most = (long) batch * (generation.attentionDp() ? generation.tensorParallel().orElse(1) : 1);
            String limit = generation.attentionDp() ? "max_batch_size × tensor_parallel_size with attention DP"
                    : "max_batch_size";
            test.benchmark().concurrencies().stream().filter(each -> each > most || each < 1)
                    .forEach(each -> findings.add(Finding.error(line, "concurrency_list",
                            "The generation server cannot hold so many requests (" + limit + ").", String.valueOf(each),
                            "1 to " + most)));
        });
    }

    /// The last group is the concurrency, the earlier ones are the metrics.
    private static void metrics(MetricsFields metrics, List<Finding> findings) {
        if (metrics.pattern().isEmpty()) {
            return;
        }
        int line = metrics.section().line("extractor_pattern");
        try {
            int groups = LogPattern.parse(metrics.pattern()).groups();
            int wanted = Math.max(3, metrics.names().size() + 1);
            if (groups < wanted) {
                findings.add(Finding.error(line, "extractor_pattern",
                        "The pattern has too few groups: one a metric, and the concurrency last.",
                        groups + (groups == 1 ? " group" : " groups"), "at least " + wanted));
            }
        } catch (IllegalArgumentException e) {
            findings.add(Finding.error(line, "extractor_pattern", String.valueOf(e.getMessage()), metrics.pattern(),
                    "a regular expression"));
        }
    }

    private static void check(Server server, List<Finding> findings) {
        Section section = server.worker().section();
        if (server.clients().isEmpty()) {
            findings.add(Finding.error(section.line("client_configs"), "client_configs",
                    "The server " + server.name() + " has no client. Add client_configs.", "", "at least one"));
        }
        for (Client client : server.clients()) {
            for (String key : List.of("concurrency", "isl", "osl")) {
                if (!client.section().has(key)) {
                    findings.add(Finding.error(client.section().line(key), key,
                            "The client " + client.name() + " has no " + key + ". Add it.", "", "a whole number"));
                }
            }
            client.inputLength().ifPresent(input -> client.outputLength()
                    .ifPresent(output -> server.worker().maxSeqLen().filter(given -> given <= (long) input + output)
                            .ifPresent(given -> findings.add(Finding.error(section.line("max_seq_len"), "max_seq_len",
                                    "The server must hold prompt and output of " + client.name() + ".",
                                    String.valueOf(given), "above " + ((long) input + output))))));
        }
    }
}
