package org.inferometer.suite.mapping;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.suite.launch.TrtllmLaunch;
import org.inferometer.suite.serving.TestConfiguration;
import org.inferometer.suite.serving.TestConfiguration.Disaggregated;
import org.inferometer.units.EnvironmentVariables;

/// Context and generation servers of TensorRT-LLM, which the test's job starts and this program measures.
final class TrtllmMapping {
    private static final int READY_SECONDS = 7200;
    private static final int STOP_SECONDS = 120;

    private TrtllmMapping() {}

    /// The launch of a test; empty if it is blocked.
    static Optional<TrtllmLaunch> launch(TestConfiguration test, String stem, EnvironmentVariables environment,
            FieldUses uses) {
        if (!(test instanceof Disaggregated servers)) {
            uses.block("Only servers for context and generation have a launch of TensorRT-LLM.");
            return Optional.empty();
        }
        try {
            TrtllmLaunch launch = TrtllmLaunch.of(servers, stem, environment);
            launch.obstacles().forEach(uses::block);
            describe(uses);
            return Optional.of(launch);
        } catch (IllegalArgumentException e) {
            uses.block(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static void describe(FieldUses uses) {
        uses.allUsed("worker_config", "Passed to the servers.");
        for (String field : List.of("num_ctx_servers", "num_gen_servers", "gpus_per_node")) {
            uses.used("hardware." + field, "Places the servers.");
        }
        for (String field : List.of("partition", "account", "job_time", "extra_args", "set_segment", "numa_bind")) {
            uses.used("slurm." + field, "Of the job.");
        }
        for (String field : List.of("model_path", "container_image", "container_mount", "worker_env_var",
                "ctx_worker_env_var", "gen_worker_env_var", "server_env_var")) {
            uses.used("environment." + field, "Of the servers.");
        }
        uses.allUsed("profiling", "Of the servers.");
        uses.restUnused("hardware", "It describes the machine.");
        uses.restUnused("slurm", "The job runs this program's script, under the test's name.");
        uses.restUnused("environment", "The servers are started as they are installed or in their container.");
    }

    /// The servers as a target: one command starts them all.
    static Selection target(TrtllmLaunch launch) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("command", "bash " + TrtllmLaunch.START + " {port}");
        options.put("model", launch.model());
        options.put("name", "trtllm");
        options.put("processes", "elsewhere");
        options.put("ready_timeout", String.valueOf(READY_SECONDS));
        options.put("stop_timeout", String.valueOf(STOP_SECONDS));
        return new Selection("serve", options);
    }
}
