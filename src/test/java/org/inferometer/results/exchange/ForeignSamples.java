package org.inferometer.results.exchange;

import java.util.LinkedHashMap;
import java.util.Map;

/// Small files as the tools write them, after their published key names; figures are easy to check by hand.
public final class ForeignSamples {
    static final String VLLM = """
            {"date": "20261121-101500", "endpoint_type": "openai", "backend": "vllm", "label": "chat", "model_id": "org/model", "tokenizer_id": "org/model",
             "num_prompts": 3, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 2, "duration": 1.5, "completed": 2, "failed": 1,
             "total_input_tokens": 30, "total_output_tokens": 5, "request_throughput": 1.3333, "output_throughput": 3.3333, "total_token_throughput": 23.3333,
             "mean_ttft_ms": 75.0, "median_ttft_ms": 75.0, "p99_ttft_ms": 99.5, "mean_tpot_ms": 20.0, "mean_itl_ms": 20.0, "mean_e2el_ms": 100.0,
             "input_lens": [10, 20, 5], "output_lens": [3, 2, 0], "start_times": [1000.5, 1001.0, 1001.25], "ttfts": [0.05, 0.1, 0.0],
             "itls": [[0.01, 0.03], [0.02], []], "generated_texts": ["a", "b", ""], "errors": ["", "", "Traceback\\nConnectionError: refused"]}
            """;
    static final String VLLM_SUMMARY = VLLM.replaceAll("\"input_lens\"(?s).*\\}", "\"p99_itl_ms\": 30.0}");
    static final String SGLANG = """
            {"tag": null, "backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "max_concurrency": 4, "duration": 2.0, "completed": 8,
             "total_input_tokens": 800, "total_output_tokens": 400, "request_throughput": 4.0, "input_throughput": 400.0, "output_throughput": 200.0,
             "total_throughput": 600.0, "mean_e2e_latency_ms": 500.0, "mean_ttft_ms": 50.0, "median_ttft_ms": 45.0, "p95_ttft_ms": 80.0, "mean_itl_ms": 9.0}
            {"backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "max_concurrency": 4, "duration": 2.0, "completed": 8,
             "request_throughput": 5.0, "output_throughput": 210.0, "mean_e2e_latency_ms": NaN, "mean_ttft_ms": 40.0}
            """;
    static final String AIPERF = """
            {"metadata": {"session_num": 0, "request_start_ns": 1763720100000000000, "request_end_ns": 1763720100200000001, "benchmark_phase": "profiling", "was_cancelled": false},
             "metrics": {"input_sequence_length": {"value": 12, "unit": "tokens"}, "time_to_first_token": {"value": 50.0, "unit": "ms"},
              "request_latency": {"value": 200.0, "unit": "ms"}, "output_sequence_length": {"value": 4, "unit": "tokens"},
              "inter_chunk_latency": {"value": [50.0, 100.0], "unit": "ms"}}, "error": null}
            {"metadata": {"session_num": 1, "request_start_ns": 1763720100100000000, "request_end_ns": 1763720100110000000, "benchmark_phase": "profiling", "was_cancelled": false},
             "metrics": {"input_sequence_length": {"value": 7, "unit": "tokens"}}, "error": {"code": 500, "type": "HTTP", "message": "server broke"}}
            """;
    static final String AIPERF_UNSTREAMED = """
            {"metadata": {"request_start_ns": 1763720100000000000, "request_end_ns": 1763720100200000001}, "error": null, "metrics":
             {"input_sequence_length": {"value": 12}, "request_latency": {"value": 200.0, "unit": "ms"}, "output_sequence_length": {"value": 4}}}
            {"metadata": {"request_start_ns": 1763720100100000000, "request_end_ns": 1763720100400000000}, "error": null,
             "metrics": {"input_sequence_length": {"value": 12}, "output_sequence_length": {"value": 6}}}
            {"metadata": {"request_start_ns": 1763720100200000000}, "error": null, "metrics": {"input_sequence_length": {"value": 12}, "request_latency": {"value": 0.1, "unit": "s"}}}
            {"metadata": {"request_start_ns": 1763720100300000000, "request_end_ns": 1763720100310000000}, "error": {"code": 500}, "metrics": {"input_sequence_length": {"value": 12}}}
            {"metadata": {"request_start_ns": 1763720100400000000}, "error": null, "metrics": {"input_sequence_length": {"value": 12}}}
            """;
    static final String AIPERF_SUMMARY = """
            {"schema_version": "1.5", "aiperf_version": "0.3", "input_config": {"endpoint": {"model_names": ["org/model"]}},
             "time_to_first_token": {"unit": "ms", "avg": 50.0, "p50": 45.0, "p99": 90.0, "count": 100}, "request_latency": {"unit": "s", "avg": 1.5},
             "inter_token_latency": {"unit": "ms", "avg": 12.0, "p99": 15.0}, "output_token_throughput": {"unit": "tokens/sec", "avg": 321.0},
             "request_throughput": {"unit": "requests/sec", "avg": 3.5}, "brand_new_metric": {"unit": "x", "avg": 1}}
            """;
    static final String GUIDELLM = """
            {"metadata": {"version": 2, "guidellm_version": "0.5"}, "benchmarks": [{"type_": "generative", "config": {"strategy": {"type_": "concurrent", "streams": 2},
              "backend": {"model": "org/model"}}, "requests": {"successful": [
               {"request_id": "a", "input_metrics": {"text_tokens": 10}, "output_metrics": {"text_tokens": 5}, "info": {"timings": {"targeted_start": 100.0,
                "request_start": 100.25, "first_token_iteration": 100.5, "last_token_iteration": 101.0, "token_iterations": 5, "request_end": 101.125}}}],
              "incomplete": [], "errored": [{"request_id": "b", "status": "errored", "info": {"error": "timed out", "timings": {"request_start": 100.5, "request_end": 101.5}}}]}}]}
            """;
    /// As 0.2 and 0.3 wrote it.
    static final String GUIDELLM_OLD = """
            {"benchmarks": [{"type_": "generative_benchmark", "args": {"strategy": {"type_": "concurrent", "streams": 2}}, "worker": {"backend_model": "org/model"},
              "start_time": 100.25, "requests": {"successful": [
               {"request_id": "a", "scheduler_info": {"completed": true, "targeted_start_time": 100.0}, "prompt_tokens": 10, "output_tokens": 5,
                "start_time": 100.25, "first_token_time": 100.5, "last_token_time": 101.0, "end_time": 101.125}],
              "incomplete": [], "errored": [{"request_id": "b", "error": "timed out", "scheduler_info": {"targeted_start_time": -1}, "prompt_tokens": 0,
                "output_tokens": 0, "start_time": 100.5, "end_time": 101.5, "first_token_time": null, "last_token_time": null}]}}]}
            """;
    static final String LLAMA_BENCH = """
            [{"build_commit": "abc", "model_filename": "models/seven.gguf", "model_type": "llama 7B", "n_prompt": 512, "n_gen": 0, "avg_ts": 100.0, "stddev_ts": 1.0,
              "samples_ns": [1, 2], "samples_ts": [99.0, 101.0], "brand_new": 5},
             {"model_filename": "models/seven.gguf", "n_prompt": 0, "n_gen": 128, "avg_ts": 20.0, "samples_ts": [19.0, 20.0, 21.0]}]
            """;
    static final String LLAMA_BENCH_CSV = """
            build_commit,model_filename,n_prompt,n_gen,avg_ns,avg_ts,stddev_ts
            "abc","models/seven, new.gguf","0","128","6400000000","20.0","0.5"
            """;
    static final String LLAMA_BENCH_SQL = """
            CREATE TABLE IF NOT EXISTS test (
              build_commit TEXT,
              n_prompt INTEGER
            );

            INSERT INTO test (build_commit, model_filename, backends, n_threads, type_k, n_prompt, n_gen, avg_ts, stddev_ts) VALUES ('abc', 'models/it''s.gguf', 'CPU', '4', 'f16', '512', '0', '100.5', '1.0');
            INSERT INTO test (build_commit, model_filename, backends, n_threads, type_k, n_prompt, n_gen, avg_ts, stddev_ts) VALUES ('abc', 'models/it''s.gguf', 'CPU', '8', 'f16', '512', '0', '180.25', '1.0');
            """;
    static final String LLAMA_BENCH_MARKDOWN = """
            ggml_cuda_init: found 1 device
            | model                          |       size |     params | backend    | threads | type_k |            test |                  t/s |
            | ------------------------------ | ---------: | ---------: | ---------- | ------: | -----: | --------------: | -------------------: |
            | llama 7B Q4_0                  |   3.56 GiB |     6.74 B | CPU        |       4 |    f16 |           pp512 |         45.21 ± 0.35 |
            | llama 7B Q4_0                  |   3.56 GiB |     6.74 B | CPU        |       4 |    f16 |   tg128 @ d4096 |          9.50 ± 0.01 |
            | llama 7B Q4_0                  |   3.56 GiB |     6.74 B | CPU        |       8 |   q8_0 |           pp512 |         80.00 ± 0.20 |

            build: 3df890a (1234)
            """;
    static final String LLAMA_BATCHED_BENCH = """
            {"n_kv_max": 2048, "n_batch": 2048, "n_ubatch": 512, "flash_attn": 0, "is_pp_shared": 0, "n_gpu_layers": 99, "n_threads": 8, "n_threads_batch": 8, "pp": 128, "tg": 64, "pl": 1, "n_kv": 192, "t_pp": 0.25, "speed_pp": 512.0, "t_tg": 2.0, "speed_tg": 32.0, "t": 2.25, "speed": 85.333}
            {"n_kv_max": 2048, "n_batch": 2048, "n_ubatch": 512, "flash_attn": 0, "is_pp_shared": 0, "n_gpu_layers": 99, "n_threads": 8, "n_threads_batch": 8, "pp": 128, "tg": 64, "pl": 4, "n_kv": 768, "t_pp": 1.0, "speed_pp": 512.0, "t_tg": 2.5, "speed_tg": 102.4, "t": 3.5, "speed": 219.429}
            """;
    static final String LLAMA_BATCHED_BENCH_MARKDOWN = """
            main: n_kv_max = 2048, n_batch = 2048

            |    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
            |-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
            |   128 |     64 |    1 |    192 |    0.250 |   512.00 |    2.000 |    32.00 |    2.250 |    85.33 |
            """;
    /// As `report --format csv` writes it; columns of the comparison left out.
    static final String FIGURES_CSV = """
            experiment,cell,engine,model,precision,scheduler,workload,requests,arrivals,backend,metric,unit,mean,ci95_half_width,runs,samples,fewest_samples_of_a_run,enough_samples,run_values
            2026-11-21_quick,0,tiny,tiny,fp8,naive,chat,20,closed:4,host,output_throughput,tok/s,21,1.5,3,120,40,true,20 21 22
            2026-11-21_quick,0,tiny,tiny,fp8,naive,chat,20,closed:4,host,ttft_p50,ns,2000000,,3,60,20,true,1000000 2000000 3000000
            2026-11-21_quick,0,tiny,tiny,fp8,naive,chat,20,closed:4,host,tpot_p50,ns,2000000,,2,60,20,true,1000000 3000000
            2026-11-21_quick,1,tiny,tiny,fp8,dynamic,chat,20,closed:4,host,output_throughput,tok/s,31,1.5,3,120,40,true,30 31 32
            """;
    static final String TRTLLM = """
            {"engine": {"model": "org/model", "backend": "tensorrt", "dtype": "fp8"}, "request_info": {"num_requests": 100, "avg_num_concurrent_requests": 7.5},
             "performance": {"total_latency_ms": 2000.0, "avg_request_latency_ms": 150.0, "request_throughput_req_s": 50.0, "system_output_throughput_tok_s": 5000.0,
              "system_total_throughput_tok_s": 6000.0, "request_latency_percentiles_ms": {"p50": 140.0}}, "streaming_metrics": {"avg_ttft_ms": 20.0, "avg_tpot_ms": 5.0}}
            """;
    static final String RESULTS = """
            [{"name": "fp8_short", "prefill_ms": 45.2, "decode_ms": 312.5, "tokens_per_second": 40.9, "memory_mb": 8234},
             {"name": "int4_short", "prefill_ms": 38.1, "decode_ms": 287.2, "tokens_per_second": 44.5, "memory_mb": 5123}]
            """;
    static final String SUMMARIES = """
            scheduler,request_size,run_num,throughput_req_per_sec,throughput_tokens_per_sec,avg_latency,p50_latency,p95_latency,p99_latency,success_count,failure_count,wall_time
            naive,50,1,4.05,45.23,0.289,0.234,0.456,0.678,50,0,12.34
            naive,50,2,4.15,46.23,0.279,0.224,0.446,0.668,50,0,12.04
            dynamic,50,1,8.12,92.15,0.189,0.134,0.298,0.378,49,1,6.16
            """;

    private ForeignSamples() {}

    /// Every sample by a name.
    public static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("vllm.json", VLLM);
        all.put("vllm-summary.json", VLLM_SUMMARY);
        all.put("vllm-embeddings.json", SummarySamples.VLLM_EMBEDDINGS);
        all.put("vllm.pytorch.json", SummarySamples.VLLM_PYTORCH);
        all.put("vllm-throughput.json", SummarySamples.VLLM_THROUGHPUT);
        all.put("sglang.jsonl", SGLANG);
        all.put("aiperf.jsonl", AIPERF);
        all.put("aiperf-unstreamed.jsonl", AIPERF_UNSTREAMED);
        all.put("aiperf.json", AIPERF_SUMMARY);
        all.put("guidellm.json", GUIDELLM);
        all.put("guidellm-old.json", GUIDELLM_OLD);
        all.put("stage_0_lifecycle_metrics.json", SummarySamples.INFERENCE_PERF);
        all.put("per_request_lifecycle_metrics.json", SummarySamples.INFERENCE_PERF_REQUESTS);
        all.put("genai-bench.json", SummarySamples.GENAI_BENCH);
        all.put("llmperf_summary.json", SummarySamples.LLMPERF);
        all.put("llmperf_individual_responses.json", SummarySamples.LLMPERF_ANSWERS);
        all.put("mlperf_log_summary.txt", SummarySamples.LOADGEN_SUMMARY);
        all.put("mlperf_log_detail.txt", SummarySamples.LOADGEN_DETAIL);
        all.put("llm-d.yaml", SummarySamples.LLMD_1);
        all.put("llm-d.json", SummarySamples.LLMD_2);
        all.put("inferencex.json", SummarySamples.INFERENCEX);
        all.put("llama-bench.json", LLAMA_BENCH);
        all.put("llama-bench.csv", LLAMA_BENCH_CSV);
        all.put("llama-bench.sql", LLAMA_BENCH_SQL);
        all.put("llama-bench.md", LLAMA_BENCH_MARKDOWN);
        all.put("llama-batched-bench.jsonl", LLAMA_BATCHED_BENCH);
        all.put("llama-batched-bench.md", LLAMA_BATCHED_BENCH_MARKDOWN);
        all.put("llama-server.jsonl", SummarySamples.LLAMA_SERVER);
        all.put("trtllm.json", TRTLLM);
        all.put("openvino.json", SummarySamples.OPENVINO);
        all.put("openvino.csv", SummarySamples.OPENVINO_CSV);
        all.put("benchmark_results.json", RESULTS);
        all.put("benchmark_summaries.csv", SUMMARIES);
        all.put("figures.csv", FIGURES_CSV);
        return all;
    }
}
