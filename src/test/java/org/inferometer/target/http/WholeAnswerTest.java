package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that do not stream, and the times that llama-server reports of a request.
@Timeout(20)
class WholeAnswerTest {
    private static final String USAGE = ",\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":3}}";
    private static final String TIMINGS =
            "\"timings\":{\"prompt_n\":4,\"prompt_ms\":12.5,\"predicted_ms\":250,\"predicted_n\":3}";

    private static RecordingListener asked(ScriptedServer.Script script, String options) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(script);
                Target target = Servers.open(server, account, "metrics=off" + options)) {
            target.send(Servers.request(0, 4, 3));
            account.await();
            assertThat(server.heard).extracting(ScriptedServer.Heard::body).allSatisfy(body -> {
                if (options.contains("stream=false")) {
                    assertThat(body).contains("\"stream\":false").doesNotContain("stream_options");
                }
            });
        }
        return account;
    }

    private static RecordingListener whole(String body) throws Exception {
        return asked((request, wire) -> wire.json(200, body), ",stream=false");
    }

    @Test
    void wholeAnswerHasTokensAndAnEndButNoEvents() throws Exception {
        for (String choice : List.of("{\"text\":\" a b c\",\"finish_reason\":\"length\"}",
                "{\"message\":{\"role\":\"assistant\",\"content\":\"a b c\"},\"finish_reason\":\"stop\"}")) {
            RecordingListener account = whole("{\"choices\":[" + choice + "]" + USAGE);
            assertThat(account.end(0)).isEqualTo(new RecordingListener.End(RequestStatus.OK, ""));
            assertThat(account.arrivals(0)).isEmpty();
            assertThat(account.counts(0)).isEqualTo(new TokenCounts(4, 3, TokenSource.SERVER_USAGE));
        }
    }

    @Test
    void wholeAnswerWithoutUsageIsNotCounted() throws Exception {
        RecordingListener account = whole("{\"choices\":[{\"text\":\" a b c\"}]}");
        assertThat(account.counts(0)).isEqualTo(new TokenCounts(4, 1, TokenSource.CHUNKS));
    }

    @Test
    void wholeAnswerWithOtherIdsThanItCountsIsAContradiction() throws Exception {
        assertThat(whole("{\"choices\":[{\"text\":\"a b c\",\"token_ids\":[7,8,9]}]" + USAGE).contradictions).isEmpty();
        assertThat(whole("{\"choices\":[{\"text\":\"a\",\"token_ids\":[7]}]" + USAGE).contradictions)
                .containsExactly("0: 3 of 1");
    }

    /// vLLM, SGLang and others say it in the usage, llama-server with its times. Never more than the prompt.
    @Test
    void cachedPromptTokensOfUsageAndTimesAreTold() throws Exception {
        String details =
                ",\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":%d}}}";
        String body = "{\"choices\":[{\"text\":\"a\",\"finish_reason\":\"length\"}]";
        assertThat(whole(body + details.formatted(3)).cached).containsExactly("0: 3");
        assertThat(whole(body + details.formatted(0)).cached).containsExactly("0: 0");
        assertThat(whole(body + details.formatted(9)).cached).containsExactly("0: 4");
        assertThat(whole(body + USAGE).cached).isEmpty();
        assertThat(whole(body + ",\"timings\":{\"cache_n\":2}" + USAGE).cached).containsExactly("0: 2");
        assertThat(asked((request, wire) -> wire.stream().text(" a").event(StreamJson.finish("length"))
                .event("{\"choices\":[]" + details.formatted(3)).done(), "").cached).containsExactly("0: 3");
    }

    @Test
    void brokenWholeAnswersFailWithOneSentence() throws Exception {
        assertThat(whole("[1]").end(0)).isEqualTo(failed("The answer is not a JSON object: [1]"));
        assertThat(whole("{\"choices\":[]" + USAGE).end(0))
                .isEqualTo(failed("The server counts 3 tokens, but no chunk has output."));
        assertThat(whole("{\"error\":{\"message\":\"full\"}}").end(0))
                .isEqualTo(failed("The server answered 200 with an error: full"));
        assertThat(whole("{\"choices\":[{\"text\":\"a\",\"finish_reason\":\"abort\"}]" + USAGE).end(0))
                .isEqualTo(failed("The server aborted the request: finish reason \"abort\"."));
        assertThat(whole("{\"choices\":[{\"text\":\"a\"}],\"usage\":{\"completion_tokens\":99999999}}").end(0))
                .satisfies(end -> assertThat(end.reason()).startsWith("The server counts too many tokens: "));
        assertThat(whole("{\"choices\":[{\"text\":\"" + "a".repeat(2 << 20) + "\"}]" + USAGE).end(0))
                .isEqualTo(failed("The server sent 1 MiB for 3 tokens."));
    }

    @Test
    void serverThatStreamsAnywayIsRead() throws Exception {
        RecordingListener account =
                asked((request, wire) -> wire.stream().text("a").text("b").finish(4, 2), ",stream=false");
        assertThat(account.arrivals(0)).containsExactly(1, 1);
    }

    @Test
    void timingsOfTheLastChunkAreReported() throws Exception {
        assertThat(asked((request, wire) -> wire.stream().text("a")
                .event(StreamJson.finish("length").replaceFirst("\\}$", "," + TIMINGS + "}")).done(), "").times)
                .containsExactly("0: 12500000 250000000");
        assertThat(whole("{\"choices\":[{\"text\":\"a\"}]," + TIMINGS + USAGE).times)
                .containsExactly("0: 12500000 250000000");
        for (String wrong : List.of("-1", "1e300", "\"12\"", "null")) {
            assertThat(whole("{\"choices\":[{\"text\":\"a\"}]," + TIMINGS.replace("12.5", wrong) + USAGE).times)
                    .isEmpty();
        }
    }

    private static RecordingListener.End failed(String reason) {
        return new RecordingListener.End(RequestStatus.FAILED, reason);
    }
}
