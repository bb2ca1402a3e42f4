/// Servers with an OpenAI-compatible interface (vLLM, trtllm-serve, SGLang, llama-server) as targets of a benchmark.
@org.jspecify.annotations.NullMarked
package org.inferometer.target.http;
