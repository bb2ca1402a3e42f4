package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuideLlmFormatTest {
    private static final long ABSENT = RequestOutcome.ABSENT;
    /// Targeted at 100 s, sent at 100.25, first token at 100.5, last of 5 at 101, the end at 101.125; the other sent at 100.5, ended at 101.5.
    private static final List<RequestOutcome> SAMPLE =
            List.of(request(0, 10, 0, 250, 1125, RequestStatus.OK, "", 5, 500, 1000),
                    request(1, 0, ABSENT, 500, 1500, RequestStatus.FAILED, "timed out", 0));

    @TempDir
    Path folder = Path.of("");

    private static RequestOutcome request(int id, int prompt, long intendedMillis, long sentMillis, long endMillis,
            RequestStatus status, String reason, int tokens, long... tokenMillis) {
        return new RequestOutcome(new RequestId(id), false, prompt, tokens, nanos(intendedMillis), nanos(sentMillis),
                ABSENT, ABSENT, nanos(endMillis), status, reason,
                LongStream.of(tokenMillis).map(GuideLlmFormatTest::nanos).toArray(), tokens,
                tokens > 0 ? TokenSource.SERVER_USAGE : TokenSource.CHUNKS);
    }

    private static long nanos(long millis) {
        return millis == ABSENT ? ABSENT : millis * 1_000_000;
    }

    private ForeignRun read(String text) throws IOException {
        return RoundTrip.read(folder, "guidellm", text);
    }

    private void assertRequests(String text, RequestOutcome... expected) throws IOException {
        assertThat(read(text).requests()).usingRecursiveFieldByFieldElementComparator().containsExactly(expected);
    }

    @Test
    void everyVersionsNamesGiveTheSameRequests() throws IOException {
        RequestOutcome[] sample = SAMPLE.toArray(new RequestOutcome[0]);
        assertRequests(ForeignSamples.GUIDELLM, sample);
        assertRequests(ForeignSamples.GUIDELLM_OLD, sample);
        String older = ForeignSamples.GUIDELLM.replace("_token_iteration\"", "_iteration\"")
                .replace("\"token_iterations\"", "\"iterations\"");
        assertRequests(older, sample);
        String between = older.replace("\"info\": {\"timings\": {\"targeted_start\": 100.0,",
                "\"scheduler_info\": {\"scheduler_timings\": {\"targeted_start\": 100.0}, \"request_timings\": {")
                .replace("\"info\": {\"error\": \"timed out\", \"timings\"",
                        "\"scheduler_info\": {\"error\": \"timed out\", \"request_timings\"");
        assertThat(between).doesNotContain("\"info\"");
        assertRequests(between, sample);
    }

    @Test
    void oldFilesNameTheirModelAndTheirLoad() throws IOException {
        ForeignRun old = read(ForeignSamples.GUIDELLM_OLD);
        ForeignRun current = read(ForeignSamples.GUIDELLM);
        assertThat(List.of(old.model(), old.workload(), old.concurrency()))
                .isEqualTo(List.of("org/model", "concurrent 2", 2))
                .isEqualTo(List.of(current.model(), current.workload(), current.concurrency()));
    }

    @Test
    void successesThatWereNotStreamedAreOkWithTheirEnd() throws IOException {
        String unstreamed = ForeignSamples.GUIDELLM.replace(
                "\"first_token_iteration\": 100.5, \"last_token_iteration\": 101.0, \"token_iterations\": 5",
                "\"first_token_iteration\": null, \"last_token_iteration\": null, \"token_iterations\": 0");
        assertRequests(unstreamed, request(0, 10, 0, 250, 1125, RequestStatus.OK, "", 5), SAMPLE.get(1));
        assertThat(read(unstreamed).notes()).contains("1 of 2 requests were not streamed and have no TTFT and no ITL.");
        assertThat(read(ForeignSamples.GUIDELLM).notes()).noneMatch(note -> note.contains("not streamed"));
    }

    /// What arrived before a request was given up was delivered.
    @Test
    void incompleteRequestsKeepTheTokensThatArrived() throws IOException {
        String incomplete =
                ForeignSamples.GUIDELLM.replace("\"successful\": [", "\"successful\": [], \"incomplete\": [")
                        .replace("\"incomplete\": [], \"errored\"", "\"errored\"");
        assertRequests(incomplete,
                request(0, 10, 0, 250, 1125, RequestStatus.CANCELLED, "GuideLLM status: not successful.", 5, 500, 1000),
                SAMPLE.get(1));
    }

    /// Three of a hundred requests are kept: their span is no window, and their number no count.
    @Test
    void aSampleOfTheRequestsIsNotTheWhole() throws IOException {
        ForeignRun sample = read(ForeignSamples.GUIDELLM.replace("\"requests\": {", """
                "metrics": {"request_totals": {"successful": 98, "errored": 2, "incomplete": 0, "total": 100},
                 "requests_per_second": {"successful": {"mean": 10.0}},
                 "time_to_first_token_ms": {"successful": {"mean": 120.0, "percentiles": {"p50": 110.0, "p90": 150.0, "p99": 0}}}},
                "requests": {"""));
        assertThat(sample.requests()).isEmpty();
        assertThat(sample.figures()).extracting(figure -> figure.metric().id() + " " + figure.value()).containsExactly(
                "requests_ok 98.0", "requests_failed 2.0", "requests_cancelled 0.0", "request_throughput 10.0",
                "service_ttft_mean 1.2E8", "service_ttft_p50 1.1E8", "service_ttft_p90 1.5E8");
        assertThat(sample.notes()).contains("The file keeps 2 of 100 requests: figures are those of the file."
                + " Figures with another definition in GuideLLM were skipped.");
    }

    @Test
    void requestsOutsideOfTheMeasurementAreWarmUp() throws IOException {
        ForeignRun run = read(ForeignSamples.GUIDELLM.replace("\"requests\": {",
                "\"scheduler_metrics\": {\"measure_start_time\": 100.3, \"measure_end_time\": 110}, \"requests\": {"));
        assertThat(run.requests()).extracting(RequestOutcome::warmUp).containsExactly(true, false);
        assertThat(run.notes())
                .contains("1 of 2 requests were sent outside of GuideLLM's measurement: they are warm-up.");
        ForeignRun none = read(ForeignSamples.GUIDELLM.replace("\"requests\": {",
                "\"scheduler_metrics\": {\"measure_start_time\": 200, \"measure_end_time\": 210}, \"requests\": {"));
        assertThat(none.requests()).extracting(RequestOutcome::warmUp).containsExactly(false, false);
    }

    @Test
    void filesThatTellNothingUnderAKnownNameAreRefused() {
        assertThatThrownBy(() -> read(ForeignSamples.GUIDELLM.replace("\"first_token_iteration\": 100.5, ", "")
                .replace("\"request_end\": 101.125", "\"done\": 1"))).isInstanceOf(ResultFormatException.class)
                .hasMessageEndingWith(
                        "guidellm.json: a successful request has no known field for its tokens or its end."
                                + " This version of GuideLLM is not supported.");
        assertThatThrownBy(() -> read("{\"benchmarks\": [{\"name\": \"BM_Sort\", \"real_time\": 1.5}]}"))
                .isInstanceOf(ResultFormatException.class).hasMessageEndingWith(
                        "guidellm.json: a benchmark has neither requests nor metrics." + " Use GuideLLM 0.2 or later.");
    }

    @Test
    void requestsWithoutABeginningAreCountedFromTheFirstEnd() throws IOException {
        assertRequests("""
                {"benchmarks": [{"requests": {"incomplete": [{"status": "cancelled", "info": {"timings": {"request_end": 101.5}}},
                 {"status": "cancelled", "info": {"timings": {"request_end": 101.0}}}]}}]}""",
                request(0, 0, ABSENT, ABSENT, 500, RequestStatus.CANCELLED, "GuideLLM status: cancelled.", 0),
                request(1, 0, ABSENT, ABSENT, 0, RequestStatus.CANCELLED, "GuideLLM status: cancelled.", 0));
    }
}
