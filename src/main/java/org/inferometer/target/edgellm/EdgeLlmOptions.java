package org.inferometer.target.edgellm;

import org.inferometer.options.Option;

/// The options of TensorRT-Edge-LLM, as people write them: `edgellm:engine_dir=engines/fp8,name=fp8`.
record EdgeLlmOptions(
        @Option(name = "engine_dir", standard = "",
                help = "Folder of the built engine, with its config.json; required.") String engineDir,
        @Option(name = "model", standard = "",
                help = "How the engine is called in tables; else the name of its folder.") String model,
        @Option(name = "name", standard = "edge-llm",
                help = "How the target is called in tables, where several are compared.") String name,
        @Option(name = "mode", standard = "inference",
                help = "Which tool runs: llm_inference with the prompts, or llm_bench with their lengths alone.") Mode mode,
        @Option(name = "binary", standard = "",
                help = "Path of the tool; else build/examples/llm/ in the folder that EDGELLM_HOME names.") String binary,
        @Option(name = "warmup", standard = "2", min = 0, max = 1000, unit = "runs",
                help = "Runs of the tool's own before those that it times, in every process.") int warmup,
        @Option(name = "batch_size", standard = "1", min = 1, max = 1024, unit = "requests",
                help = "Most requests that one process computes together; at most what the engine was built for.") int batchSize,
        @Option(name = "timeout", standard = "600", min = 0.001, max = 86_400, unit = "s",
                help = "A process that takes longer is stopped.") double timeoutSeconds) {
    /// Which of the tools is run.
    enum Mode {
        /// Prompts in, text and a profile out.
        INFERENCE("llm_inference"),
        /// Lengths in, times out.
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
