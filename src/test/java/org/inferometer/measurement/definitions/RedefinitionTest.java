package org.inferometer.measurement.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// Each rule on a case small enough to work out by hand; all instants are in milliseconds.
class RedefinitionTest {
    private static final double MS = 1e6;

    /// A measured ok request of 10 prompt tokens.
    private static RequestOutcome ok(int id, long intended, long sent, long end, long... tokens) {
        return request(id, RequestStatus.OK, intended, sent, end, tokens);
    }

    private static RequestOutcome request(int id, RequestStatus status, long intended, long sent, long end,
            long... tokens) {
        long[] nanos = LongStream.of(tokens).map(millis -> millis * 1_000_000).toArray();
        return new RequestOutcome(new RequestId(id), false, 10, tokens.length, intended * 1_000_000, sent * 1_000_000,
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, end * 1_000_000, status, "", nanos);
    }

    private static Map<String, DefinedFigure> under(Definition definition, RequestOutcome... requests) {
        return byId(Redefinition.of(List.of(requests), LoadKind.UNKNOWN, definition, null));
    }

    private static Map<String, DefinedFigure> byId(List<DefinedFigure> figures) {
        return figures.stream().collect(Collectors.toMap(figure -> figure.metric().id(), figure -> figure));
    }

    private static void assertMoved(DefinedFigure figure, double ours, double theirs, Rule... rules) {
        assertThat(figure.here().orElseThrow()).as("ours").isCloseTo(ours, within(1e-6 * Math.abs(ours) + 1e-9));
        assertThat(figure.there().orElseThrow()).as("theirs").isCloseTo(theirs, within(1e-6 * Math.abs(theirs) + 1e-9));
        assertThat(figure.moves()).extracting(DefinedFigure.Move::rule).containsExactly(rules);
    }

    /// Intended at 0, sent at 30, first token at 100, last at 160: 100 and 160 ms for us; 100 − 30 = 70 and 160 − 30 = 130 ms for vLLM.
    @Test
    void clockFromSendingHidesClientQueue() {
        RequestOutcome late = ok(0, 0, 30, 165, 100, 130, 160);
        assertMoved(under(Definition.VLLM, late).get("ttft_mean"), 100 * MS, 70 * MS, Rule.ClockStart.SENT);
        assertMoved(under(Definition.VLLM, late).get("e2e_mean"), 160 * MS, 130 * MS, Rule.ClockStart.SENT);
        assertMoved(under(Definition.LOADGEN, late).get("ttft_mean"), 100 * MS, 100 * MS);
        assertThat(under(Definition.VLLM, late).get("ttft_mean").moves().getFirst().text())
                .isEqualTo("vLLM starts the clock when a request is sent, without time queued in the load generator");
    }

    /// The stream closes at 165, 5 ms after the last token: SGLang's E2E is 165 − 30 = 135 ms, GuideLLM's too, vLLM's 130 ms.
    @Test
    void endOfTheStreamIsLaterThanTheLastToken() {
        RequestOutcome late = ok(0, 0, 30, 165, 100, 130, 160);
        assertMoved(under(Definition.SGLANG, late).get("e2e_mean"), 160 * MS, 135 * MS, Rule.ClockStart.SENT,
                Rule.RequestEnd.STREAM_END);
        assertThat(under(Definition.GUIDELLM, late).get("e2e_mean").theirs()).isEqualTo(135 * MS);
        assertThat(under(Definition.VLLM, late).get("e2e_mean").theirs()).isEqualTo(130 * MS);
    }

    /// Tokens at 100, 130, 160. TPOT: ours (160 − 100) / 2 = 30; SGLang (165 − 100) / 2 = 32.5; GuideLLM (160 − 30) / 3 = 43.333.
    @Test
    void tpotDependsOnEndAndFirstToken() {
        RequestOutcome late = ok(0, 0, 30, 165, 100, 130, 160);
        assertMoved(under(Definition.VLLM, late).get("tpot_mean"), 30 * MS, 30 * MS);
        assertMoved(under(Definition.SGLANG, late).get("tpot_mean"), 30 * MS, 32.5 * MS, Rule.RequestEnd.STREAM_END);
        // The end of the stream moves the time per token on the way, and GuideLLM's own formula takes the last token again.
        assertMoved(under(Definition.GUIDELLM, late).get("tpot_mean"), 30 * MS, 130 / 3.0 * MS,
                Rule.RequestEnd.STREAM_END, Rule.TokenTime.WITH_FIRST);
        DefinedFigure none = under(Definition.AIPERF, late).get("tpot_mean");
        assertThat(none.there()).isEmpty();
        assertThat(none.moves()).extracting(DefinedFigure.Move::rule).containsExactly(Rule.TokenTime.NONE);
    }

    /// Requests of 3 tokens (TPOT 30) and of 1 token: we have one value, mean 30; trtllm-bench has 30 and 0, mean 15.
    @Test
    void requestOfOneTokenIsLeftOutOrZero() {
        RequestOutcome three = ok(0, 0, 0, 160, 100, 130, 160);
        RequestOutcome one = ok(1, 0, 0, 50, 50);
        assertMoved(under(Definition.TRTLLM_BENCH, three, one).get("tpot_mean"), 30 * MS, 15 * MS,
                Rule.TokenTime.AFTER_FIRST_OR_ZERO);
        assertMoved(under(Definition.VLLM, three, one).get("tpot_mean"), 30 * MS, 30 * MS);
    }

    /// GuideLLM weights by tokens. A: 3 tokens, last at 90: 90/3 = 30 with weight 3; B: 1 token at 50: 50 with weight 1.
    /// (3·30 + 1·50) / 4 = 35.
    @Test
    void timePerTokenIsWeightedByTokens() {
        RequestOutcome a = ok(0, 0, 0, 90, 30, 60, 90);
        RequestOutcome b = ok(1, 0, 0, 50, 50);
        assertThat(under(Definition.GUIDELLM, a, b).get("tpot_mean").theirs()).isEqualTo(35 * MS);
    }

    /// One token at 10, one at 20 and three in one event at 50. We have no ITL. vLLM's gaps: 10, 30, mean 20.
    /// SGLang's: 10 and three times 30/3 = 10, mean 10. Without the tokens of each event SGLang's gaps are vLLM's.
    @Test
    void eventsOfSeveralTokensHaveNoItlOfOurs() {
        RequestOutcome burst = inEvents(new int[]{1, 1, 3}, 10, 20, 50);
        assertThat(under(Definition.VLLM, burst).get("itl_mean").here()).isEmpty();
        assertThat(under(Definition.VLLM, burst).get("itl_mean").theirs()).isEqualTo(20 * MS);
        assertThat(under(Definition.SGLANG, burst).get("itl_mean").theirs()).isEqualTo(10 * MS);
        assertThat(under(Definition.SGLANG, burst).get("itl_p95").theirs()).isEqualTo(10 * MS);
        RequestOutcome unsplit = inEvents(new int[]{0, 0, 0}, 10, 20, 50);
        assertThat(under(Definition.SGLANG, unsplit).get("itl_mean").theirs()).isEqualTo(20 * MS);
    }

    /// Two events at one instant came together: no ITL for us, gaps 10, 30 and 0 for vLLM.
    @Test
    void simultaneousEventsAreOne() {
        DefinedFigure itl = under(Definition.VLLM, ok(0, 0, 0, 50, 10, 20, 50, 50)).get("itl_mean");
        assertThat(itl.here()).isEmpty();
        assertThat(itl.theirs()).isCloseTo(40 / 3.0 * MS, within(1e-3));
    }

    /// Three tokens at 10 and two at 50: ours (50 − 10) / (5 − 3) = 20; vLLM, SGLang and LoadGen (50 − 10) / 4 = 10.
    @Test
    void tpotLeavesOutTheTokensOfTheFirstEvent() {
        RequestOutcome five = inEvents(new int[]{3, 2}, 10, 50);
        for (Definition theirs : List.of(Definition.VLLM, Definition.SGLANG, Definition.LOADGEN)) {
            assertMoved(under(theirs, five).get("tpot_mean"), 20 * MS, 10 * MS, Rule.TokenTime.AFTER_FIRST);
        }
    }

    /// Issued at 0, 10 and 20; the first ends last, at 500. LoadGen's duration ends with the last issued, at 100: 2 / 0.1 s.
    @Test
    void loadGensDurationEndsWithTheLastIssuedQuery() {
        RequestOutcome slow = ok(0, 0, 0, 500, 50, 500);
        RequestOutcome middle = ok(1, 10, 10, 90, 50, 90);
        RequestOutcome last = ok(2, 20, 20, 100, 60, 100);
        Map<String, DefinedFigure> figures = under(Definition.LOADGEN, slow, middle, last);
        assertMoved(figures.get("window"), 500 * MS, 100 * MS, Rule.Window.ONE_LESS);
        assertMoved(figures.get("request_throughput"), 6, 20, Rule.Window.ONE_LESS);
    }

    /// An ok request of five tokens whose events hold these; 0 if not known.
    private static RequestOutcome inEvents(int[] tokens, long... eventMillis) {
        RequestOutcome r = ok(0, 0, 0, eventMillis[eventMillis.length - 1], eventMillis);
        int sum = Math.max(5, IntStream.of(tokens).sum());
        return new RequestOutcome(r.id(), false, 10, sum, r.intendedNanos(), r.sentNanos(), r.admittedNanos(),
                r.prefillStartNanos(), r.endNanos(), r.status(), "", r.eventNanos(), tokens, sum,
                TokenSource.SERVER_USAGE, 0);
    }

    /// Gaps 10 and 90 of one request, 10 of another: our P99 of 10, 10, 90 is 10 + 0.98·80 = 88.4. AIPerf has the averages 50 and 10:
    /// P99 10 + 0.99·40 = 49.6. GuideLLM weights 50 twice and 10 once, and takes the nearest rank: 50; its mean is 110/3.
    @Test
    void meansPerRequestHideAStall() {
        RequestOutcome stalled = ok(0, 0, 0, 110, 10, 20, 110);
        RequestOutcome even = ok(1, 0, 0, 20, 10, 20);
        assertMoved(under(Definition.AIPERF, stalled, even).get("itl_p99"), 88.4 * MS, 49.6 * MS,
                Rule.Gaps.PER_REQUEST);
        assertThat(under(Definition.GUIDELLM, stalled, even).get("itl_p99").theirs()).isEqualTo(50 * MS);
        assertThat(under(Definition.GUIDELLM, stalled, even).get("itl_mean").there().orElseThrow())
                .isCloseTo(110 / 3.0 * MS, within(1e-3));
        assertThat(under(Definition.LOADGEN, stalled, even).get("itl_mean").there()).isEmpty();
        assertThat(under(Definition.AIPERF, stalled, even).get("itl_mean").name()).isEqualTo("inter_token_latency");
    }

    /// First tokens after 10, 20, 30 and 40 ms. P50: between ranks 25; nearest rank 20 (2 of 4 reach one half); index ⌊4·0.5⌋ = 2: 30.
    /// P95: between ranks rank 2.85: 38.5; nearest rank 40; index ⌊3.8⌋ = 3: 40.
    @Test
    void percentilesDifferByTheirRule() {
        RequestOutcome[] four = {ok(0, 0, 0, 10, 10), ok(1, 0, 0, 20, 20), ok(2, 0, 0, 30, 30), ok(3, 0, 0, 40, 40)};
        assertMoved(under(Definition.VLLM, four).get("ttft_p50"), 25 * MS, 25 * MS);
        assertMoved(under(Definition.GUIDELLM, four).get("ttft_p50"), 25 * MS, 20 * MS, Rule.Quantile.NEAREST_RANK);
        assertMoved(under(Definition.LOADGEN, four).get("ttft_p50"), 25 * MS, 30 * MS, Rule.Quantile.TRUNCATED);
        assertMoved(under(Definition.TRTLLM_BENCH, four).get("ttft_p95"), 38.5 * MS, 40 * MS, Rule.Quantile.TRUNCATED);
    }

    /// 10, 20, 30, 40: squares about 25 add up to 500. Over n − 1: √(500/3) = 12.910; over n: √125 = 11.180.
    @Test
    void standardDeviationIsOfTheSampleOrOfThePopulation() {
        RequestOutcome[] four = {ok(0, 0, 0, 10, 10), ok(1, 0, 0, 20, 20), ok(2, 0, 0, 30, 30), ok(3, 0, 0, 40, 40)};
        assertMoved(under(Definition.VLLM, four).get("ttft_std"), Math.sqrt(500 / 3.0) * MS, Math.sqrt(125) * MS,
                Rule.Spread.POPULATION);
        assertThat(under(Definition.LOADGEN, four).get("ttft_std").there()).isEmpty();
    }

    /// A: intended 0, sent 20, tokens at 100 and 1000, closed at 1020. B fails after one token at 400 and ends at 2020.
    /// Ours: window 0 to 1000, 1 request, 3 tokens. vLLM: 20 to 2020 = 2 s, 1 request, A's 2 tokens. AIPerf: 20 to 1000 = 0.98 s.
    @Test
    void windowAndFailedTokensChangeThroughput() {
        RequestOutcome a = ok(0, 0, 20, 1020, 100, 1000);
        RequestOutcome b = request(1, RequestStatus.FAILED, 0, 20, 2020, 400);
        assertMoved(under(Definition.VLLM, a, b).get("output_throughput"), 3, 1, Rule.Failures.TOKENS_DROPPED,
                Rule.Window.SENT_TO_LAST_END);
        assertMoved(under(Definition.VLLM, a, b).get("request_throughput"), 1, 0.5, Rule.Window.SENT_TO_LAST_END);
        assertMoved(under(Definition.VLLM, a, b).get("window"), 1000 * MS, 2000 * MS, Rule.Window.SENT_TO_LAST_END);
        assertMoved(under(Definition.AIPERF, a, b).get("request_throughput"), 1, 1 / 0.98, Rule.Window.VALID_ONLY);
        // 10 prompt tokens each: ours (20 + 3) / 1 s, vLLM's (10 + 2) / 2 s.
        assertMoved(under(Definition.VLLM, a, b).get("total_throughput"), 23, 6, Rule.Failures.TOKENS_DROPPED,
                Rule.Window.SENT_TO_LAST_END);
    }

    /// Three requests done within 0 to 1000 ms: 3 a second for us, (3 − 1) / 1 s for LoadGen's Server scenario.
    @Test
    void loadGenCountsOneRequestLess() {
        RequestOutcome[] three = {ok(0, 0, 0, 500, 500), ok(1, 100, 100, 700, 700), ok(2, 200, 200, 1000, 1000)};
        assertMoved(under(Definition.LOADGEN, three).get("request_throughput"), 3, 2, Rule.Window.ONE_LESS);
        assertMoved(under(Definition.LOADGEN, three).get("output_throughput"), 3, 3);
    }

    /// 4 tokens, sent at 30 and there at 160: 130 ms by whoever's clock starts at sending, and GuideLLM divides them by 4.
    @Test
    void wholeAnswerHasNoFirstTokenInAnyDefinition() {
        RequestOutcome whole = new RequestOutcome(new RequestId(0), false, 10, 4, 0, 30_000_000, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 160_000_000, RequestStatus.OK, "", new long[0], 4, TokenSource.SERVER_USAGE);
        for (Definition definition : Definition.values()) {
            Map<String, DefinedFigure> figures = under(definition, whole);
            boolean intended = definition.rules().clock() == Rule.ClockStart.INTENDED;
            assertThat(figures.get("e2e_mean").there()).as(definition.label()).hasValue((intended ? 160 : 130) * MS);
            assertThat(figures.keySet()).as(definition.label())
                    .noneMatch(id -> id.startsWith("ttft_") || id.startsWith("itl_"));
            if (definition == Definition.GUIDELLM) {
                assertThat(figures.get("tpot_mean").there()).hasValue(130 * MS / 4);
            } else {
                assertThat(figures.keySet()).as(definition.label()).noneMatch(id -> id.startsWith("tpot_"));
            }
        }
    }

    @Test
    void trtllmBenchHasNoFiguresAfterAFailure() {
        Map<String, DefinedFigure> figures =
                under(Definition.TRTLLM_BENCH, ok(0, 0, 0, 20, 10, 20), request(1, RequestStatus.FAILED, 0, 0, 5));
        assertThat(figures.values()).isNotEmpty().allSatisfy(figure -> {
            assertThat(figure.there()).isEmpty();
            assertThat(figure.moves().getFirst().rule()).isEqualTo(Rule.Failures.RAISES);
        });
    }

    /// Limits 50 ms to the first token and 20 ms a token. A: intended 0, sent 20, first at 60, then 80: 60 ms for us (bad), 40 for vLLM (good).
    /// B: one token at 1000 after 40 ms: good for us and vLLM, not for AIPerf, which misses its time per token.
    /// Window: ours 0 to 1000 = 1 s; vLLM and AIPerf 20 to 1000 = 0.98 s.
    @Test
    void goodputDependsOnClockAndMissingFigures() {
        List<RequestOutcome> requests = List.of(ok(0, 0, 20, 80, 60, 80), ok(1, 960, 960, 1000, 1000));
        ServiceObjective limits =
                new ServiceObjective(OptionalDouble.of(50 * MS), OptionalDouble.of(20 * MS), OptionalDouble.empty());
        Map<String, DefinedFigure> vllm = byId(Redefinition.of(requests, LoadKind.UNKNOWN, Definition.VLLM, limits));
        assertMoved(vllm.get("goodput"), 1, 2 / 0.98, Rule.ClockStart.SENT, Rule.Window.SENT_TO_LAST_END);
        Map<String, DefinedFigure> aiperf =
                byId(Redefinition.of(requests, LoadKind.UNKNOWN, Definition.AIPERF, limits));
        assertMoved(aiperf.get("goodput"), 1, 1 / 0.98, Rule.ClockStart.SENT, Rule.Window.VALID_ONLY,
                Rule.Goodput.MISSING_FAILS);
        assertThat(
                byId(Redefinition.of(requests, LoadKind.UNKNOWN, Definition.GUIDELLM, limits)).get("goodput").there())
                .isEmpty();
    }
}
