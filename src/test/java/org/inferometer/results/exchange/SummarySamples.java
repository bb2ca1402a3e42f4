package org.inferometer.results.exchange;

/// Small files of tools that write totals, after their published key names; figures are easy to check by hand.
final class SummarySamples {
    static final String VLLM_EMBEDDINGS = """
            {"date": "20261121-101500", "backend": "openai-embeddings", "model_id": "org/embed", "num_prompts": 10, "request_rate": "inf", "max_concurrency": null,
             "duration": 2.0, "completed": 10, "total_input_tokens": 1000, "total_input_sequences": 10, "request_throughput": 5.0, "total_token_throughput": 500.0,
             "mean_e2el_ms": 150.0, "median_e2el_ms": 140.0, "p99_e2el_ms": 190.0}
            """;
    static final String VLLM_PYTORCH = """
            [{"benchmark": {"name": "vLLM benchmark", "extra_info": {"args": {"model": "org/model", "tensor_parallel_size": 2, "input_len": 512}}}, "model": {"name": "org/model"},
              "metric": {"name": "median_ttft_ms", "benchmark_values": [45.0], "extra_info": {"backend": "vllm", "duration": 10.0, "completed": 100, "total_input_tokens": 5000,
               "total_output_tokens": 2000, "output_throughput": 200.0, "max_concurrency": 8}}},
             {"benchmark": {"name": "vLLM benchmark", "extra_info": {"args": {"model": "org/model", "tensor_parallel_size": 2, "input_len": 512}}}, "model": {"name": "org/model"},
              "metric": {"name": "mean_tpot_ms", "benchmark_values": [12.0], "extra_info": {"backend": "vllm", "duration": 10.0, "completed": 100, "total_input_tokens": 5000,
               "total_output_tokens": 2000, "output_throughput": 200.0, "max_concurrency": 8}}}]
            """;
    static final String VLLM_THROUGHPUT = """
            {"elapsed_time": 20.0, "num_requests": 1000, "total_num_tokens": 400000, "requests_per_second": 50.0, "tokens_per_second": 20000.0}
            """;
    static final String INFERENCE_PERF = """
            {"benchmark_time_seconds": 60.0, "load_summary": {"count": 610, "schedule_delay": {"mean": 0.002, "min": -0.001, "median": 0.001, "p90": 0.004, "p99": 0.009},
              "send_duration": 59.9, "requested_rate": 10.0, "achieved_rate": 10.18},
             "successes": {"count": 600, "latency": {"request_latency": {"mean": 0.8, "median": 0.82}, "normalized_time_per_output_token": {"mean": 0.0125},
               "time_per_output_token": {"mean": 0.0065, "median": 0.0064, "p99": 0.0071}, "time_to_first_token": {"mean": 0.036, "median": 0.035, "p90": 0.042, "p95": 0.0435, "p99": 0.046},
               "inter_token_latency": {"mean": 0.00647}}, "throughput": {"input_tokens_per_sec": 2000.0, "output_tokens_per_sec": 640.0, "total_tokens_per_sec": 2640.0, "requests_per_sec": 10.0},
              "prompt_tokens": {"total": 120000.0, "cached": 0.0}, "output_tokens": {"total": 38400.0, "mean": 64.0}, "token_count_mismatches": 0},
             "failures": {"count": 10, "request_latency": null}}
            """;
    static final String INFERENCE_PERF_REQUESTS = """
            [{"start_time": 5000.25, "end_time": 5001.0, "request": "{}", "response": "", "error": null, "info": {"input_tokens": 12, "request_metrics": {"text": {"input_tokens": 12}},
              "response_metrics": {"output_tokens": 4, "server_usage": {"completion_tokens": 4}, "chunk_times": [5000.5, 5000.75], "output_token_times": [5000.5, 5000.75, 5000.75, 5001.0]}}},
             {"start_time": 5000.5, "end_time": 5000.625, "request": "{}", "error": {"error_type": "HTTP Error 503", "error_msg": "no capacity"}, "info": {"input_tokens": 7}}]
            """;
    static final String GENAI_BENCH = """
            {"aggregated_metrics": {"scenario": "D(100,100)", "num_concurrency": 4, "batch_size": 1, "iteration_type": "num_concurrency", "run_duration": 16.0,
              "mean_output_throughput_tokens_per_s": 200.0, "mean_input_throughput_tokens_per_s": 180.0, "mean_total_tokens_throughput_tokens_per_s": 380.0, "requests_per_second": 2.0,
              "error_codes_frequency": {}, "error_rate": 0.0, "num_error_requests": 0, "num_completed_requests": 32, "num_requests": 32, "stats": {
               "ttft": {"min": 0.03, "max": 0.67, "mean": 0.052, "sum": 1.664, "p50": 0.032, "p90": 0.033, "p95": 0.0335, "p99": 0.47}, "tpot": {"mean": 0.018, "p50": 0.018},
               "e2e_latency": {"mean": 1.84}, "num_input_tokens": {"mean": 90.0, "sum": 2880}, "num_output_tokens": {"mean": 100.0, "sum": 3200}, "total_tokens": {"mean": 190.0, "sum": 6080}}},
             "individual_request_metrics": [], "_time_unit": "s"}
            """;
    static final String LLMPERF = """
            {"version": "2023-08-31", "name": "org-model_550_150_summary", "model": "org/model", "mean_input_tokens": 550, "stddev_input_tokens": 150, "mean_output_tokens": 150,
             "stddev_output_tokens": 10, "num_concurrent_requests": 4, "results_inter_token_latency_s_mean": 0.0119, "results_ttft_s_quantiles_p50": 0.24, "results_ttft_s_quantiles_p90": 0.45,
             "results_ttft_s_quantiles_p99": 0.58, "results_ttft_s_mean": 0.25, "results_end_to_end_latency_s_mean": 1.18, "results_num_requests_started": 52, "results_error_rate": 0.038,
             "results_number_errors": 2, "results_error_code_frequency": "{429: 2}", "results_mean_output_throughput_token_per_s": 310.5, "results_num_completed_requests": 50,
             "results_num_completed_requests_per_min": 120.0, "timestamp": 1763720100}
            """;
    static final String LLMPERF_ANSWERS = """
            [{"error_code": null, "error_msg": "", "inter_token_latency_s": 0.01, "ttft_s": 0.2, "end_to_end_latency_s": 1.2, "request_output_throughput_token_per_s": 83.3,
              "number_total_tokens": 650, "number_output_tokens": 100, "number_input_tokens": 550},
             {"error_code": null, "error_msg": "", "inter_token_latency_s": 0.01, "ttft_s": 0.4, "end_to_end_latency_s": 1.4, "number_total_tokens": 600, "number_output_tokens": 50, "number_input_tokens": 550},
             {"error_code": 429, "error_msg": "too many", "inter_token_latency_s": 0, "ttft_s": 0, "end_to_end_latency_s": 0, "number_total_tokens": 550, "number_output_tokens": 0, "number_input_tokens": 550}]
            """;
    static final String LOADGEN_SUMMARY = """
            ================================================
            MLPerf Results Summary
            ================================================
            SUT name : PySUT
            Scenario : Server
            Mode     : PerformanceOnly
            Completed samples per second    : 4.50
            Result is : VALID
              Performance constraints satisfied : Yes
              Min duration satisfied : Yes
            TTFT Early Stopping Result:
             * Run successful.

            ================================================
            Additional Stats
            ================================================
            Scheduled samples per second : 4.75
            Min latency (ns)                : 100000000
            Mean latency (ns)               : 900000000
            50.00 percentile latency (ns)   : 800000000
            90.00 percentile latency (ns)   : 1200000000
            99.00 percentile latency (ns)   : 1900000000
            99.90 percentile latency (ns)   : 2000000000

            Completed tokens per second                 : 512.25
            Mean First Token latency (ns)               : 60000000
            99.00 percentile first token latency (ns)   : 250000000

            Mean Time to Output Token (ns)               : 9000000
            99.00 percentile time to output token (ns)   : 12000000

            ================================================
            Test Parameters Used
            ================================================
            samples_per_query : 1
            target_qps : 5
            min_query_count : 270336
            """;
    static final String LOADGEN_DETAIL = """
            :::MLLOG {"key": "loadgen_version", "value": "5.1 @ abc", "time_ms": 0.01, "namespace": "mlperf::logging", "event_type": "POINT_IN_TIME", "metadata": {"is_error": false}}
            :::MLLOG {"key": "requested_scenario", "value": "Offline", "time_ms": 0.01, "metadata": {}}
            :::MLLOG {"key": "effective_scenario", "value": "Offline", "time_ms": 0.01, "metadata": {}}
            :::MLLOG {"key": "result_validity", "value": "INVALID", "time_ms": 273.0, "metadata": {}}
            :::MLLOG {"key": "result_query_count", "value": 1, "time_ms": 273.0, "metadata": {}}
            :::MLLOG {"key": "result_samples_per_second", "value": 16.5, "time_ms": 273.0, "metadata": {}}
            :::MLLOG {"key": "result_mean_latency_ns", "value": 325000000000, "time_ms": 273.0, "metadata": {}}
            :::MLLOG {"key": "result_99.00_percentile_latency_ns", "value": 640000000000, "time_ms": 273.0, "metadata": {}}
            :::MLLOG {"key": "result_tokens_per_second", "value": 4800.5, "time_ms": 273.0, "metadata": {}}
            """;
    static final String LLMD_1 = """
            version: '0.1'
            scenario:
              host:
                type: [prefill, decode]
              platform:
                engine:
                  - name: vllm
                    version: 0.9.0.1
                    args: {"--tensor-parallel-size": 8}
              model: {name: org/model, quantization: fp16}
              load:
                name: vllm-benchmark
                type: long-input
            metrics:
              time: {duration: 16.5, start: 1763720100.5, stop: 1763720117.0}
              requests:
                total: 32
                failures: 2
              latency:
                request_latency: {units: s, mean: 3.3, p50: 2.1}
                time_per_output_token: {units: ms/token, mean: 8.5}
                time_to_first_token:
                  units: ms
                  mean: 80.5 # of all
                  p50: 75.25
                  p99: .nan
                inter_token_latency: {units: fortnights, mean: 8.0}
              throughput:
                output_tokens_per_sec: 32.5
                total_tokens_per_sec: 676.0
                requests_per_sec: 1.75
            """;
    static final String LLMD_2 = """
            {"version": "0.2", "run": {"uid": "a", "time": {"start": "2026-11-05T18:00:42Z", "duration": "PT49.9S"}}, "scenario": {"stack": [
               {"metadata": {"label": "epp-0"}, "standardized": {"kind": "generic", "tool": "scheduler"}},
               {"metadata": {"label": "vllm-svc-0"}, "standardized": {"kind": "inference_engine", "tool": "llm-d", "role": "decode", "replicas": 2, "model": {"name": "org/model"}}}],
              "load": {"standardized": {"tool": "inference-perf", "tool_version": "0.3.0", "stage": 3, "rate_qps": 10, "concurrency": "inf"}}},
             "results": {"request_performance": {"aggregate": {"requests": {"total": 500, "failures": 0}, "latency": {
                "time_to_first_token": {"units": "s", "mean": 0.0369, "p50": 0.0362, "p99": 0.0503}, "request_latency": {"units": "s", "mean": 0.8},
                "inter_token_latency": {"units": "s/token", "mean": 0.007}},
               "throughput": {"output_token_rate": {"units": "tokens/s", "mean": 1000.5}, "request_rate": {"units": "queries/s", "mean": 9.9}}}}}}
            """;
    static final String INFERENCEX = """
            [{"hw": "h200", "conc": 64, "image": "x", "model": "org/model", "infmax_model_prefix": "m", "framework": "vllm", "precision": "fp8", "spec_decoding": "none", "disagg": false,
              "isl": 1024, "osl": 1024, "is_multinode": false, "tp": 8, "pp": 1, "ep": 1, "dp_attention": "false", "tput_per_gpu": 1250.0, "output_tput_per_gpu": 625.0, "input_tput_per_gpu": 625.0,
              "mean_ttft": 0.15, "median_ttft": 0.14, "p99_ttft": 0.25, "mean_tpot": 0.025, "p99_tpot": 0.045, "mean_intvty": 40.0, "p99_intvty": 22.2, "mean_itl": 0.026, "mean_e2el": 25.5},
             {"hw": "gb200", "conc": 512, "model": "org/model", "framework": "dynamo-trt", "precision": "fp4", "isl": 1024, "osl": 1024, "is_multinode": true, "num_prefill_gpu": 20, "num_decode_gpu": 8,
              "tput_per_gpu": 100.0, "output_tput_per_gpu": 200.0, "mean_ttft": 0.3}]
            """;
    static final String LLAMA_SERVER = """
            {"model": "seven.gguf", "content": "a", "timings": {"cache_n": 100, "prompt_n": 20, "prompt_ms": 100.0, "prompt_per_second": 200.0, "predicted_n": 50, "predicted_ms": 1000.0, "predicted_per_second": 50.0, "draft_n": 40, "draft_n_accepted": 30}}
            {"model": "seven.gguf", "content": "b", "timings": {"cache_n": 0, "prompt_n": 80, "prompt_ms": 300.0, "predicted_n": 150, "predicted_ms": 3000.0, "draft_n": 60, "draft_n_accepted": 20}}
            """;
    static final String OPENVINO = """
            {"metadata": {"model": "org-model", "framework": "ov", "device": "CPU", "precision": "INT4", "num_beams": 1, "batch_size": 1}, "perfdata": {"compile_time": 3.5, "results": [
              {"iteration": 0, "input_size": 32, "infer_count": 128, "output_size": 128, "generation_time": 9.0, "latency": 70.0, "first_latency": 900.0, "second_avg_latency": 64.0, "prompt_idx": 0, "chat_idx": "", "start": "", "end": ""},
              {"iteration": 1, "input_size": 32, "infer_count": 128, "output_size": 128, "generation_time": 5.0, "latency": 40.0, "first_latency": 250.0, "second_avg_latency": 37.5, "first_infer_latency": 240.0,
               "prompt_idx": 0, "chat_idx": "", "start": "2026-11-21T10:15:00.250000", "end": "2026-11-21T10:15:05", "max_rss_mem": 2048.5},
              {"iteration": 2, "input_size": 32, "infer_count": 128, "output_size": 128, "generation_time": 5.1, "latency": 41.0, "first_latency": 260.0, "second_avg_latency": -1, "prompt_idx": 0, "chat_idx": "", "start": "", "end": ""}],
              "results_averaged": {"first_latency": 255.0}}}
            """;
    static final String OPENVINO_CSV = """
            iteration,model,framework,device,pretrain_time(s),input_size,infer_count,generation_time(s),output_size,latency(ms),1st_latency(ms),2nd_avg_latency(ms),precision,max_rss_mem(MiB),prompt_idx,chat_idx,num_beams,batch_size
            0,org-model,ov,CPU,3.5,32,128,9.0,128,70.0,900.0,64.0,INT4,,0,,1,1
            1,org-model,ov,CPU,,32,128,5.0,128,40.0,250.0,37.5,INT4,2048.5,0,,1,1
            avg,org-model,ov,CPU,,32,128,5.0,128,40.0,250.0,37.5,INT4,,0,,1,1
            "latency: Text/Code generation models: ms/token. Output token size / generation time",,,,,,,,,,,,,,,,,
            """;

    private SummarySamples() {}
}
