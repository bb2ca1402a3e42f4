package org.inferometer.suite.mapping;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.options.Selection;
import org.inferometer.suite.mapping.TestMapping.Lengths;
import org.inferometer.suite.mapping.TestMapping.Loads;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.serving.TestConfiguration.Aggregated;
import org.inferometer.suite.serving.TestConfiguration.Client;
import org.inferometer.suite.serving.TestConfiguration.Server;
import org.inferometer.workload.WorkloadSpec;

/// Servers that compute context and generation as the scheduler `continuous`, one experiment each.
final class AggregatedMapping {
    private static final String CHUNKED = "enable_chunked_prefill";

    private final Aggregated test;
    private final boolean ownEngine;
    private final FieldUses uses;

    AggregatedMapping(Aggregated test, TestPlatform platform, FieldUses uses) {
        this.test = test;
        this.ownEngine = platform instanceof OwnEngine;
        this.uses = uses;
    }

    /// One for each server.
    List<Loads> loads() {
        List<Loads> all = new ArrayList<>();
        for (int i = 0; i < test.list().size(); i++) {
            Server server = test.list().get(i);
            String path = "server_configs[" + i + "]";
            String name = server.name().isEmpty() ? "server" + (i + 1) : server.name();
            uses.used(path + ".name", "Names the experiment.");
            List<WorkloadSpec> workloads = workloads(server, path, name);
            if (workloads.isEmpty()) {
                uses.block(path + " has no client_configs to measure.");
            }
            all.add(new Loads(name, scheduler(server, path), limits(server, path), workloads, true));
        }
        if (all.isEmpty()) {
            uses.block("The configuration has no server.");
        }
        return all;
    }

    private List<WorkloadSpec> workloads(Server server, String path, String serverName) {
        List<WorkloadSpec> workloads = new ArrayList<>();
        for (int i = 0; i < server.clients().size(); i++) {
            Client client = server.clients().get(i);
            String at = path + ".client_configs[" + i + "]";
            load(client, at, serverName + "-" + (i + 1)).ifPresent(workloads::add);
        }
        return workloads;
    }

    private Optional<WorkloadSpec> load(Client client, String at, String standardName) {
        long concurrency = client.concurrency().orElse(0);
        long requests = concurrency * client.iterations().filter(each -> each > 0).orElse(1);
        int input = client.inputLength().orElse(0);
        int output = client.outputLength().orElse(0);
        if (concurrency < 1 || concurrency > TestMapping.MOST_CONCURRENCY || requests > TestMapping.MOST_REQUESTS
                || input < 1 || output < 1) {
            uses.block(at + " needs isl, osl and concurrency: positive numbers, at most " + TestMapping.MOST_CONCURRENCY
                    + " requests in flight and " + TestMapping.MOST_REQUESTS + " in all.");
            return Optional.empty();
        }
        double ratio =
                client.section().decimal("random_range_ratio").filter(share -> share > 0 && share < 1).orElse(1.0);
        Lengths lengths = new Lengths(input, output, ratio);
        uses.used(at + ".name", "Names the load.");
        uses.used(at + ".concurrency", "Requests in flight.");
        uses.used(at + ".iterations", "Requests: the concurrency × iterations.");
        uses.used(at + ".isl", "Prompts of " + lengths.prompts() + " tokens.");
        uses.used(at + ".osl", "Answers of " + lengths.outputs() + " tokens.");
        uses.used(at + ".random_range_ratio", "Lengths are drawn uniformly from the ratio to the whole.");
        uses.used(at + ".streaming", "Answers are streamed.");
        uses.unused(at + ".backend", "This program's own client measures.");
        uses.changed(at + ".dataset_file", "Prompts are drawn at random with the same lengths.");
        String name = client.name().isEmpty() ? standardName : client.name();
        return Optional.of(TestMapping.load(name, lengths, (int) concurrency, (int) requests));
    }

    private Selection scheduler(Server server, String path) {
        Map<String, String> options = new LinkedHashMap<>();
        if (ownEngine) {
            server.worker().section().flag(CHUNKED).ifPresent(flag -> {
                options.put(CHUNKED, flag.toString());
                uses.used(path + "." + CHUNKED, "The scheduler's option of that name.");
            });
        }
        return new Selection("continuous", options);
    }

    private AskedLimits limits(Server server, String path) {
        if (!ownEngine) {
            return AskedLimits.DEFAULTS;
        }
        uses.used(path + ".max_batch_size", "Requests in a step.");
        uses.used(path + ".max_num_tokens", "Tokens in a step.");
        uses.used(path + ".max_seq_len", "Positions of a request.");
        for (String parallel : List.of("tensor_parallel_size", "pipeline_parallel_size", "enable_attention_dp")) {
            uses.unused(path + "." + parallel, "The engine is whole.");
        }
        uses.unused(path + ".speculative_config", "This program's engines do not draft tokens yet.");
        uses.unused(path + ".moe_expert_parallel_size", "This program's engines have no experts.");
        return AskedLimits.of(Math.max(0, server.worker().maxBatchSize().orElse(0)),
                Math.max(0, server.worker().maxNumTokens().orElse(0)),
                Math.max(0, server.worker().maxSeqLen().orElse(0)));
    }
}
