package org.inferometer.target.serve;

import static org.inferometer.target.serve.ServerOption.flag;
import static org.inferometer.target.serve.ServerOption.value;

import java.util.List;
import java.util.Optional;
import org.inferometer.target.ServerStart;

/// A server program that Inferometer can start: its command line and its health check. Flags are those of the projects' own
/// documentation.
///
/// @param name of the kind of target: "vllm"
/// @param label for people
/// @param program its first words; empty if the user gives the whole command
/// @param arguments words in which [#MODEL] and [ServerStart#PORT] are replaced
/// @param readyPath answers with 2xx once the model is loaded
/// @param options of its command line
record ServerRecipe(String name, String label, List<String> program, List<String> arguments, String readyPath,
        List<ServerOption> options) {
    /// Stands for the model in a command.
    static final String MODEL = "{model}";

    private static final String HOST = "127.0.0.1";

    /// Any server, by its command line.
    static final ServerRecipe ANY =
            new ServerRecipe("serve", "Server started by a command", List.of(), List.of(), "/health", List.of());

    /// vLLM's `vllm serve`.
    static final ServerRecipe VLLM = new ServerRecipe("vllm", "vLLM, started for the run", List.of("vllm", "serve"),
            List.of(MODEL, "--host", HOST, "--port", ServerStart.PORT), "/health",
            List.of(value("dtype", "--dtype", "Data type of weights and activations."),
                    value("quantization", "--quantization", "Method of quantisation: fp8, awq, gptq."),
                    value("kv_cache_dtype", "--kv-cache-dtype", "Data type of the KV cache: auto, fp8."),
                    value("max_model_len", "--max-model-len", "Longest sequence, tokens."),
                    value("max_num_seqs", "--max-num-seqs", "Most sequences in a step."),
                    value("max_num_batched_tokens", "--max-num-batched-tokens", "Most tokens in a step."),
                    value("gpu_memory_utilization", "--gpu-memory-utilization", "Share of GPU memory it may use."),
                    value("block_size", "--block-size", "Tokens of a KV block."),
                    value("tensor_parallel_size", "--tensor-parallel-size", "GPUs that share each layer."),
                    value("pipeline_parallel_size", "--pipeline-parallel-size", "GPUs that share the layers."),
                    value("scheduling_policy", "--scheduling-policy", "Order of requests: fcfs, priority."),
                    value("served_model_name", "--served-model-name", "Name of the model in its API."),
                    flag("enable_prefix_caching", "--enable-prefix-caching", "--no-enable-prefix-caching",
                            "Whether equal beginnings of prompts are computed once."),
                    flag("enable_chunked_prefill", "--enable-chunked-prefill", "--no-enable-chunked-prefill",
                            "Whether prompts are computed in parts."),
                    flag("enforce_eager", "--enforce-eager", "", "Whether CUDA graphs are off.")));

    /// TensorRT-LLM's `trtllm-serve`.
    static final ServerRecipe TRTLLM = new ServerRecipe("trtllm-serve", "trtllm-serve, started for the run",
            List.of("trtllm-serve"), List.of(MODEL, "--host", HOST, "--port", ServerStart.PORT), "/health",
            List.of(value("backend", "--backend", "Backend: pytorch, tensorrt."),
                    value("max_batch_size", "--max_batch_size", "Most requests in a step."),
                    value("max_num_tokens", "--max_num_tokens", "Most tokens in a step."),
                    value("max_seq_len", "--max_seq_len", "Longest sequence, tokens."),
                    value("kv_cache_free_gpu_memory_fraction", "--kv_cache_free_gpu_memory_fraction",
                            "Share of free GPU memory for the KV cache."),
                    value("tp_size", "--tp_size", "GPUs that share each layer."),
                    value("pp_size", "--pp_size", "GPUs that share the layers."),
                    value("ep_size", "--ep_size", "GPUs that share the experts."),
                    value("tokenizer", "--tokenizer", "Folder of the tokenizer."), value("extra_llm_api_options",
                            "--extra_llm_api_options", "YAML file with further options of its LLM API.")));

    /// SGLang's launch_server.
    static final ServerRecipe SGLANG = new ServerRecipe("sglang", "SGLang, started for the run",
            List.of("python3", "-m", "sglang.launch_server"),
            List.of("--model-path", MODEL, "--host", HOST, "--port", ServerStart.PORT, "--enable-metrics"), "/health",
            List.of(value("dtype", "--dtype", "Data type of weights and activations."),
                    value("quantization", "--quantization", "Method of quantisation: fp8, awq, gptq."),
                    value("kv_cache_dtype", "--kv-cache-dtype", "Data type of the KV cache: auto, fp8_e5m2."),
                    value("context_length", "--context-length", "Longest sequence, tokens."),
                    value("max_running_requests", "--max-running-requests", "Most requests in a step."),
                    value("chunked_prefill_size", "--chunked-prefill-size", "Prompt tokens in a step."),
                    value("mem_fraction_static", "--mem-fraction-static",
                            "Share of GPU memory for weights and KV cache."),
                    value("schedule_policy", "--schedule-policy", "Order of requests: lpm, fcfs."),
                    value("attention_backend", "--attention-backend", "Kernels of attention: fa3, flashinfer, triton."),
                    value("tp_size", "--tp-size", "GPUs that share each layer."),
                    value("served_model_name", "--served-model-name", "Name of the model in its API."),
                    flag("disable_radix_cache", "--disable-radix-cache", "", "Whether the prefix cache is off."),
                    flag("disable_cuda_graph", "--disable-cuda-graph", "", "Whether CUDA graphs are off.")));

    /// llama.cpp's `llama-server`.
    static final ServerRecipe LLAMA =
            new ServerRecipe("llama-server", "llama-server, started for the run", List.of("llama-server"),
                    List.of("--model", MODEL, "--host", HOST, "--port", ServerStart.PORT, "--metrics"), "/health",
                    List.of(value("parallel", "--parallel", "Requests at the same time."),
                            value("ctx_size", "--ctx-size", "Tokens of the KV cache, shared by all requests."),
                            value("threads", "--threads", "Threads of decoding."),
                            value("threads_batch", "--threads-batch", "Threads of prefill."),
                            value("batch_size", "--batch-size", "Most tokens in a logical batch."),
                            value("ubatch_size", "--ubatch-size", "Most tokens in a step."),
                            value("n_gpu_layers", "--n-gpu-layers", "Layers on the GPU."),
                            value("flash_attn", "--flash-attn", "Flash attention: on, off, auto."),
                            value("cache_type_k", "--cache-type-k", "Data type of keys: f16, q8_0."),
                            value("cache_type_v", "--cache-type-v", "Data type of values: f16, q8_0."),
                            value("alias", "--alias", "Name of the model in its API.")));

    /// Whether the user gives the whole command.
    boolean takesCommand() {
        return program.isEmpty();
    }

    Optional<ServerOption> option(String word) {
        return options.stream().filter(option -> option.name().equals(word)).findFirst();
    }
}
