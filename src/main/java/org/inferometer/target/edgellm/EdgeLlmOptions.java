package org.inferometer.target.edgellm;

import org.inferometer.options.Option;

/// The options of TensorRT-Edge-LLM: `edgellm:engine_dir=engines/fp8,name=fp8`.
record EdgeLlmOptions(
        @Option(name = "engine_dir", standard = "",
                help = "Engine folder with config.json; required.") String engineDir,
        @Option(name = "model", standard = "",
                help = "Engine name in tables; default: the name of its folder.") String model,
        @Option(name = "name", standard = "edgellm",
                help = "Target name in tables, to compare several targets.") String name,
        @Option(name = "mode", standard = "inference",
                help = "Tool to run: llm_inference with prompts, or llm_bench with their lengths only.") Mode mode,
        @Option(name = "binary", standard = "",
                help = "Path of the tool; default: build/examples/llm/ in EDGELLM_HOME.") String binary,
        @Option(name = "warmup", standard = "2", min = 0, max = 1000, unit = "runs",
                help = "Warm-up runs in every process.") int warmup,
        @Option(name = "batch_size", standard = "1", min = 1, max = 1024, unit = "requests",
                help = "Maximum requests per process; at most the engine's batch size.") int batchSize,
        @Option(name = "timeout", standard = "600", min = 0.001, max = 86_400, unit = "s",
                help = "Timeout of a process.") double timeoutSeconds) {
    /// The tool to run.
    enum Mode {
        /// Takes prompts; writes text and a profile.
        INFERENCE("llm_inference"),
        /// Takes lengths; writes times.
        BENCH("llm_bench");

        private final String program;

        Mode(String program) {
            this.program = program;
        }

        /// The file name of the tool.
        String program() {
            return program;
        }
    }
}
