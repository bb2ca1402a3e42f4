package org.inferometer.suite.launch;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.suite.serving.TestConfiguration.Worker;

/// Which GPUs each server has: generation servers first, one after another, then context servers on nodes of their own.
///
/// @param nodes of the job
/// @param gpusPerNode on each
/// @param servers in the order of their GPUs
public record Placement(int nodes, int gpusPerNode, List<Server> servers) {
    private static final int FIRST_PORT = 8000;
    private static final int MOST_GPUS = 100_000;

    /// A server.
    ///
    /// @param kind "GEN" or "CTX"
    /// @param index among its kind, from 0
    /// @param gpus by node, from 0
    public record Server(String kind, int index, int port, Map<Integer, List<Integer>> gpus) {
        /// Its first node.
        public int firstNode() {
            return gpus.keySet().iterator().next();
        }

        /// Whether its nodes have different numbers of its GPUs.
        boolean isUneven() {
            return gpus.values().stream().mapToInt(List::size).distinct().count() > 1;
        }

        /// How many GPUs it has.
        public int size() {
            return gpus.values().stream().mapToInt(List::size).sum();
        }
    }

    /// A server in `allocations.json`.
    public record ServerEntry(@JsonProperty("port") int port,
            @JsonProperty("nodes") Map<String, List<Integer>> nodes) {}

    /// Places the servers of a test.
    ///
    /// @throws IllegalArgumentException in one sentence if it needs more GPUs than can be, or nodes without GPUs
    public static Placement of(Disaggregated test) {
        int perNode = test.file().section("hardware").whole("gpus_per_node").orElse(0);
        if (perNode < 1 || perNode > 1024) {
            throw new IllegalArgumentException(
                    "hardware.gpus_per_node is " + perNode + ". Give a number from 1 to 1024.");
        }
        List<Server> servers = new ArrayList<>();
        int generationNodes = place("GEN", test.generationServers(), gpus(test.generation()), 0, perNode, servers);
        int contextNodes = place("CTX", test.contextServers(), gpus(test.context()), generationNodes, perNode, servers);
        return new Placement(generationNodes + contextNodes, perNode, List.copyOf(servers));
    }

    private static int gpus(Worker worker) {
        long gpus = (long) worker.tensorParallel().orElse(1) * worker.pipelineParallel().orElse(1);
        if (gpus < 1 || gpus > MOST_GPUS) {
            throw new IllegalArgumentException(
                    "A server has " + gpus + " GPUs (tensor × pipeline parallelism). Give 1 to " + MOST_GPUS + ".");
        }
        return (int) gpus;
    }

    /// @return the nodes of this kind
    private static int place(String kind, int count, int each, int firstNode, int perNode, List<Server> servers) {
        if (count < 0 || (long) count * each > MOST_GPUS) {
            throw new IllegalArgumentException(
                    count + " servers of " + each + " GPUs are more than " + MOST_GPUS + " GPUs in all.");
        }
        for (int i = 0; i < count; i++) {
            Map<Integer, List<Integer>> gpus = new LinkedHashMap<>();
            for (int gpu = i * each; gpu < (i + 1) * each; gpu++) {
                gpus.computeIfAbsent(firstNode + gpu / perNode, node -> new ArrayList<>()).add(gpu % perNode);
            }
            servers.add(new Server(kind, i, FIRST_PORT + servers.size(), gpus));
        }
        return Math.ceilDiv(count * each, perNode);
    }

    /// Tasks of the job: one for each GPU of its nodes.
    public int tasks() {
        return nodes * gpusPerNode;
    }

    /// As `allocations.json` has it: kind, index, and nodes by a name that the job replaces.
    Map<String, Map<String, ServerEntry>> allocations() {
        Map<String, Map<String, ServerEntry>> byKind = new LinkedHashMap<>();
        for (Server server : servers) {
            Map<String, List<Integer>> nodesByName = new LinkedHashMap<>();
            server.gpus.forEach((node, list) -> nodesByName.put(nodeName(node), list));
            byKind.computeIfAbsent(server.kind, kind -> new LinkedHashMap<>()).put(String.valueOf(server.index),
                    new ServerEntry(server.port, nodesByName));
        }
        return byKind;
    }

    /// A node before the cluster has chosen: "<node3>".
    static String nodeName(int node) {
        return "<node" + node + ">";
    }
}
