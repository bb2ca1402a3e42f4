package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that tools write wrongly, as users reported them: what is wrong is left out, and a note says so.
class FaultyFilesTest {
    @TempDir
    Path folder = Path.of("");

    private ExperimentRecord imported(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Path results = folder.resolve("results");
        return new ResultLibrary(results).open(
                new Importer(results).read(file, Optional.empty(), Instant.parse("2026-11-21T14:15:03Z")).folder());
    }

    private static List<String> ids(ExperimentRecord record) {
        CellSummary cell = record.manifest().cells().getFirst();
        return cell.figures().stream().map(figure -> figure.metric().id()).toList();
    }

    private static List<String> notes(ExperimentRecord record) {
        return record.runs().getFirst().notes();
    }

    /// An answer that was not streamed has the year 1970 as its first token: TTFT was −1,750,878,498 s.
    @Test
    void instantsOf1970AreNoInstants() throws IOException {
        ExperimentRecord record = imported("g.json",
                ForeignSamples.GUIDELLM_OLD.replace("\"first_token_time\": 100.5, \"last_token_time\": 101.0",
                        "\"first_token_time\": 0, \"last_token_time\": 0.0"));
        RequestOutcome request = record.runs().getFirst().observations().requests().getFirst();
        assertThat(request.eventNanos()).isEmpty();
        assertThat(request.ok()).isTrue();
        assertThat(notes(record)).contains("1 of 2 requests were not streamed and have no TTFT and no ITL.");
    }

    /// Tokens that no tokenizer counted are no rate of 0; without an answered request they are.
    @Test
    void rateOfUncountedTokensIsAbsent() throws IOException {
        String none = ForeignSamples.VLLM_SUMMARY.replace("\"total_output_tokens\": 5", "\"total_output_tokens\": 0")
                .replace("\"output_throughput\": 3.3333", "\"output_throughput\": 0.0");
        ExperimentRecord record = imported("v.json", none);
        assertThat(ids(record)).doesNotContain("output_throughput", "output_tokens").contains("request_throughput");
        assertThat(notes(record)).anyMatch(note -> note.contains("for Output throughput, Output tokens"));
        ExperimentRecord failed = imported("f.json", none.replace("\"completed\": 2", "\"completed\": 0"));
        assertThat(ids(failed)).contains("output_throughput", "output_tokens");
    }

    @Test
    void negativeTimePerTokenIsAbsent() throws IOException {
        ExperimentRecord record = imported("v.json",
                ForeignSamples.VLLM_SUMMARY.replace("\"mean_tpot_ms\": 20.0", "\"mean_tpot_ms\": -3.25"));
        assertThat(ids(record)).doesNotContain("tpot_mean").contains("service_ttft_mean");
    }

    @Test
    void errorsInTheLogOfLoadGenAreSaid() throws IOException {
        String error =
                ":::MLLOG {\"key\": \"error_runtime\", \"value\": \"n_tokens argument missing\", \"metadata\": {\"is_error\": true}}\n";
        assertThat(notes(imported("mlperf_log_detail.txt", error + error + SummarySamples.LOADGEN_DETAIL)))
                .contains("The log has errors of LoadGen: 2.");
        assertThat(notes(imported("mlperf_log_summary.txt",
                SummarySamples.LOADGEN_SUMMARY
                        + "\nNo warnings encountered during test.\n\n1 ERROR encountered. See detailed log.\n")))
                .contains("The log has errors of LoadGen: 1.");
    }

    /// A run without a first token has zeros; one without a window an infinite rate; the rate stands twice.
    @Test
    void loadGensZerosAndInfinitiesAreAbsent() throws IOException {
        ExperimentRecord record = imported("mlperf_log_summary.txt",
                SummarySamples.LOADGEN_SUMMARY.replace(": 4.50", ": Inf")
                        .replace("Result is : VALID", "Completed tokens per second: 600\nResult is : INVALID")
                        .replaceAll("(First Token latency \\(ns\\) +: )\\d+", "$10")
                        .replaceAll("(first token latency \\(ns\\) +: )\\d+", "$10"));
        assertThat(ids(record)).doesNotContain("request_throughput", "ttft_mean", "ttft_p99").contains("e2e_mean");
        assertThat(record.manifest().cells().getFirst().figures())
                .anyMatch(figure -> figure.metric().id().equals("output_throughput") && figure.mean() == 600);
        assertThat(notes(record)).anyMatch(note -> note.contains("completed samples per second"));
    }

    /// With several prompts at once a version wrote 22 days for a token of an answer that took 9 s.
    @Test
    void tokenTimesLongerThanTheAnswerAreAbsent() throws IOException {
        ExperimentRecord record = imported("o.json",
                SummarySamples.OPENVINO.replace("\"batch_size\": 1", "\"batch_size\": 16").replace(
                        "\"first_latency\": 250.0, \"second_avg_latency\": 37.5",
                        "\"first_latency\": 0.36, \"second_avg_latency\": 1958228200.33"));
        assertThat(record.runs().getFirst().notes())
                .contains("Its latencies contradict its generation_time: they are left out.");
        assertThat(ids(record)).doesNotContain("tpot_mean");
    }

    /// A start of sequence was counted with every chunk, so output was twice the truth.
    @Test
    void ratesOfTokensThatTheServerCountsOtherwiseAreAbsent() throws IOException {
        ExperimentRecord record = imported("stage_0_lifecycle_metrics.json",
                SummarySamples.INFERENCE_PERF.replaceAll("\"output_tokens\": \\{[^}]*\\}, ", "")
                        .replace("\"token_count_mismatches\": 0", "\"token_count_mismatches\": 600"));
        assertThat(ids(record)).doesNotContain("output_throughput", "total_throughput", "tpot_mean")
                .contains("request_throughput");
        assertThat(notes(record)).anyMatch(note -> note.startsWith("Of 600 requests the server counts other tokens"));
    }

    @Test
    void latenciesThatAreNullAreAbsent() throws IOException {
        ExperimentRecord record = imported("stage_0_lifecycle_metrics.json", SummarySamples.INFERENCE_PERF
                .replaceAll("\"(time_to_first_token|time_per_output_token)\": \\{[^}]*\\}", "\"$1\": null"));
        assertThat(ids(record)).doesNotContain("service_ttft_mean", "tpot_mean").contains("output_throughput");
    }

    @Test
    void lineOfAShellBehindTheResultIsNoResult() throws IOException {
        ExperimentRecord record = imported("b.json", "ggml_vulkan: Found 1 Vulkan devices:\n"
                + ForeignSamples.LLAMA_BENCH + "[1]    11372 segmentation fault (core dumped)  llama-bench -o json\n");
        assertThat(record.runs()).hasSize(5);
        assertThat(notes(record)).contains("Lines around the result were left out.");
    }

    @Test
    void endlessRateIsNoRate() throws IOException {
        ExperimentRecord record = imported("t.json",
                ForeignSamples.TRTLLM.replaceFirst("\\{", "{\"world_info\": {\"issue_rate\": 2.3129e15}, "));
        assertThat(ReportedArrivals.in(record.manifest().spec().workloads().getFirst())).isEmpty();
    }

    /// Answers that were not streamed have 0 for the first token; vLLM's end is in another array.
    @Test
    void firstTokenAfterNoTimeIsNoFirstToken() throws IOException {
        ExperimentRecord vllm = imported("v.json", ForeignSamples.VLLM.replace("\"ttfts\": [0.05, 0.1, 0.0]",
                "\"latencies\": [0.25, 0.1, 0.0], \"ttfts\": [0.0, 0.1, 0.0]"));
        RequestOutcome whole = vllm.runs().getFirst().observations().requests().getFirst();
        assertThat(whole.eventNanos()).isEmpty();
        assertThat(List.of(whole.ok(), whole.endNanos(), whole.outputTokens())).containsExactly(true, 250_000_000L, 3);
        assertThat(notes(vllm)).contains("1 of 3 requests were not streamed and have no TTFT and no ITL.");
        ExperimentRecord aiperf = imported("a.jsonl", ForeignSamples.AIPERF
                .replace("\"time_to_first_token\": {\"value\": 50.0", "\"time_to_first_token\": {\"value\": 0"));
        assertThat(ids(aiperf)).noneMatch(id -> id.startsWith("service_ttft"));
    }

    @Test
    void firstVersionsOfAiperfNamedOtherFields() throws IOException {
        ExperimentRecord record = imported("profile_export.jsonl", """
                {"metadata": {"timestamp_ns": 1759522419158355424, "worker_id": "w", "credit_phase": "profiling"},
                 "metrics": {"input_sequence_length": {"value": 550, "unit": "tokens"}, "ttft": {"value": 3340.5, "unit": "ms"}, "request_latency": {"value": 8214.25, "unit": "ms"}}, "error": null}
                """);
        RequestOutcome request = record.runs().getFirst().observations().requests().getFirst();
        assertThat(request.eventNanos()).containsExactly(3_340_500_000L, 8_214_250_000L);
        assertThat(record.manifest().times().start()).contains(Instant.ofEpochSecond(1759522419, 158355424));
    }

    @Test
    void fileWithoutAFigureIsRefused() {
        assertThatThrownBy(() -> imported("a.json",
                "{\"aiperf_version\": \"0.7\", \"timeslices\": [{\"request_throughput\": {\"avg\": 1}}]}"))
                .isInstanceOf(ResultFormatException.class).hasMessageContaining(
                        "it has no figure that this program knows. Give the file with the results of the tool.");
    }
}
