package org.inferometer.suite.mapping;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.options.Selection;
import org.inferometer.suite.mapping.TestMapping.Lengths;
import org.inferometer.suite.mapping.TestMapping.Loads;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.mapping.TestPlatform.TrtllmServers;
import org.inferometer.suite.serving.Benchmark;
import org.inferometer.suite.serving.Benchmark.Mode;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.suite.serving.TestConfiguration.Worker;
import org.inferometer.workload.WorkloadSpec;

/// Context and generation servers as lanes of the scheduler `disaggregated`.
final class DisaggregatedMapping {
    private static final int MOST_LANES = 16;

    private final Disaggregated test;
    private final boolean ownEngine;
    private final boolean ownServers;
    private final FieldUses uses;

    DisaggregatedMapping(Disaggregated test, TestPlatform platform, FieldUses uses) {
        this.test = test;
        this.ownEngine = platform instanceof OwnEngine;
        this.ownServers = platform instanceof TrtllmServers;
        this.uses = uses;
    }

    /// Absent if the test is blocked.
    Optional<Loads> loads() {
        Benchmark benchmark = test.benchmark();
        Optional<Lengths> lengths = lengths(benchmark);
        boolean contextOnly = benchmark.mode().equals(Optional.of(Mode.CTX_ONLY));
        checkMode(benchmark);
        if (lengths.isEmpty() || !uses.blocked().isEmpty()) {
            return Optional.empty();
        }
        List<WorkloadSpec> workloads = workloads(lengths.get());
        if (workloads.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Loads("", ownEngine ? scheduler(contextOnly) : Selection.of("continuous"),
                ownEngine ? limits() : AskedLimits.DEFAULTS, workloads, ownEngine || !isGenerationOnly()));
    }

    private void checkMode(Benchmark benchmark) {
        switch (benchmark.mode().orElse(Mode.E2E)) {
            case E2E -> uses.used("benchmark.mode", "Context and generation are measured.");
            case CTX_ONLY -> uses.changed("benchmark.mode", "Answers of one token: the prefill yields it.");
            case GEN_ONLY -> checkGeneration(benchmark, "Generation alone: the servers begin once all requests wait,"
                    + " so TTFT holds the wait for the others. There is no warm-up.");
            case GEN_ONLY_NO_CONTEXT -> checkGeneration(benchmark,
                    "Generation without contexts: prompts are not computed, so TTFT tells nothing of prefill.");
        }
    }

    private void checkGeneration(Benchmark benchmark, String meaning) {
        String mode = benchmark.mode().orElseThrow().word();
        if (ownEngine) {
            uses.changed("benchmark.mode", "Contexts are computed on lanes of their own, before their generation."
                    + " TPOT and ITL are those of generation; TTFT is that of both.");
        } else if (!ownServers) {
            uses.block("The mode " + mode + " measures generation without its contexts, which only TensorRT-LLM's"
                    + " own servers can do. Use --trtllm.");
        } else if (isGenerationOnly() && benchmark.concurrencies().stream().distinct().count() != 1) {
            uses.block("The mode " + mode + " starts its servers for one concurrency."
                    + " Give benchmark.concurrency_list one number.");
        } else {
            uses.changed("benchmark.mode", meaning);
        }
    }

    /// A request of a warm-up would wait for all the others.
    private boolean isGenerationOnly() {
        return test.benchmark().mode().equals(Optional.of(Mode.GEN_ONLY));
    }

    private Optional<Lengths> lengths(Benchmark benchmark) {
        if (benchmark.inputLength().isEmpty() || benchmark.outputLength().isEmpty()) {
            uses.block("benchmark.input_length and benchmark.output_length are needed.");
            return Optional.empty();
        }
        int output = benchmark.mode().equals(Optional.of(Mode.CTX_ONLY)) ? 1 : benchmark.outputLength().orElseThrow();
        int input = benchmark.inputLength().orElseThrow();
        double ratio = benchmark.ratio().filter(share -> share > 0 && share < 1).orElse(1.0);
        if (input < 1 || output < 1) {
            uses.block("Lengths must be positive: found " + input + " and " + output + ".");
            return Optional.empty();
        }
        Lengths lengths = new Lengths(input, output, ratio);
        uses.used("benchmark.input_length", "Prompts of " + lengths.prompts() + " tokens.");
        uses.used("benchmark.output_length", "Answers of " + lengths.outputs() + " tokens.");
        uses.used("benchmark.benchmark_ratio",
                ratio == 1 ? "All lengths are equal." : "Lengths are drawn uniformly from the ratio to the whole.");
        uses.changed("benchmark.dataset_file", "Prompts are drawn at random with the same lengths.");
        uses.changed("metadata.dataset_file", "Prompts are drawn at random with the same lengths.");
        return Optional.of(lengths);
    }

    /// One load a concurrency. As in the framework, a concurrency counts for each generation server.
    private List<WorkloadSpec> workloads(Lengths lengths) {
        int servers = Math.max(1, test.generationServers());
        int rounds = test.benchmark().rounds().filter(each -> each > 0).orElse(1);
        List<WorkloadSpec> workloads = test.benchmark().concurrencies().stream().distinct()
                .filter(concurrency -> (long) concurrency * servers <= TestMapping.MOST_CONCURRENCY
                        && (long) concurrency * servers * rounds <= TestMapping.MOST_REQUESTS && concurrency > 0)
                .map(concurrency -> TestMapping.load("con" + concurrency * servers, lengths, concurrency * servers,
                        concurrency * servers * rounds))
                .toList();
        if (workloads.size() < test.benchmark().concurrencies().stream().distinct().count() || workloads.isEmpty()) {
            uses.block("benchmark.concurrency_list needs numbers from 1 to " + TestMapping.MOST_CONCURRENCY
                    + " requests in flight, and at most " + TestMapping.MOST_REQUESTS + " requests.");
            return List.of();
        }
        uses.used("benchmark.concurrency_list", "One load for each, times " + servers
                + (servers == 1 ? " generation server." : " generation servers."));
        uses.used("benchmark.multi_round", "Requests of a load: its concurrency × " + rounds + ".");
        return workloads;
    }

    private Selection scheduler(boolean contextOnly) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("ctx", String.valueOf(lanes("hardware.num_ctx_servers", test.contextServers(), "context")));
        options.put("gen", contextOnly ? "1"
                : String.valueOf(lanes("hardware.num_gen_servers", test.generationServers(), "generation")));
        Worker context = test.context();
        option(options, "ctx_max_batch_size", context.maxBatchSize(), "worker_config.ctx.max_batch_size",
                "Prompts in a step of a context lane.");
        option(options, "ctx_max_num_tokens", context.maxNumTokens(), "worker_config.ctx.max_num_tokens",
                "Tokens in a step of a context lane.");
        option(options, "gen_max_batch_size", test.generation().maxBatchSize(), "worker_config.gen.max_batch_size",
                "Requests in a step of a generation lane.");
        if (context.section().flag("enable_chunked_prefill").orElse(false)) {
            options.put("context_chunking_policy", "fcfs");
            uses.used("worker_config.ctx.enable_chunked_prefill", "Long prompts are computed in parts, oldest first.");
        }
        for (String side : List.of("ctx", "gen")) {
            String worker = "worker_config." + side;
            uses.unused(worker + ".speculative_config", "This program's engines do not draft tokens yet.");
            uses.unused(worker + ".tensor_parallel_size", "A lane has the whole engine.");
            uses.unused(worker + ".pipeline_parallel_size", "A lane has the whole engine.");
            uses.unused(worker + ".moe_expert_parallel_size", "This program's engines have no experts.");
            uses.unused(worker + ".moe_config", "This program's engines have no experts.");
            uses.unused(worker + ".enable_attention_dp", "A lane has the whole engine.");
            uses.unused(worker + ".cache_transceiver_config",
                    "Keys and values are copied within one machine's memory.");
            uses.unused(worker + ".cuda_graph_config", "Use the option graphs of the backend.");
            uses.unused(worker + ".kv_cache_config", "Use --kv-memory and the options of the backend.");
        }
        return new Selection("disaggregated", options);
    }

    private int lanes(String field, int servers, String kind) {
        int lanes = Math.clamp(servers, 1, MOST_LANES);
        if (lanes == servers) {
            uses.used(field, "As many " + kind + " lanes.");
        } else {
            uses.changed(field, lanes + " " + kind + (lanes == 1 ? " lane" : " lanes") + "; the scheduler has 1 to "
                    + MOST_LANES + ".");
        }
        return lanes;
    }

    private void option(Map<String, String> options, String name, Optional<Integer> value, String field,
            String sentence) {
        value.filter(each -> each > 0).ifPresent(each -> {
            options.put(name, String.valueOf(each));
            uses.used(field, sentence);
        });
    }

    private AskedLimits limits() {
        int rows = TestMapping.larger(test.context().maxBatchSize(), test.generation().maxBatchSize());
        int positions = TestMapping.larger(test.context().maxNumTokens(), test.generation().maxNumTokens());
        uses.used("worker_config.gen.max_num_tokens", "With the context's, the limit of a step.");
        int length = TestMapping.larger(test.context().maxSeqLen(), test.generation().maxSeqLen());
        uses.used("worker_config.ctx.max_seq_len", "The larger of the two is the longest request.");
        uses.used("worker_config.gen.max_seq_len", "The larger of the two is the longest request.");
        return AskedLimits.of(Math.max(0, rows), Math.max(0, positions), Math.max(0, length));
    }
}
