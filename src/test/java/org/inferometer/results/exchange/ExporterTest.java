package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExporterTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final long ABSENT = RequestOutcome.ABSENT;
    private static final long MS = 1_000_000;

    @TempDir
    Path folder = Path.of("");

    /// Of 7 prompt tokens and 3 asked ones, sent 5 ms late.
    private static RequestOutcome sent(int id, long intendedMillis, RequestStatus status, long... tokenMillis) {
        long[] tokens = Arrays.stream(tokenMillis).map(millis -> millis * MS).toArray();
        long sent = (intendedMillis + 5) * MS;
        return new RequestOutcome(new RequestId(id), false, 7, 3, intendedMillis * MS, sent, ABSENT, ABSENT,
                tokens.length == 0 ? sent + MS : tokens[tokens.length - 1], status,
                status == RequestStatus.OK ? "" : "it broke", tokens, tokens.length, TokenSource.SERVER_USAGE);
    }

    /// A later turn of a session that broke off at that instant, as the load generator records it.
    private static RequestOutcome unsent(int id, long endMillis) {
        return new RequestOutcome(new RequestId(id), false, 7, 3, ABSENT, ABSENT, ABSENT, ABSENT, endMillis * MS,
                RequestStatus.CANCELLED, "The turn before it failed.", new long[0]);
    }

    private static final List<RequestOutcome> BROKEN_SESSION = List.of(sent(0, 0, RequestStatus.OK, 20, 30, 50),
            sent(1, 100, RequestStatus.FAILED), unsent(2, 106), sent(3, 200, RequestStatus.OK, 240, 250, 260));

    @Test
    void vllmsFileListsOnlyTheRequestsThatWereSent() {
        JsonNode file = MAPPER.readTree(Exporter.of(RoundTrip.run(BROKEN_SESSION), "vllm"));
        assertThat(file.path("num_prompts").intValue()).isEqualTo(3);
        assertThat(file.path("completed").intValue()).isEqualTo(2);
        assertThat(file.path("failed").intValue()).isEqualTo(1);
        assertThat(file.path("input_lens")).isEqualTo(MAPPER.readTree("[7, 7, 7]"));
        assertThat(file.path("start_times")).isEqualTo(MAPPER.readTree("[0.005, 0.105, 0.205]"));
        assertThat(file.path("queue_times")).isEqualTo(MAPPER.readTree("[0.005, 0.005, 0.005]"));
        assertThat(file.path("errors")).isEqualTo(MAPPER.readTree("[\"\", \"it broke\", \"\"]"));
        JsonNode sglang = MAPPER.readTree(Exporter.of(RoundTrip.run(BROKEN_SESSION), "sglang"));
        assertThat(sglang.path("num_prompts").intValue()).isEqualTo(3);
        assertThat(sglang.path("errors").size()).isEqualTo(3);
    }

    /// Events of 3, 1 and 4 tokens at 20, 30 and 50 ms, and of 2 and 2 at 240 and 260 ms.
    private static final List<RequestOutcome> IN_EVENTS =
            List.of(inEvents(0, 0, new int[]{3, 1, 4}, 20, 30, 50), inEvents(1, 200, new int[]{2, 2}, 240, 260));

    private static RequestOutcome inEvents(int id, long intendedMillis, int[] tokens, long... eventMillis) {
        RequestOutcome r = sent(id, intendedMillis, RequestStatus.OK, eventMillis);
        int sum = Arrays.stream(tokens).sum();
        return new RequestOutcome(r.id(), false, 7, sum, r.intendedNanos(), r.sentNanos(), ABSENT, ABSENT, r.endNanos(),
                r.status(), "", r.eventNanos(), tokens, sum, TokenSource.SERVER_USAGE, 0);
    }

    /// vLLM writes one gap an event; SGLang one share of it a token. The mean in the file is that of its array.
    @Test
    void meanItlIsTheMeanOfTheItlsWritten() {
        Map<String, String> itls = Map.of("vllm", "[[0.01, 0.02], [0.02]]", "sglang",
                "[[0.01, 0.005, 0.005, 0.005, 0.005], [0.01, 0.01]]");
        itls.forEach((format, written) -> {
            JsonNode file = MAPPER.readTree(Exporter.of(RoundTrip.run(IN_EVENTS), format));
            assertThat(file.path("itls")).isEqualTo(MAPPER.readTree(written));
            double[] gaps = file.path("itls").valueStream().flatMap(JsonNode::valueStream)
                    .mapToDouble(JsonNode::doubleValue).toArray();
            assertThat(file.path("mean_itl_ms").doubleValue())
                    .isCloseTo(1e3 * Arrays.stream(gaps).average().orElseThrow(), within(1e-9));
            // TPOT of both tools: (last − first) / (n − 1).
            assertThat(file.path("mean_tpot_ms").doubleValue()).isCloseTo((30 / 7.0 + 20 / 3.0) / 2, within(1e-9));
            assertThat(file.path("output_lens")).isEqualTo(MAPPER.readTree("[8, 4]"));
        });
    }

    @Test
    void aiperfsRecordsAreThoseOfTheRequestsThatWereSent() {
        List<Long> numbers = Exporter.of(RoundTrip.run(BROKEN_SESSION), "aiperf").lines()
                .map(line -> MAPPER.readTree(line).path("metadata").path("session_num").longValue()).toList();
        assertThat(numbers).containsExactly(0L, 1L, 3L);
    }

    @Test
    void intendedLatenciesSurviveBesideUnsentTurns() throws IOException {
        Map<String, Double> ours = latencies(BROKEN_SESSION);
        Map<String, Double> back = latencies(RoundTrip.of(folder, "vllm", BROKEN_SESSION));
        assertThat(ours).containsEntry("ttft_mean", 30.0 * MS).containsEntry("e2e_mean", 55.0 * MS);
        assertThat(back.keySet()).isEqualTo(ours.keySet());
        back.forEach((id, value) -> assertThat(value).as(id).isCloseTo(ours.get(id), within(1.0)));
    }

    private static Map<String, Double> latencies(List<RequestOutcome> requests) {
        return RunFigures.of(RoundTrip.observed(requests)).stream()
                .filter(figure -> figure.metric().id().matches("(service_)?(ttft|e2e)_.*"))
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
    }

    @Test
    void guideLlmKeepsUnsentRequestsWithoutInstants() throws IOException {
        RequestOutcome back = RoundTrip.of(folder, "guidellm", BROKEN_SESSION).stream()
                .filter(request -> request.status() == RequestStatus.CANCELLED).findFirst().orElseThrow();
        assertThat(back.sentNanos()).isEqualTo(ABSENT);
        assertThat(back.intendedNanos()).isEqualTo(ABSENT);
        assertThat(back.endNanos()).isCloseTo(106 * MS, within(1000L));
        assertThat(back.reason()).isEqualTo("The turn before it failed.");
    }

    private static RequestOutcome whole(int id) {
        return new RequestOutcome(new RequestId(id), false, 7, 3, 0, 5 * MS, ABSENT, ABSENT, 90 * MS, RequestStatus.OK,
                "", new long[0], 3, TokenSource.SERVER_USAGE);
    }

    @Test
    void unstreamedAnswersAreWrittenWithoutAFirstToken() {
        JsonNode record = MAPPER.readTree(Exporter.of(RoundTrip.run(List.of(whole(0))), "aiperf"));
        assertThat(record.path("metrics")).isEqualTo(MAPPER.readTree("""
                {"input_sequence_length": {"value": 7.0, "unit": "tokens"}, "output_sequence_length": {"value": 3.0, "unit": "tokens"},
                 "request_latency": {"value": 85.0, "unit": "ms"}}"""));
        JsonNode timings = MAPPER.readTree(Exporter.of(RoundTrip.run(List.of(whole(0))), "guidellm")).path("benchmarks")
                .path(0).path("requests").path("successful").path(0).path("info").path("timings");
        assertThat(timings.propertyNames()).containsExactly("targeted_start", "request_start", "token_iterations",
                "request_end");
        JsonNode trtllm = MAPPER.readTree(Exporter.of(RoundTrip.run(List.of(whole(0))), "trtllm-bench"));
        assertThat(trtllm.path("performance").path("avg_request_latency_ms").doubleValue()).isEqualTo(85);
        assertThat(trtllm.path("streaming_metrics"))
                .isEqualTo(MAPPER.readTree("{\"ttft_percentiles\": {}, \"tpot_percentiles\": {}}"));
    }

    @Test
    void filesThatNeedTheFirstTokenRefuseUnstreamedAnswers() {
        for (RequestOutcome unstreamed : List.of(whole(0), sent(0, 0, RequestStatus.OK))) {
            assertThatThrownBy(() -> Exporter.of(RoundTrip.run(List.of(unstreamed)), "vllm")).hasMessage(
                    "run-000 has answers that were not streamed. vLLM needs the instant of the first token. Export it as aiperf or guidellm.");
        }
    }

    @Test
    void runWithoutAnAnswerKeepsTheShapeOfItsFile() {
        JsonNode file =
                MAPPER.readTree(Exporter.of(RoundTrip.run(List.of(sent(0, 0, RequestStatus.FAILED))), "sglang"));
        assertThat(file.path("mean_e2e_latency_ms").isNull()).isTrue();
        assertThat(file.path("request_throughput").doubleValue()).isZero();
        assertThat(file.path("failed").intValue()).isEqualTo(1);
    }

    @Test
    void runOfWhichNothingWasSentIsRefusedWithOneSentence() {
        for (String word : Exporter.formatNames()) {
            assertThatThrownBy(() -> Exporter.of(RoundTrip.run(List.of(unsent(0, 1))), word))
                    .hasMessage("No request of run-000 was sent. It cannot be exported as " + word + ".");
        }
    }
}
