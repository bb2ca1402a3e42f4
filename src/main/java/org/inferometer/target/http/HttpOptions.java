package org.inferometer.target.http;

import org.inferometer.options.Option;

/// The options of a server, as people write them: `http:url=http://127.0.0.1:8000,model=gpt2`.
record HttpOptions(@Option(name = "url", standard = "",
        help = "Address, with or without /v1; else VLLM_ENDPOINT, or VLLM_HOST and VLLM_PORT, or http://127.0.0.1:8000.") String url,
        @Option(name = "model", standard = "",
                help = "Model to ask for; else LLM_MODEL, or the only one that the server lists.") String model,
        @Option(name = "name", standard = "server",
                help = "How the server is called in tables, where several are compared.") String name,
        @Option(name = "api", standard = "auto",
                help = "Which interface is asked; auto is what the url names, else completions.") Api api,
        @Option(name = "prompt", standard = "auto",
                help = "How prompts are sent; auto sends token ids where completions takes them, else text.") PromptForm prompt,
        @Option(name = "ignore_eos", standard = "true",
                help = "Asks the server to generate on after an end-of-sequence token.") boolean ignoreEos,
        @Option(name = "min_tokens", standard = "auto",
                help = "Asks for the full length; auto leaves it out once the server has refused it.") MinTokens minTokens,
        @Option(name = "usage", standard = "continuous",
                help = "Which token counts the server is asked for; continuous falls back to final where it is refused.") Usage usage,
        @Option(name = "api_key_env", standard = "",
                help = "NAME of the environment variable that holds the key; the key itself is never kept.") String apiKeyEnv,
        @Option(name = "timeout", standard = "600", min = 0.001, max = 86_400, unit = "s",
                help = "A request that takes longer has timed out.") double timeoutSeconds,
        @Option(name = "connections", standard = "16384", min = 1, max = 60_000,
                help = "Most connections at once; further requests wait, which is said.") int connections,
        @Option(name = "ca_file", standard = "",
                help = "PEM file of the certificates to trust instead of the system's.") String caFile,
        @Option(name = "insecure", standard = "false", help = "Trusts any certificate of any name.") boolean insecure,
        @Option(name = "metrics", standard = "auto",
                help = "Address of the server's Prometheus gauges; auto is /metrics beside /v1; off reads none.") String metrics,
        @Option(name = "vocabulary", standard = "32000", min = 256, max = 10_000_000, unit = "tokens",
                help = "Prompts are drawn from the token ids below this; at most the model's own.") int vocabulary) {
    /// The interface that is asked.
    enum Api {
        /// The one that the url names, else completions.
        AUTO, COMPLETIONS, CHAT
    }

    /// How prompts are sent.
    enum PromptForm {
        /// Token ids where they are taken, else text.
        AUTO, TEXT, TOKENS
    }

    /// Whether the shortest answer is asked for.
    enum MinTokens {
        /// Unless the server refuses it.
        AUTO, ON, OFF
    }

    /// Which counts the server is asked for.
    enum Usage {
        /// With every chunk.
        CONTINUOUS,
        /// With the last chunk.
        FINAL, OFF
    }
}
