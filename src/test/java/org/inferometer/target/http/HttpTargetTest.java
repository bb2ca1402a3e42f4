package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that behave, each in its own way.
@Timeout(20)
class HttpTargetTest {
    private static final int BURST = 20;
    private static final RecordingListener.End OK = new RecordingListener.End(RequestStatus.OK, "");

    @Test
    void aCompletionsStreamIsToldChunkByChunkAndCountedByItsUsage() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.stream().text(" a").text(" b").text(" c").finish(5, 3));
                Target target = Servers.open(server, account, "metrics=off")) {
            target.send(Servers.request(0, 4, 3));
            account.await();
            assertThat(target.description()).isEqualTo("tiny at " + server.url());
            assertThat(server.heard).singleElement().satisfies(asked -> {
                assertThat(asked.path()).isEqualTo("/v1/completions");
                assertThat(asked.headers()).containsEntry("accept", "text/event-stream")
                        .doesNotContainKey("authorization");
                assertThat(asked.body()).isEqualTo(
                        "{\"model\":\"tiny\",\"prompt\":[100,101,102,103],\"max_tokens\":3,\"min_tokens\":3,\"ignore_eos\":true,"
                                + "\"temperature\":0.0,\"stream\":true,\"stream_options\":{\"include_usage\":true,\"continuous_usage_stats\":true}}");
            });
        }
        assertTold(account, List.of(1, 1, 1), new TokenCounts(5, 3, TokenSource.SERVER_USAGE));
    }

    /// As a deployment of Azure is asked: another path, a version in the query, a key in a header of its own.
    @Test
    void whatAUserAddsToRequestsIsSent() throws Exception {
        RecordingListener account = new RecordingListener(1);
        String deployment = "/openai/deployments/four";
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.stream().text(" a").text(" b").finish(5, 2))
                        .get(deployment + "/models?api-version=2024-10-21", (asked, wire) -> {
                            assertThat(asked.headers()).containsEntry("api-key", "topsecret-value-77");
                            wire.json(200, ScriptedServer.MODELS);
                        });
                Target target = Servers.open(server.url() + deployment + "/completions", account,
                        "metrics=off,header.api-key=env:K,query.api-version=2024-10-21,body.lora.path=x",
                        Map.of("K", "topsecret-value-77"))) {
            target.send(Servers.request(0, 4, 3));
            account.await();
            assertThat(server.heard).singleElement().satisfies(asked -> {
                assertThat(asked.path()).isEqualTo(deployment + "/completions?api-version=2024-10-21");
                assertThat(asked.headers()).containsEntry("api-key", "topsecret-value-77");
                assertThat(asked.body()).endsWith(",\"lora\":{\"path\":\"x\"}}");
            });
        }
        assertTold(account, List.of(1, 1), new TokenCounts(5, 2, TokenSource.SERVER_USAGE));
    }

    @Test
    void answersThatMayEndEarlyAreAskedForAsSuch() throws Exception {
        assertThat(bodyFor(new EarlyEnd(true, List.of()))).contains("\"max_tokens\":3,\"temperature\"");
        assertThat(bodyFor(new EarlyEnd(false, List.of("###", "\""))))
                .contains("\"max_tokens\":3,\"ignore_eos\":true,\"stop\":[\"###\",\"\\\"\"],\"temperature\"");
    }

    private static String bodyFor(EarlyEnd early) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").finish(5, 1));
                Target target = Servers.open(server, account, "metrics=off")) {
            Request request = Servers.request(0, 4, 3);
            target.send(new Request(request.id(), request.promptTokens(), new StopRule(3, early), request.arrival(),
                    request.sampling(), request.deadlines(), null));
            account.await();
            return server.heard.getFirst().body();
        }
    }

    @Test
    void everyRunSendsOtherPromptsOfTheSameLength() throws Exception {
        assertThat(promptOf(1, "")).isNotEqualTo(promptOf(2, "")).isEqualTo(promptOf(1, "")).hasSize(64);
        assertThat(promptOf(1, ",vary_prompts=false")).isEqualTo(promptOf(2, ",vary_prompts=false")).startsWith(100,
                101, 102);
    }

    private static List<Integer> promptOf(long promptSeed, String more) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").finish(64, 1));
                Target target = Servers.openVaried(server, account, promptSeed, ",metrics=off" + more)) {
            target.send(Servers.request(0, 64, 1));
            account.await();
            String body = server.heard.getFirst().body();
            String ids = body.substring(body.indexOf('[') + 1, body.indexOf(']'));
            return Arrays.stream(ids.split(",")).map(Integer::valueOf).toList();
        }
    }

    @Test
    void textsAreReportedWhereTheyAreKept() throws Exception {
        for (boolean words : new boolean[]{true, false}) {
            RecordingListener account = new RecordingListener(1);
            try (ScriptedServer server =
                    ScriptedServer.start((asked, wire) -> wire.stream().text(" a").text("\\u0007b ").finish(5, 2));
                    Target target =
                            Servers.openKeepingText(server, account, ",metrics=off" + (words ? ",prompt=text" : ""))) {
                target.send(Servers.request(0, 2, 2));
                account.await();
                String sent = server.heard.getFirst().body();
                assertThat(account.answer.toString()).isEqualTo(" a\u0007b ");
                assertThat(account.prompts).hasSize(words ? 1 : 0)
                        .allSatisfy(prompt -> assertThat(sent).contains("\"prompt\":\"" + prompt + "\""));
            }
        }
    }

    @Test
    void countsWithEveryChunkTellHowManyTokensItHolds() throws Exception {
        // The second chunk is held back by the server's detokenizer, the last two tokens have no text.
        assertTold(
                answered("",
                        (asked, wire) -> wire.stream().event(StreamJson.textOf("a", 4, 2))
                                .event(StreamJson.textOf("", 4, 3)).event(StreamJson.textOf("bc", 4, 5))
                                .event(StreamJson.finish("length").replaceFirst("}$",
                                        ",\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":7}}"))
                                .event(StreamJson.usage(4, 7)).done()),
                List.of(2, 3, 2), new TokenCounts(4, 7, TokenSource.SERVER_USAGE));
    }

    @Test
    void withoutUsageEachChunkIsTakenForATokenAndThatIsSaid() throws Exception {
        assertTold(answered("usage=off",
                (asked, wire) -> wire.stream().text(" a").text(" b c d").event(StreamJson.finish("stop")).done()),
                List.of(1, 1), new TokenCounts(4, 2, TokenSource.CHUNKS));
    }

    @Test
    void usageThatComesWithTheLastChunkCounts() throws Exception {
        // As llama-server ends: text, finish reason, usage and timings together.
        assertTold(
                answered("",
                        (asked, wire) -> wire.stream().text(" a").text(" b c")
                                .event(StreamJson.textOf(" d", 6, 4)
                                        .replace("\"finish_reason\":null", "\"finish_reason\":\"length\"")
                                        .replaceFirst("}$", ",\"timings\":{\"prompt_n\":6}}"))
                                .done()),
                List.of(1, 1, 1), new TokenCounts(6, 4, TokenSource.SERVER_USAGE));
    }

    @Test
    void tokenIdsTellHowManyTokensAChunkHolds() throws Exception {
        assertTold(answered("", (asked, wire) -> wire.stream()
                .event("{\"choices\":[{\"index\":0,\"text\":\" ab\",\"token_ids\":[7,8]}]}")
                .event("{\"choices\":[{\"index\":0,\"text\":\" c\",\"token_ids\":[9],\"finish_reason\":\"length\"}]}")
                .event(StreamJson.usage(4, 3)).done()), List.of(2, 1), new TokenCounts(4, 3, TokenSource.SERVER_USAGE));
    }

    @Test
    void fewerAndMoreTokensThanAskedAreCountedAsTheyAre() throws Exception {
        assertTold(
                answered("",
                        (asked, wire) -> wire.stream().text(" a").event(StreamJson.finish("stop"))
                                .event(StreamJson.usage(4, 1)).done()),
                List.of(1), new TokenCounts(4, 1, TokenSource.SERVER_USAGE));
        assertTold(answered("", (asked, wire) -> wire.stream().text("a").text("b").text("c").text("d").finish(4, 4)),
                List.of(1, 1, 1, 1), new TokenCounts(4, 4, TokenSource.SERVER_USAGE));
    }

    @Test
    void aChatStreamsRoleIsNoTokenAndItsReasoningIs() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream()
                .event(StreamJson.delta("{\"role\":\"assistant\",\"content\":\"\"}"))
                .event(StreamJson.delta("{\"role\":\"assistant\",\"content\":null}"))
                .event(StreamJson.delta("{\"reasoning_content\":\"hm\"}"))
                .event(StreamJson.delta("{\"reasoning\":\"hm\"}"))
                .event(StreamJson.delta("{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"hm\"}]}"))
                .event(StreamJson.delta("{\"content\":[{\"type\":\"text\",\"text\":\"\"}],\"reasoning_details\":[]}"))
                .event(StreamJson.delta("{\"content\":[{\"type\":\"text\",\"text\":\"yes\"}]}"))
                .event(StreamJson.delta("{\"content\":\"yes\"}"))
                .event(StreamJson.delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\"}}]}"))
                .event(StreamJson.delta("{}").replace("\"finish_reason\":null", "\"finish_reason\":\"tool_calls\""))
                .event(StreamJson.usage(9, 4)).done());
                Target target = Servers.open(server, account, "metrics=off,api=chat")) {
            target.send(Servers.request(0, 4, 3));
            account.await();
            assertThat(server.heard).singleElement().satisfies(asked -> {
                assertThat(asked.path()).isEqualTo("/v1/chat/completions");
                assertThat(asked.body())
                        .startsWith("{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"")
                        .contains("\"max_tokens\":3");
            });
        }
        assertTold(account, List.of(1, 1, 1, 1, 1, 1), new TokenCounts(9, 4, TokenSource.SERVER_USAGE));
    }

    @Test
    void eventsAreFoundHoweverTheStreamIsCut() throws Exception {
        byte[] stream = (": ping\r\n\r\ndata: " + StreamJson.text("é🦜")
                + "\r\n\r\ndata: {\"choices\":\r\ndata: [{\"text\":\"b\"}]}\r\n\r\ndata: " + StreamJson.text("c")
                + "\n\ndata:" + StreamJson.usage(4, 3) + "\n\ndata: [DONE]\n\n").getBytes(StandardCharsets.UTF_8);
        for (int size : new int[]{1, 7, 61, stream.length}) {
            assertTold(answered("", (asked, wire) -> {
                wire.stream();
                for (int at = 0; at < stream.length; at += size) {
                    wire.piece(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + size)));
                }
                wire.end();
            }), List.of(1, 1, 1), new TokenCounts(4, 3, TokenSource.SERVER_USAGE));
        }
    }

    @Test
    void aStreamWithoutChunkedCodingEndsWithItsConnection() throws Exception {
        assertTold(
                answered("", (asked, wire) -> wire
                        .raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                        .raw("data: " + StreamJson.text("a") + "\n\ndata: " + StreamJson.finish("length") + "\n\ndata: "
                                + StreamJson.usage(4, 1))
                        .hangUp()),
                List.of(1), new TokenCounts(4, 1, TokenSource.SERVER_USAGE));
    }

    @Test
    void instantsComeFromTheReadsAndNeverGoBack() throws Exception {
        RecordingListener account = answered("", (asked, wire) -> {
            wire.stream();
            for (int i = 0; i < 200; i++) {
                wire.text(" a");
            }
            wire.finish(4, 200);
        });
        assertThat(account.instants(0)).hasSize(200).isSorted();
    }

    @Test
    void connectionsAreKeptAndNoMoreAreMadeThanAllowed() throws Exception {
        RecordingListener account = new RecordingListener(200);
        AtomicInteger mostConnections = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            mostConnections.accumulateAndGet(asked.connection(), Math::max);
            wire.stream().text(" a").finish(4, 1);
        }); Target target = Servers.open(server, account, "metrics=off,connections=4")) {
            for (int i = 0; i < 200; i++) {
                target.send(Servers.request(i, 4, 1));
            }
            account.await();
        }
        assertThat(account.ends().values()).containsOnly(OK);
        // The first two connections reached the server before any request did.
        assertThat(mostConnections.get()).isLessThanOrEqualTo(1 + 4);
        // The first four found a connection, most others waited for one.
        assertThat(account.departed).doesNotContain(0, 1, 2, 3).hasSizeGreaterThan(50);
        assertThat(account.said).containsExactly(
                "All 4 connections were busy and requests waited, which is send lateness. Raise connections.");
    }

    @Test
    void aConnectionThatTheServerClosedWhileItRestedIsReplaced() throws Exception {
        RecordingListener account = new RecordingListener(2);
        AtomicInteger answered = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            if (answered.incrementAndGet() == 2) {
                // Closed as the request arrives: the client cannot know whether it was seen.
                wire.hangUp();
            } else {
                wire.stream().text(" a").finish(4, 1);
            }
        }); Target target = Servers.open(server, account, "metrics=off,connections=1")) {
            target.send(Servers.request(0, 4, 1));
            target.send(Servers.request(1, 4, 1));
            account.await();
            assertThat(server.heard.stream().map(ScriptedServer.Heard::connection).distinct()).hasSize(2);
            assertThat(server.heard).hasSize(3);
        }
        assertThat(account.ends().values()).containsOnly(OK);
        assertThat(account.said).contains("The server closes idle connections; a request was sent again on a new one.");
    }

    @Test
    void connectionsThatABurstLeftAreClosed() throws Exception {
        RecordingListener account = new RecordingListener(BURST);
        CountDownLatch arrived = new CountDownLatch(BURST);
        AtomicLong later = new AtomicLong();
        SystemClock system = new SystemClock();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return system.nanos() + later.get();
            }

            @Override
            public Instant wall() {
                return system.wall();
            }
        };
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            arrived.countDown();
            arrived.await();
            wire.stream().text(" a").finish(4, 1);
        });
                Target target = new HttpTargetKind(name -> Optional.empty())
                        .configure(Selection.parse("http:url=" + server.url() + ",metrics=off"))
                        .open(new TargetSetup(clock, account, account, 20))) {
            for (int i = 0; i < BURST; i++) {
                target.send(Servers.request(i, 4, 1));
            }
            account.await();
            for (int i = BURST; i < 3 * BURST; i++) {
                later.addAndGet(1_000_000_000);
                target.send(Servers.request(i, 4, 1));
                account.await(i);
            }
            // Its connection, and that of the list of models.
            server.awaitConnections(2);
        }
    }

    @Test
    void promptsFromAFileGoOutAsTheyWereWritten() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").finish(4, 1));
                Target target =
                        Servers.open(server, account, "metrics=off,min_tokens=off,ignore_eos=false,usage=final")) {
            target.send(new Request(new RequestId(0), new int[]{1, 2}, StopRule.length(1), new Arrival.WhenFree(0),
                    new Sampling(0.7, 50, 0.95, -1), RequestDeadlines.NONE, "Why \"é\"?"));
            account.await();
            assertThat(server.heard.getFirst().body()).isEqualTo(
                    "{\"model\":\"tiny\",\"prompt\":\"Why \\\"é\\\"?\",\"max_tokens\":1,\"temperature\":0.7,\"top_p\":0.95,\"top_k\":50,"
                            + "\"seed\":2147483647,\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
        }
    }

    /// The account of one request of four tokens of prompt and three of output.
    private static RecordingListener answered(String options, ScriptedServer.Script script) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(script);
                Target target =
                        Servers.open(server, account, "metrics=off" + (options.isEmpty() ? "" : "," + options))) {
            target.send(Servers.request(0, 4, 3));
            account.await();
        }
        return account;
    }

    private static void assertTold(RecordingListener account, List<Integer> arrivals, TokenCounts counts) {
        assertThat(account.end(0)).isEqualTo(OK);
        assertThat(account.arrivals(0)).isEqualTo(arrivals);
        assertThat(account.counts(0)).isEqualTo(counts);
    }
}
