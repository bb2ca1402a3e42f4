package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.results.ResultFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of tools that write totals: each figure under our metric of the same meaning, in its unit, and nothing else.
class SummaryFormatsTest {
    @TempDir
    Path folder = Path.of("");

    private List<ForeignRun> runs(String name, String content) throws IOException {
        ForeignFile file = ForeignFile.read(Files.writeString(folder.resolve(name), content));
        ForeignFormat format = Importer.known().stream().filter(each -> each.fits(file)).findFirst().orElseThrow();
        return format.read(file);
    }

    private ForeignRun run(String name, String content) throws IOException {
        List<ForeignRun> runs = runs(name, content);
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }

    /// "id value", with "≈" where the requests are too few for the percentile.
    private static List<String> figures(ForeignRun run) {
        return run.figures().stream()
                .map(figure -> figure.metric().id() + " " + number(figure) + (figure.enough() ? "" : " ≈")).toList();
    }

    private static String number(Figure figure) {
        return BigDecimal.valueOf(Math.round(figure.value() * 1e6), 6).stripTrailingZeros().toPlainString();
    }

    private static String named(ForeignRun run) {
        return String.join(" · ", run.tool(), run.model(), run.server(), run.workload(),
                Integer.toString(run.concurrency()), Double.toString(run.ratePerSecond()));
    }

    @Test
    void inferencePerfsStageHasItsRateAndLatencies() throws IOException {
        Files.writeString(folder.resolve("config.yaml"),
                "server:\n  model_name: org/model\n  type: vllm\nload:\n  type: constant\ndata:\n  type: shareGPT\n");
        ForeignRun run = run("stage_0_lifecycle_metrics.json", SummarySamples.INFERENCE_PERF);
        assertThat(named(run)).isEqualTo("inference-perf · org/model · vllm · shareGPT · 0 · 10.0");
        assertThat(run.settings().ofLoad()).containsEntry("arrival_pattern", "constant");
        assertThat(figures(run)).containsExactly("requests_ok 600", "requests_failed 10", "window 60000000000",
                "request_throughput 10", "prompt_tokens 120000", "output_tokens 38400", "send_lateness_mean 2000000",
                "send_lateness_p50 1000000", "send_lateness_p90 4000000", "send_lateness_p99 9000000 ≈",
                "service_ttft_mean 36000000", "service_ttft_p50 35000000", "service_ttft_p90 42000000",
                "service_ttft_p95 43500000", "service_ttft_p99 46000000 ≈", "output_throughput 640",
                "total_throughput 2640", "tpot_mean 6500000", "tpot_p50 6400000", "tpot_p99 7100000 ≈");
    }

    /// Before it counted output tokens itself, TPOT was per chunk: half of the truth where each chunk had a twin without text.
    @Test
    void inferencePerfsTimePerChunkIsNoTpot() throws IOException {
        ForeignRun run = run("summary_lifecycle_metrics.json",
                SummarySamples.INFERENCE_PERF.replaceAll("\"output_tokens\": \\{[^}]*\\}, ", ""));
        assertThat(figures(run)).noneMatch(figure -> figure.startsWith("tpot"));
        assertThat(run.notes()).contains(
                "This version divides by the number of chunks, not of tokens: its time_per_output_token is left out.");
        ForeignRun closed = run("stage_1_lifecycle_metrics.json", SummarySamples.INFERENCE_PERF
                .replace("\"requested_rate\": 10.0", "\"requested_rate\": 610, \"concurrency\": 8"));
        assertThat(named(closed)).isEqualTo("inference-perf ·  · inference-perf · load · 8 · 0.0");
    }

    @Test
    void inferencePerfsRequestsKeepTheirInstants() throws IOException {
        ForeignRun run = run("per_request_lifecycle_metrics.json", SummarySamples.INFERENCE_PERF_REQUESTS);
        RequestOutcome first = run.requests().getFirst();
        assertThat(first.eventNanos()).containsExactly(250_000_000, 500_000_000, 750_000_000);
        assertThat(first.eventTokens()).containsExactly(1, 2, 1);
        assertThat(List.of(first.promptTokens(), first.outputTokens(), first.sentNanos(), first.endNanos()))
                .containsExactly(12, 4, 0L, 750_000_000L);
        assertThat(run.requests().get(1).reason()).isEqualTo("HTTP Error 503 no capacity");
        assertThat(run.requests().get(1).sentNanos()).isEqualTo(250_000_000);
        assertThatThrownBy(() -> run("p.json",
                SummarySamples.INFERENCE_PERF_REQUESTS.replace("[5000.5, 5000.75, 5000.75", "[4000, 5000.75, 5000.75")))
                .isInstanceOf(ResultFormatException.class).hasMessageContaining("not a duration");
    }

    @Test
    void genaiBenchCountsInItsUnit() throws IOException {
        Files.writeString(folder.resolve("experiment_metadata.json"),
                "{\"model\": \"org/model\", \"server_engine\": \"SGLang\", \"server_gpu_type\": \"H100\"}");
        List<String> expected = List.of("requests_ok 32", "requests_failed 0", "request_throughput 2",
                "window 16000000000", "output_throughput 200", "total_throughput 380", "prompt_tokens 2880",
                "output_tokens 3200", "service_ttft_mean 52000000", "service_ttft_p50 32000000",
                "service_ttft_p90 33000000 ≈", "service_ttft_p95 33500000 ≈", "service_ttft_p99 470000000 ≈");
        ForeignRun run = run("genai.json", SummarySamples.GENAI_BENCH);
        assertThat(named(run)).isEqualTo("genai-bench · org/model · SGLang · D(100,100) · 4 · 0.0");
        assertThat(run.settings().ofServer()).containsEntry("server_gpu_type", "H100");
        assertThat(figures(run)).isEqualTo(expected);
        String millis = SummarySamples.GENAI_BENCH.replace("\"_time_unit\": \"s\"", "\"_time_unit\": \"ms\"").replace(
                "\"min\": 0.03, \"max\": 0.67, \"mean\": 0.052, \"sum\": 1.664, \"p50\": 0.032, \"p90\": 0.033, \"p95\": 0.0335, \"p99\": 0.47",
                "\"mean\": 52.0, \"p50\": 32.0, \"p90\": 33.0, \"p95\": 33.5, \"p99\": 470.0");
        assertThat(figures(run("millis.json", millis))).isEqualTo(expected);
    }

    /// Token rates count kept requests over the whole time: with 20 of 32 kept they are too low by 37 %.
    @Test
    void genaiBenchsCutRatesAndEmbeddingsAreLeftOut() throws IOException {
        ForeignRun cut = run("cut.json",
                SummarySamples.GENAI_BENCH.replace("\"mean\": 190.0, \"sum\": 6080", "\"mean\": 190.0, \"sum\": 3800"));
        assertThat(figures(cut)).contains("request_throughput 2", "service_ttft_mean 52000000")
                .noneMatch(figure -> figure.matches("(output|total)_throughput.*"));
        assertThat(cut.notes()).anyMatch(note -> note.startsWith("Latencies are of 20 of 32 requests"));
        ForeignRun embeddings = run("embed.json",
                SummarySamples.GENAI_BENCH.replace("\"tpot\": {\"mean\": 0.018", "\"tpot\": {\"mean\": 0"));
        assertThat(figures(embeddings)).noneMatch(figure -> figure.startsWith("service_ttft"));
    }

    @Test
    void llmPerfsSummaryIsPerSecondAndStartsBeforeItWasSaved() throws IOException {
        ForeignRun run = run("m_summary.json", SummarySamples.LLMPERF);
        assertThat(named(run)).isEqualTo("LLMPerf · org/model · LLMPerf · random · 4 · 0.0");
        assertThat(run.settings().ofLoad()).containsOnlyKeys("mean_input_tokens", "stddev_input_tokens",
                "mean_output_tokens", "stddev_output_tokens");
        assertThat(figures(run)).containsExactly("service_ttft_mean 250000000", "service_ttft_p50 240000000",
                "service_ttft_p90 450000000 ≈", "service_ttft_p99 580000000 ≈", "output_throughput 310.5",
                "request_throughput 2", "requests_ok 50", "requests_failed 2");
        assertThat(run.started()).isEqualTo(Instant.ofEpochSecond(1763720100 - 25));
    }

    @Test
    void llmPerfsAnswersGiveTtftWithoutThoseThatFailed() throws IOException {
        ForeignRun run = run("m_individual_responses.json", SummarySamples.LLMPERF_ANSWERS);
        assertThat(figures(run)).containsExactly("service_ttft_mean 300000000", "service_ttft_p50 300000000 ≈",
                "service_ttft_p90 380000000 ≈", "service_ttft_p95 390000000 ≈", "service_ttft_p99 398000000 ≈",
                "requests_ok 2", "requests_failed 1", "prompt_tokens 1100", "output_tokens 150");
    }

    @Test
    void loadGensSummaryCountsFromTheSchedule() throws IOException {
        ForeignRun run = run("mlperf_log_summary.txt", SummarySamples.LOADGEN_SUMMARY);
        assertThat(named(run)).isEqualTo("LoadGen ·  · PySUT · Server · 0 · 5.0");
        assertThat(figures(run)).containsExactly("request_throughput 4.5", "output_throughput 512.25",
                "offered_rate 4.75", "e2e_mean 900000000", "e2e_p50 800000000", "e2e_p90 1200000000",
                "e2e_p99 1900000000", "ttft_mean 60000000", "ttft_p99 250000000", "tpot_mean 9000000",
                "tpot_p99 12000000");
        assertThat(run.notes()).contains("LoadGen's own verdict: VALID.");
    }

    @Test
    void loadGensDetailNamesTheSameFigures() throws IOException {
        ForeignRun run = run("mlperf_log_detail.txt", SummarySamples.LOADGEN_DETAIL);
        assertThat(named(run)).isEqualTo("LoadGen ·  · SUT · Offline · 0 · 0.0");
        assertThat(figures(run)).containsExactly("request_throughput 16.5", "output_throughput 4800.5",
                "e2e_mean 325000000000", "e2e_p99 640000000000");
        assertThat(run.notes()).contains("LoadGen's own verdict: INVALID.");
        ForeignRun several = run("multi.txt", SummarySamples.LOADGEN_DETAIL.replace("Offline", "MultiStream"));
        assertThat(figures(several)).noneMatch(figure -> figure.startsWith("e2e"));
        ForeignRun single = run("single.txt", SummarySamples.LOADGEN_DETAIL.replace("Offline", "SingleStream")
                .replace("\"result_query_count\", \"value\": 1,", "\"result_query_count\", \"value\": 64,"));
        assertThat(figures(single)).contains("requests_ok 64", "e2e_p99 640000000000 ≈");
        assertThat(named(single)).isEqualTo("LoadGen ·  · SUT · SingleStream · 1 · 0.0");
    }

    @Test
    void llmdsReportsAreReadByTheirUnits() throws IOException {
        ForeignRun old = run("report.yaml", SummarySamples.LLMD_1);
        assertThat(named(old)).isEqualTo("llm-d · org/model · vllm · vllm-benchmark · 0 · 0.0");
        assertThat(figures(old)).containsExactly("request_throughput 1.75", "output_throughput 32.5",
                "total_throughput 676", "window 16500000000", "service_ttft_mean 80500000", "service_ttft_p50 75250000",
                "tpot_mean 8500000", "service_e2e_mean 3300000000", "service_e2e_p50 2100000000", "requests_failed 2");
        assertThat(old.notes()).contains("Units that are not known: Inter-chunk latency mean in fortnights.");
        assertThat(old.started()).isEqualTo(Instant.ofEpochMilli(1763720100500L));
        ForeignRun newer = run("report.json", SummarySamples.LLMD_2);
        assertThat(named(newer)).isEqualTo("llm-d · org/model · llm-d · inference-perf · 0 · 10.0");
        assertThat(figures(newer)).containsExactly("request_throughput 9.9", "output_throughput 1000.5",
                "service_ttft_mean 36900000", "service_ttft_p50 36200000", "service_ttft_p99 50300000 ≈",
                "requests_failed 0");
        assertThat(newer.started()).isEqualTo(Instant.parse("2026-11-05T18:00:42Z"));
        assertThatThrownBy(
                () -> run("new.json", SummarySamples.LLMD_2.replace("\"version\": \"0.2\"", "\"version\": \"1.0\"")))
                .isInstanceOf(ResultFormatException.class).hasMessageContaining("its version is 1.0");
    }

    @Test
    void inferencexRatesAreThoseOfAllGpus() throws IOException {
        List<ForeignRun> rows = runs("agg.json", SummarySamples.INFERENCEX);
        assertThat(named(rows.getFirst())).isEqualTo("InferenceX · org/model · vllm · 1024/1024 · 64 · 0.0");
        assertThat(figures(rows.getFirst())).containsExactly("total_throughput 10000", "output_throughput 5000",
                "service_ttft_mean 150000000", "service_ttft_p50 140000000", "service_ttft_p99 250000000",
                "tpot_mean 25000000", "tpot_p99 45000000", "inter_chunk_mean 26000000", "service_e2e_mean 25500000000");
        assertThat(figures(rows.get(1))).containsExactly("total_throughput 2800", "service_ttft_mean 300000000");
    }

    @Test
    void llamaServersTimingsAreTheServersOwn() throws IOException {
        ForeignRun run = run("answers.jsonl", SummarySamples.LLAMA_SERVER);
        assertThat(figures(run)).containsExactly("reported_prefill_mean 200000000", "reported_prefill_p50 200000000 ≈",
                "reported_prefill_p90 280000000 ≈", "reported_prefill_p95 290000000 ≈",
                "reported_prefill_p99 298000000 ≈", "reported_decode_mean 2000000000",
                "reported_decode_p50 2000000000 ≈", "reported_decode_p90 2800000000 ≈",
                "reported_decode_p95 2900000000 ≈", "reported_decode_p99 2980000000 ≈", "requests_ok 2",
                "output_tokens 200", "prompt_tokens 200", "prefix_hit_rate 0.5", "server_acceptance 0.5");
    }

    @Test
    void openVinosIterationsAreRunsWithoutTheWarmUp() throws IOException {
        List<ForeignRun> runs = runs("report.json", SummarySamples.OPENVINO);
        assertThat(runs).extracting(SummaryFormatsTest::figures).containsExactly(
                List.of("reported_host_memory_peak 2148007936", "service_ttft_mean 250000000", "tpot_mean 37500000",
                        "prompt_tokens 32", "output_tokens 128"),
                List.of("service_ttft_mean 260000000", "prompt_tokens 32", "output_tokens 128"));
        assertThat(runs.get(1).notes())
                .contains("The file has placeholders, such as 0 or −1, for TPOT mean: they are left out.");
        assertThat(figures(run("report.csv", SummarySamples.OPENVINO_CSV))).isEqualTo(figures(runs.getFirst()));
        ForeignRun chat =
                runs("chat.json", SummarySamples.OPENVINO.replace("\"chat_idx\": \"\"", "\"chat_idx\": 0")).getFirst();
        assertThat(figures(chat)).noneMatch(figure -> figure.startsWith("service_ttft"));
    }

    @Test
    void vllmsOtherBenchmarksSayWhatTheyHave() throws IOException {
        assertThat(figures(run("e.json", SummarySamples.VLLM_EMBEDDINGS))).containsExactly("request_throughput 5",
                "total_throughput 500", "window 2000000000", "prompt_tokens 1000", "requests_ok 10",
                "service_e2e_mean 150000000", "service_e2e_p50 140000000 ≈", "service_e2e_p99 190000000 ≈");
        ForeignRun together = run("v.pytorch.json", SummarySamples.VLLM_PYTORCH);
        assertThat(named(together)).isEqualTo("vLLM · org/model · vllm · serve · 8 · 0.0");
        assertThat(figures(together)).containsExactly("output_throughput 200", "window 10000000000",
                "output_tokens 2000", "prompt_tokens 5000", "requests_ok 100", "service_ttft_p50 45000000",
                "tpot_mean 12000000");
        assertThat(figures(run("t.json", SummarySamples.VLLM_THROUGHPUT))).containsExactly("request_throughput 50",
                "total_throughput 20000", "window 20000000000", "requests_ok 1000");
        assertThatThrownBy(() -> run("l.pytorch.json",
                "[{\"model\": {\"name\": \"m\"}, \"metric\": {\"name\": \"latency\", \"benchmark_values\": [1.5], \"extra_info\": {\"avg_latency\": 1.5}}}]"))
                .isInstanceOf(ResultFormatException.class).hasMessageContaining("vllm bench serve");
    }

    @Test
    void speculativeDecodingIsReadFromEveryTool() throws IOException {
        ForeignRun vllm = run("v.json", ForeignSamples.VLLM_SUMMARY.replaceFirst("\\{", """
                {"spec_decode_acceptance_rate": 61.2, "spec_decode_acceptance_length": 2.5, "spec_decode_num_drafts": 12, "spec_decode_draft_tokens": 36,
                 "spec_decode_accepted_tokens": 22, "spec_decode_per_position_acceptance_rates": [0.8, 0.6, 0.4],"""));
        assertThat(figures(vllm)).contains("server_acceptance 0.612", "server_acceptance_length 2.5");
        assertThat(vllm.notes()).contains(
                "Speculative decoding: 12 drafts with 36 tokens, of which 22 were accepted; by position 80.0 %, 60.0 %, 40.0 %.");
        ForeignRun detailed =
                run("d.json", ForeignSamples.VLLM.replaceFirst("\\{", "{\"spec_decode_acceptance_length\": 2.5, "));
        assertThat(figures(detailed)).containsExactly("server_acceptance_length 2.5");
        ForeignRun sglang =
                runs("s.jsonl", ForeignSamples.SGLANG.replaceFirst("\\{", "{\"accept_length\": 3.1, ")).getFirst();
        assertThat(figures(sglang)).contains("server_acceptance_length 3.1");
        ForeignRun trt = run("t.json", ForeignSamples.TRTLLM.replaceFirst("\\{",
                """
                {"decoding_stats": {"mode": "eagle", "num_draft_tokens_percentiles": {"average": 40.0}, "num_accepted_draft_tokens_percentiles": {"average": 30.0},
                 "draft_acceptance_rate_percentiles": {"average": 0.8}, "acceptance_length_percentiles": {"average": 2.9}}, """));
        assertThat(figures(trt)).contains("server_acceptance 0.75")
                .noneMatch(each -> each.startsWith("server_acceptance_length"));
        ForeignRun aiperf = run("a.json", ForeignSamples.AIPERF_SUMMARY.replaceFirst("\\{",
                """
                {"spec_decode_overall_draft_acceptance_rate": {"unit": "%", "avg": 56.25}, "spec_decode_token_weighted_acceptance_length": {"unit": "ratio", "avg": 3.25},"""));
        assertThat(figures(aiperf)).contains("server_acceptance 0.5625", "server_acceptance_length 3.25");
    }
}
