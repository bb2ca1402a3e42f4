package org.inferometer.target.http;

import org.inferometer.options.Option;

/// The options of a server: `http:url=http://127.0.0.1:8000,model=gpt2`.
record HttpOptions(@Option(name = "url", standard = "",
        help = "Address, with or without /v1; default VLLM_ENDPOINT, VLLM_HOST and VLLM_PORT, or http://127.0.0.1:8000.") String url,
        @Option(name = "model", standard = "",
                help = "Model to request; default LLM_MODEL, or the only listed one.") String model,
        @Option(name = "name", standard = "http", help = "Name in tables, to compare several servers.") String name,
        @Option(name = "api", standard = "auto",
                help = "API to use; auto: the one in the url, else completions.") Api api,
        @Option(name = "prompt", standard = "auto",
                help = "How prompts are sent; auto: token ids if completions accepts them, else text.") PromptForm prompt,
        @Option(name = "history", standard = "drawn",
                help = "What later turns of a session send for the answers before: drawn stand-ins in one message, or the answers as messages (chat).") History history,
        @Option(name = "ignore_eos", standard = "true",
                help = "Request generation beyond end-of-sequence tokens.") boolean ignoreEos,
        @Option(name = "min_tokens", standard = "auto",
                help = "Request the full length; auto: until the server refuses it.") MinTokens minTokens,
        @Option(name = "usage", standard = "continuous",
                help = "Requested token counts; continuous falls back to final if refused.") Usage usage,
        @Option(name = "stream", standard = "true",
                help = "Stream answers; false: whole answers, which have no TTFT.") boolean stream,
        @Option(name = "api_key_env", standard = "",
                help = "NAME of the environment variable, or of a line of .env in the workspace, with the API key; never recorded.") String apiKeyEnv,
        @Option(name = "timeout", standard = "600", min = 0.001, max = 86_400, unit = "s",
                help = "Timeout of a request.") double timeoutSeconds,
        @Option(name = "connections", standard = "16384", min = 1, max = 60_000,
                help = "Maximum connections; further requests wait, which is reported.") int connections,
        @Option(name = "ca_file", standard = "",
                help = "PEM file of trusted certificates, instead of the system's.") String caFile,
        @Option(name = "insecure", standard = "false", help = "Accept any certificate.") boolean insecure,
        @Option(name = "metrics", standard = "auto",
                help = "Address of the Prometheus gauges; auto: /metrics beside /v1; off: none.") String metrics,
        @Option(name = "gpu_metrics", standard = "",
                help = "Address of a DCGM exporter with the server's GPUs: energy per token, power, memory, utilisation.") String gpuMetrics,
        @Option(name = "gpus", standard = "",
                help = "Indices of its GPUs that serve, such as 0+1; default all.") String gpus,
        @Option(name = "vocabulary", standard = "32000", min = 256, max = 10_000_000, unit = "tokens",
                help = "Prompts are drawn from token ids below this; at most the model's vocabulary.") int vocabulary,
        @Option(name = "vary_prompts", standard = "true",
                help = "Whether every run sends other prompts of the same lengths, which no cache of an earlier run has.") boolean varyPrompts) {
    /// The API to use.
    enum Api {
        /// The one in the url, else completions.
        AUTO, COMPLETIONS, CHAT
    }

    /// What later turns of a session send for the answers before.
    enum History {
        /// Drawn stand-ins, in one message.
        DRAWN,
        /// The answers that the turns before got, in messages of their own.
        ANSWERS
    }

    /// How prompts are sent.
    enum PromptForm {
        /// Token ids if accepted, else text.
        AUTO, TEXT, TOKENS
    }

    /// Whether to request the full length with `min_tokens`.
    enum MinTokens {
        /// Unless the server refuses it.
        AUTO, ON, OFF
    }

    /// The requested token counts.
    enum Usage {
        /// With every chunk.
        CONTINUOUS,
        /// With the last chunk.
        FINAL, OFF
    }
}
