package org.inferometer.suite.launch;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.suite.launch.Placement.Server;
import org.inferometer.suite.serving.Benchmark.Mode;
import org.inferometer.units.CommandWords;
import org.inferometer.units.LetterCase;
import org.inferometer.units.ShellWord;

/// The shell commands that start the servers of a launch in a job, from the folder with its files.
record ServerCommands(Overrides overrides, Placement placement) {
    static final String WORKERS = "start_worker_cmds.txt";
    static final String SERVING = "server_config.yaml";
    static final String ALLOCATIONS = "allocations.json";

    private static final int READY_SECONDS = 7200;
    private static final String WITHOUT_CONTEXT = "TRTLLM_DISAGG_BENCHMARK_GEN_ONLY=1";

    /// A line for each server. `<node0>` and so on stand for nodes.
    String workers() {
        StringBuilder lines = new StringBuilder();
        for (Server server : placement.servers()) {
            lines.append(worker(server)).append(" > 3_output_").append(server.kind()).append('_').append(server.index())
                    .append(".log 2>&1 &\n");
        }
        return lines.toString();
    }

    /// A server is one task for each of its GPUs, in the job's container.
    private String worker(Server server) {
        String side = LetterCase.lower(server.kind());
        List<String> step = List.of("srun", "--overlap", "-l", "-N", String.valueOf(server.gpus().size()), "--ntasks",
                String.valueOf(server.size()), "--ntasks-per-node",
                String.valueOf(server.gpus().values().iterator().next().size()), "-w",
                String.join(",", server.gpus().keySet().stream().map(Placement::nodeName).toList()));
        List<String> words = new ArrayList<>(List.of("env", "CUDA_VISIBLE_DEVICES="
                + String.join(",", server.gpus().values().iterator().next().stream().map(String::valueOf).toList())));
        words.addAll(variables("environment.worker_env_var"));
        words.addAll(ofMode(side));
        words.addAll(variables("environment." + side + "_worker_env_var"));
        if (overrides.text("profiling.nsys_on").equals("true")) {
            words.add(1, "TLLM_PROFILE_START_STOP=" + overrides.text("profiling." + side + "_profile_range"));
            words.addAll(List.of("nsys", "profile", "-o", "nsys_" + server.kind() + "_" + server.index(), "-c",
                    "cudaProfilerApi"));
        }
        if (overrides.text("slurm.numa_bind").equals("true")) {
            words.addAll(List.of("numactl", "-m", "0,1"));
        }
        words.addAll(List.of("trtllm-llmapi-launch", "trtllm-serve", overrides.text("environment.model_path"), "--host",
                Placement.nodeName(server.firstNode()), "--port", String.valueOf(server.port()),
                "--extra_llm_api_options", side + "_config.yaml"));
        return ShellWord.line(step) + container() + " " + ShellWord.line(words);
    }

    /// The variables of a mode that measures generation alone, as TensorRT-LLM's scripts set them: `gen_only` begins once all requests
    /// wait, `gen_only_no_context` makes the contexts up.
    private List<String> ofMode(String side) {
        if (is(Mode.GEN_ONLY_NO_CONTEXT)) {
            return List.of(WITHOUT_CONTEXT);
        }
        if (!is(Mode.GEN_ONLY)) {
            return List.of();
        }
        String overlap = "TRTLLM_DISABLE_KV_CACHE_TRANSFER_OVERLAP=1";
        return side.equals("gen")
                ? List.of(overlap,
                        "TLLM_BENCHMARK_REQ_QUEUES_SIZE=" + overrides.text("benchmark.concurrency_list").strip())
                : List.of(overlap);
    }

    private boolean is(Mode mode) {
        return overrides.text("benchmark.mode").equals(mode.word());
    }

    /// The container sees the folder of the files, which is the working folder.
    private String container() {
        String image = overrides.text("environment.container_image");
        String mounts = overrides.text("environment.container_mount");
        return image.isEmpty() ? ""
                : " " + ShellWord.quoted("--container-image=" + image) + " --container-mounts="
                        + (mounts.isEmpty() ? "" : ShellWord.quoted(mounts + ","))
                        + "\"$PWD:$PWD\" --container-workdir=\"$PWD\"";
    }

    /// The words NAME=VALUE of a field.
    private List<String> variables(String field) {
        try {
            return CommandWords.of(overrides.text(field).strip()).stream()
                    .filter(word -> word.matches("[A-Za-z_][A-Za-z0-9_]*=.*")).toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /// Replaces the nodes, starts all servers, and ends when one of them ends or it is told to.
    String script() {
        List<String> variables = new ArrayList<>(variables("environment.server_env_var"));
        if (is(Mode.GEN_ONLY_NO_CONTEXT)) {
            variables.add(WITHOUT_CONTEXT);
        }
        List<String> serve = new ArrayList<>();
        if (!variables.isEmpty()) {
            serve.add("env");
            serve.addAll(variables);
        }
        serve.addAll(List.of("trtllm-serve", "disaggregated", "-c", "serving.yaml", "-t", String.valueOf(READY_SECONDS),
                "-r", String.valueOf(READY_SECONDS)));
        return """
                #!/bin/bash
                # Starts the servers of this folder on the nodes of the job, and serves on 127.0.0.1 at the port $1.
                set -u
                cd "$(dirname "$0")" || exit 1
                mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
                named=()
                for i in "${!nodes[@]}"; do named+=(-e "s/<node$i>/${nodes[$i]}/g"); done
                sed "${named[@]}" %s > workers.sh
                sed "${named[@]}" %s > placed.json
                sed "${named[@]}" -e 's/^hostname:.*/hostname: 127.0.0.1/' -e "s/^port:.*/port: $1/" %s > serving.yaml
                end() {
                    trap - TERM INT
                    # shellcheck disable=SC2046
                    kill $(jobs -p) 2>/dev/null
                    wait
                    exit "$1"
                }
                trap 'end 0' TERM INT
                . ./workers.sh
                srun --overlap -N 1 -n 1 -w "${nodes[0]}"%s %s &
                wait -n
                echo "A server ended with exit code $?. Its log and those of the others end:"
                tail -n 20 3_output_*.log
                end 1
                """.formatted(WORKERS, ALLOCATIONS, SERVING, container(), ShellWord.line(serve));
    }
}
