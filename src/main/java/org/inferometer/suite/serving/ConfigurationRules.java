package org.inferometer.suite.serving;

import java.util.List;
import java.util.Optional;
import org.inferometer.suite.serving.TestConfiguration.Aggregated;
import org.inferometer.suite.serving.TestConfiguration.Client;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.suite.serving.TestConfiguration.Finding.Severity;
import org.inferometer.suite.serving.TestConfiguration.MetricsFields;
import org.inferometer.suite.serving.TestConfiguration.Server;
import org.inferometer.suite.serving.TestConfiguration.Worker;

/// The rules of TensorRT-LLM's benchmark framework: those of its code, which refuses a test, and those of its documentation,
/// which are stricter in places.
final class ConfigurationRules {
    private static final String DOCUMENTED_GPU = "GB200";
    private static final String MAX_SEQ_LEN = "max_seq_len";
    private static final String WHOLE = "a whole number";

    private ConfigurationRules() {}

    /// Adds what is wrong to the findings of the configuration's sections.
    static void check(TestConfiguration configuration) {
        switch (configuration) {
            case Disaggregated test -> check(test);
            case Aggregated test -> test.list().forEach(ConfigurationRules::check);
        }
    }

    private static void check(Disaggregated test) {
        draftTokens(test.generation());
        Section benchmark = test.benchmark().section();
        if (!test.benchmark().streaming()) {
            benchmark.error("streaming", "Answers must be streamed, or there is no TTFT.",
                    benchmark.has("streaming") ? benchmark.text("streaming") : "nothing", "true");
        }
        positive(benchmark, List.of("input_length", "output_length"));
        positive(test.file().section("hardware"), servers(test.benchmark()));
        lengths(test);
        concurrency(test);
        metrics(test.metrics());
        if (!test.metadata().supportedGpus().contains(DOCUMENTED_GPU)) {
            test.file().add(Severity.WARNING, 1, "supported_gpus", "The documentation names one supported GPU alone.",
                    String.join(", ", test.metadata().supportedGpus()), DOCUMENTED_GPU);
        }
    }

    private static void draftTokens(Worker generation) {
        if (generation.mtpLayers() <= 0 || generation.maxBatchSize().isEmpty() || generation.maxNumTokens().isEmpty()) {
            return;
        }
        long needed = (long) generation.maxBatchSize().get() * (generation.mtpLayers() + 1);
        int given = generation.maxNumTokens().get();
        int line = generation.section().line("max_num_tokens");
        if (given < needed) {
            generation.section().add(Severity.ERROR, line, "gen_max_tokens",
                    "A generation step must hold every sequence with its draft tokens: max_batch_size × (MTP layers + 1).",
                    given, "at least " + needed);
        } else if (given > needed) {
            generation.section().add(Severity.WARNING, line, "gen_max_tokens",
                    "The documentation asks for exactly max_batch_size × (MTP layers + 1).", given,
                    String.valueOf(needed));
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

    private static void positive(Section section, List<String> keys) {
        for (String key : keys) {
            section.given(key).filter(given -> given < 1)
                    .ifPresent(given -> section.error(key, key + " is not positive.", given, "a whole number from 1"));
        }
    }

    private static void lengths(Disaggregated test) {
        int input = required(test.benchmark().section(), "input_length", test.benchmark().inputLength());
        int output = required(test.benchmark().section(), "output_length", test.benchmark().outputLength());
        if (input < 0 || output < 0) {
            return;
        }
        long both = (long) input + output;
        Section context = test.context().section();
        test.context().maxSeqLen().ifPresent(given -> {
            if (given <= input) {
                context.error(MAX_SEQ_LEN, "Context servers must hold the prompt.", given, "above " + input);
            } else if (given <= both) {
                context.add(Severity.WARNING, context.line(MAX_SEQ_LEN), MAX_SEQ_LEN,
                        "The documentation asks context servers too to hold prompt and output.", given,
                        "above " + both);
            }
        });
        longer(test.generation(), both, "Generation servers must hold prompt and output.");
    }

    private static void longer(Worker worker, long tokens, String sentence) {
        worker.maxSeqLen().filter(given -> given <= tokens)
                .ifPresent(given -> worker.section().error(MAX_SEQ_LEN, sentence, given, "above " + tokens));
    }

    /// The value; -1, with a finding, if it is absent.
    private static int required(Section section, String key, Optional<Integer> value) {
        if (value.isEmpty() && !section.has(key)) {
            section.error(key, key + " is missing. Add it.", "", WHOLE);
        }
        return value.orElse(-1);
    }

    private static void concurrency(Disaggregated test) {
        Section section = test.benchmark().section();
        String key = "concurrency_list";
        if (test.benchmark().concurrencies().isEmpty() && section.words(key).isEmpty()) {
            section.error(key, "No concurrency is given.", "", Benchmark.NUMBERS);
        }
        Worker generation = test.generation();
        generation.maxBatchSize().ifPresent(batch -> {
            boolean attentionDp = generation.attentionDp();
            long most = (long) batch * (attentionDp ? generation.tensorParallel().orElse(1) : 1);
            String limit = attentionDp ? "max_batch_size × tensor_parallel_size with attention DP" : "max_batch_size";
            test.benchmark().concurrencies().stream().filter(each -> each < 1)
                    .forEach(each -> section.error(key, "No request is in flight.", each, "1 to " + most));
            test.benchmark().concurrencies().stream().filter(each -> each > most)
                    .forEach(each -> section.add(Severity.WARNING, section.line(key), key,
                            "The generation server cannot hold so many requests (" + limit + "); the others wait.",
                            String.valueOf(each), "1 to " + most));
        });
    }

    private static void metrics(MetricsFields metrics) {
        if (metrics.pattern().isEmpty()) {
            return;
        }
        String key = "extractor_pattern";
        try {
            LogPattern pattern = LogPattern.parse(metrics.pattern());
            int wanted = Math.max(3, metrics.names().size() + 1);
            String groups = pattern.groups() + (pattern.groups() == 1 ? " group" : " groups");
            Optional<String> fault = pattern.fault(metrics.names());
            if (fault.isPresent()) {
                metrics.section().error(key, fault.get(), groups, "at least " + Math.max(1, metrics.names().size()));
            } else if (pattern.groups() < wanted) {
                metrics.section().add(Severity.WARNING, metrics.section().line(key), key,
                        "The framework's code asks for a group a metric, and the concurrency last.", groups,
                        "at least " + wanted);
            }
        } catch (IllegalArgumentException e) {
            metrics.section().error(key, String.valueOf(e.getMessage()), metrics.pattern(), "a regular expression");
        }
    }

    private static void check(Server server) {
        if (server.clients().isEmpty()) {
            server.worker().section().error("client_configs",
                    "The server " + server.name() + " has no client. Add client_configs.", "", "at least one");
        }
        for (Client client : server.clients()) {
            for (String key : List.of("concurrency", "isl", "osl")) {
                if (!client.section().has(key)) {
                    client.section().error(key, "The client " + client.name() + " has no " + key + ". Add it.", "",
                            WHOLE);
                }
            }
            client.inputLength().ifPresent(input -> client.outputLength().ifPresent(output -> longer(server.worker(),
                    (long) input + output, "The server must hold prompt and output of " + client.name() + ".")));
        }
    }
}
