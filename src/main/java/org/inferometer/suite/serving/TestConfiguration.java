package org.inferometer.suite.serving;

import java.util.List;
import java.util.Optional;

/// A test configuration: what is served, and under which load.
public sealed interface TestConfiguration {
    /// The model's name; empty if the file has none.
    String model();

    /// The GPUs that the test supports, as written.
    List<String> supportedGpus();

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
        public String model() {
            return metadata.modelName();
        }

        @Override
        public List<String> supportedGpus() {
            return metadata.supportedGpus();
        }

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
        public String model() {
            return metadata.modelName();
        }

        @Override
        public List<String> supportedGpus() {
            return metadata.supportedGpus();
        }

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
}
