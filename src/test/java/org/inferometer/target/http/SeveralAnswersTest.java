package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.RequestRecorder;
import org.inferometer.load.RunPhase;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.Selection;
import org.inferometer.record.Figure;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests with `n` above 1: interleaved choices, counts per answer and over all, and servers that send something else.
@Timeout(20)
class SeveralAnswersTest {
    /// Two answers of four tokens, whose events alternate every 5 ms.
    private static final long STEP_NANOS = 5_000_000;
    private static final int EACH = 4;

    enum Counts {
        PER_ANSWER, OVER_ALL, AT_THE_END
    }

    private static Request request(int answers) {
        return new Request(new RequestId(0), new int[]{100, 101, 102}, StopRule.length(EACH), new Arrival.WhenFree(0),
                new Sampling(1, 0, 1, 7, answers), RequestDeadlines.NONE, null);
    }

    private static String choice(String index, String text, String finish, int counted) {
        return "{\"choices\":[{" + (index.isEmpty() ? "" : "\"index\":" + index + ",") + "\"text\":\"" + text
                + "\",\"finish_reason\":" + (finish.isEmpty() ? "null" : "\"" + finish + "\"") + "}]"
                + (counted < 0 ? "}" : ",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":" + counted + "}}");
    }

    private static String choice(int index, String text, int counted) {
        return choice(Integer.toString(index), text, "", counted);
    }

    /// Alternating events, the finish reasons, and the total.
    private static List<String> interleaved(Counts counts) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 2 * EACH; i++) {
            events.add(choice(i % 2, "a", switch (counts) {
                case PER_ANSWER -> i / 2 + 1;
                case OVER_ALL -> i + 1;
                case AT_THE_END -> -1;
            }));
        }
        return events;
    }

    /// What the recorder passes on.
    private record Recorded(RequestOutcome outcome, ResponseStream stream) {
        Map<String, Double> figures() {
            return RunFigures
                    .of(new RunObservations(List.of(outcome), List.of(), List.of(),
                            new RunObservations.Setup(0, 0, 0, 0)))
                    .stream().filter(figure -> figure.metric().id().matches("(itl|inter_chunk|tpot)_mean"))
                    .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
        }

        TokenCounts counts() {
            return stream.counts();
        }
    }

    private static Recorded recorded(int answers, List<String> events) throws Exception {
        Request request = request(answers);
        List<RequestOutcome> outcomes = new ArrayList<>();
        RequestRecorder recorder =
                new RequestRecorder(new RunPhase(Phase.MEASURE, List.of(request), new ArrivalProcess.ClosedLoop(1)),
                        new LiveCounters(), outcomes::add);
        ResponseStream stream = new ResponseStream(request, recorder, new ChunkReader(),
                HttpSettings.read(Selection.parse("http"), name -> Optional.empty()));
        stream.head(new ResponseHead(200, "text/event-stream", "", ""));
        long nanos = STEP_NANOS;
        StreamEnd end = null;
        for (int i = 0; i < events.size() && end == null; i++) {
            byte[] bytes = ("data: " + events.get(i) + "\n\n").getBytes(StandardCharsets.UTF_8);
            end = stream.body(bytes, 0, bytes.length, nanos);
            nanos += STEP_NANOS;
        }
        end = end == null ? stream.end() : end;
        recorder.counted(request.id(), stream.counts());
        recorder.ended(request.id(), nanos, end.status(), end.reason());
        return new Recorded(outcomes.getFirst(), stream);
    }

    private static List<String> ended(List<String> events, int total) {
        List<String> all = new ArrayList<>(events);
        all.add(choice("1", "", "length", -1));
        all.add(choice("0", "", "length", -1));
        if (total >= 0) {
            all.add(StreamJson.usage(3, total));
        }
        all.add("[DONE]");
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void gapsAreThoseOfEachAnswer(Counts counts) throws Exception {
        Recorded recorded = recorded(2, ended(interleaved(counts), 2 * EACH));
        RequestOutcome outcome = recorded.outcome();
        assertThat(outcome.status()).as(outcome.reason()).isEqualTo(RequestStatus.OK);
        assertThat(outcome.eventAnswers()).containsExactly(0, 1, 0, 1, 0, 1, 0, 1);
        assertThat(outcome.eventTokens()).isEmpty();
        assertThat(outcome.askedOutputTokens()).isEqualTo(2 * EACH);
        assertThat(recorded.counts()).isEqualTo(new TokenCounts(3, 2 * EACH, TokenSource.SERVER_USAGE));
        assertThat(recorded.stream().contradiction()).isNull();
        assertThat(recorded.figures()).isEqualTo(Map.of("itl_mean", 10e6, "tpot_mean", 10e6));
    }

    /// Three tokens an event: gaps are inter-chunk latency, and TPOT leaves the first event of each answer out.
    @ParameterizedTest
    @CsvSource({"PER_ANSWER,true", "OVER_ALL,true", "AT_THE_END,false"})
    void severalTokensInAnEventAreDivided(Counts counts, boolean known) throws Exception {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 2 * EACH; i++) {
            events.add(choice(i % 2, "abc", switch (counts) {
                case PER_ANSWER -> 3 * (i / 2 + 1);
                case OVER_ALL -> 3 * (i + 1);
                case AT_THE_END -> -1;
            }));
        }
        Recorded recorded = recorded(2, ended(events, 24));
        assertThat(recorded.outcome().outputTokens()).isEqualTo(24);
        Map<String, Double> figures = recorded.figures();
        assertThat(figures.get("tpot_mean")).isEqualTo(known ? 10e6 / 3 : null);
        assertThat(figures).containsEntry("inter_chunk_mean", 10e6).doesNotContainKey("itl_mean");
    }

    /// As vLLM does when a token is no whole character, and with role chunks before.
    @Test
    void tokensWithoutTextGoToTheNextEventOfTheirAnswer() throws Exception {
        Recorded recorded = recorded(2, ended(
                List.of(choice(0, "", 0), choice(1, "", 0), choice(0, "", 1), choice(1, "a", 1), choice(0, "é", 2),
                        choice(1, "", 2), choice(0, "a", 3), choice(1, "é", 3), choice(0, "a", 4), choice(1, "a", 4)),
                8));
        assertThat(recorded.outcome().eventAnswers()).containsExactly(1, 0, 0, 1, 0, 1);
        assertThat(recorded.outcome().eventTokens()).containsExactly(1, 2, 1, 2, 1, 1);
        assertThat(recorded.counts().outputTokens()).isEqualTo(8);
    }

    /// 20 ms for 2 tokens and 15 ms for 1: the sum of both.
    @Test
    void answersOfUnequalLengthAreWeightedByTokens() throws Exception {
        RequestOutcome outcome = recorded(2, ended(
                List.of(choice(0, "a", 1), choice(1, "a", 1), choice(0, "a", 2), choice(1, "a", 2), choice(0, "a", 3)),
                5)).outcome();
        assertThat(outcome.tpotNanos().orElseThrow()).isEqualTo((20e6 + 10e6) / 3);
        assertThat(outcome.gapNanos()).containsExactly(10_000_000, 10_000_000, 10_000_000);
    }

    @Test
    void eventWithoutIndexIsCountedButHasNoGaps() throws Exception {
        for (Counts counts : Counts.values()) {
            List<String> events = new ArrayList<>(interleaved(counts));
            events.set(3, choice("", "a", "", 2));
            Recorded recorded = recorded(2, ended(events, 2 * EACH));
            assertThat(recorded.outcome().status()).isEqualTo(RequestStatus.OK);
            assertThat(recorded.outcome().eventAnswers()).containsExactly(0, 1, 0, -1, 0, 1, 0, 1);
            assertThat(recorded.figures()).isEqualTo(Map.of());
            assertThat(recorded.outcome().outputTokens()).isEqualTo(2 * EACH);
        }
    }

    @Test
    void countsThatFitNothingAreNotDivided() throws Exception {
        Recorded recorded = recorded(2, ended(
                List.of(choice(0, "a", 1), choice(1, "a", 2), choice(0, "a", 1), choice(1, "a", 7), choice(0, "a", 2)),
                9));
        assertThat(recorded.counts()).isEqualTo(new TokenCounts(3, 9, TokenSource.SERVER_USAGE));
        assertThat(recorded.outcome().eventTokens()).containsExactly(0, 0, 0, 0, 0);
        assertThat(recorded.outcome().tpotNanos()).isEmpty();
    }

    @Test
    void severalChoicesOfAnEventAreSeveralAnswers() throws Exception {
        String both = "{\"choices\":[{\"index\":1,\"text\":\"a\"},{\"index\":0,\"text\":\"b\"}]}";
        Recorded recorded = recorded(2, ended(List.of(both, both, both, both), 8));
        assertThat(recorded.outcome().eventAnswers()).containsExactly(1, 0, 1, 0, 1, 0, 1, 0);
        assertThat(recorded.figures()).isEqualTo(Map.of("itl_mean", 5e6, "tpot_mean", 5e6));
    }

    @Test
    void countsOfAnswersReplaceAMissingTotal() throws Exception {
        Recorded recorded = recorded(2, ended(interleaved(Counts.PER_ANSWER), -1));
        assertThat(recorded.counts()).isEqualTo(new TokenCounts(3, 8, TokenSource.SERVER_USAGE));
        assertThat(recorded(2, ended(interleaved(Counts.AT_THE_END), -1)).counts())
                .isEqualTo(new TokenCounts(3, 8, TokenSource.CHUNKS));
    }

    @Test
    void totalBelowTheEventsIsAContradiction() throws Exception {
        assertThat(recorded(2, ended(interleaved(Counts.AT_THE_END), EACH)).stream().contradiction())
                .isEqualTo(new CountCheck.Contradiction(EACH, 2 * EACH));
    }

    @Test
    void countsThatDoNotRiseAreAContradiction() throws Exception {
        List<String> events = List.of(choice(0, "a", 4), choice(1, "a", 4), choice(0, "a", 4), choice(1, "a", 4));
        assertThat(recorded(2, ended(events, 8)).stream().contradiction())
                .isEqualTo(new CountCheck.Contradiction(4, 5));
    }

    /// One id for the end of each answer may be counted and not sent.
    @ParameterizedTest
    @CsvSource({"8,true", "10,true", "11,false"})
    void totalAboveTheIdsIsAContradiction(int total, boolean agrees) throws Exception {
        List<String> events = interleaved(Counts.AT_THE_END).stream()
                .map(event -> event.replace("\"text\"", "\"token_ids\":[7],\"text\"")).toList();
        assertThat(recorded(2, ended(events, total)).stream().contradiction())
                .isEqualTo(agrees ? null : new CountCheck.Contradiction(total, 8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"2", "127", "-1", "2147483648", "99999999999999999999"})
    void indexOutOfRangeFails(String index) throws Exception {
        RequestOutcome outcome = recorded(2, List.of(choice(0, "a", 1), choice(index, "a", "", 1))).outcome();
        assertThat(outcome.status()).isEqualTo(RequestStatus.FAILED);
        assertThat(outcome.reason()).matches("The server sent choice \\d+; 2 were requested, numbered from 0\\.");
        assertThat(outcome.outputTokens()).isEqualTo(1);
    }

    @Test
    void tooMuchIsRefused() throws Exception {
        String part = "{\"index\":0,\"text\":\"a\"}";
        String three = "{\"choices\":[" + part + "," + part + "," + part + "]}";
        assertThat(recorded(2, List.of(three)).outcome().reason())
                .isEqualTo("The server sent more than 2 choices in one event.");
        List<String> endless = IntStream.range(0, 2000).mapToObj(i -> choice(i % 2, "a", -1)).toList();
        assertThat(recorded(2, endless).outcome().reason())
                .isEqualTo("The server sent more than 1056 tokens; 8 were requested.");
        assertThat(recorded(2, List.of(choice(0, "a", 2_000_000_000))).outcome().reason()).isEqualTo(
                "The server counts too many tokens: 3 prompt and 2000000000 output tokens; 8 were requested.");
    }

    @Test
    void missingAnswerFailsTheRequest() throws Exception {
        List<String> one = List.of(choice(0, "a", 1), choice("0", "a", "length", 2), StreamJson.usage(3, 2), "[DONE]");
        RequestOutcome outcome = recorded(4, one).outcome();
        assertThat(outcome.status()).isEqualTo(RequestStatus.FAILED);
        assertThat(outcome.reason())
                .isEqualTo("The server sent 1 of 4 answers. Leave n out if it does not support it.");
    }

    @Test
    void streamEndsWhenEveryAnswerHasFinished() throws Exception {
        List<String> events = new ArrayList<>(interleaved(Counts.PER_ANSWER));
        events.add(choice("0", "", "length", 4));
        assertThat(recorded(2, events).outcome().reason())
                .isEqualTo("The server ended the stream after 8 chunks without a finish reason or [DONE].");
        events.add(choice("0", "", "length", 4));
        assertThat(recorded(2, events).outcome().status()).isEqualTo(RequestStatus.FAILED);
        events.add(choice("1", "", "stop", 4));
        assertThat(recorded(2, events).outcome().status()).isEqualTo(RequestStatus.OK);
    }

    @Test
    void numberIsSentAndInterleavedAnswersArrive() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            wire.stream();
            for (String event : interleaved(Counts.PER_ANSWER)) {
                wire.event(event);
            }
            wire.event(choice("0", "", "length", 4)).event(choice("1", "", "length", 4)).event(StreamJson.usage(3, 8))
                    .done();
        }); Target target = Servers.open(server, account, "metrics=off")) {
            target.send(request(2));
            account.await();
            assertThat(server.heard).extracting(ScriptedServer.Heard::body)
                    .anySatisfy(body -> assertThat(body).contains("\"n\":2,", "\"max_tokens\":4"));
        }
        assertThat(account.end(0)).isEqualTo(new RecordingListener.End(RequestStatus.OK, ""));
        assertThat(account.arrivals(0)).containsExactly(1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(account.contradictions).isEmpty();
    }

    @Test
    void wholeAnswersAreCountedTogether() throws Exception {
        for (boolean complete : new boolean[]{true, false}) {
            RecordingListener account = new RecordingListener(1);
            String second = complete ? ",{\"index\":1,\"text\":\"c d\",\"finish_reason\":\"length\"}" : "";
            try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.json(200,
                    "{\"choices\":[{\"index\":0,\"text\":\"a b\",\"finish_reason\":\"length\"}" + second
                            + "],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":8}}"));
                    Target target = Servers.open(server, account, "metrics=off,stream=false")) {
                target.send(request(2));
                account.await();
            }
            assertThat(account.end(0)).isEqualTo(complete ? new RecordingListener.End(RequestStatus.OK, "")
                    : new RecordingListener.End(RequestStatus.FAILED,
                            "The server sent 1 of 2 answers. Leave n out if it does not support it."));
            assertThat(account.arrivals(0)).isEmpty();
            assertThat(account.counts(0)).isEqualTo(new TokenCounts(3, 8, TokenSource.SERVER_USAGE));
        }
    }

    @Test
    void oneAnswerIsSentWithoutANumber() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").finish(3, 1));
                Target target = Servers.open(server, account, "metrics=off")) {
            target.send(request(1));
            account.await();
            assertThat(server.heard).extracting(ScriptedServer.Heard::body)
                    .allSatisfy(body -> assertThat(body).doesNotContain("\"n\":"));
        }
    }
}
