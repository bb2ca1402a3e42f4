package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.options.Selection;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.inferometer.target.WordTokenizer;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Sessions whose turns add two words and are answered with three tokens.
@Timeout(20)
class ConversationsTest {
    private static final int ADDED = 2;
    private static final int ANSWER = 3;
    private static final WordTokenizer WORDS = new WordTokenizer(32_000);
    private final JsonMapper json = new JsonMapper();

    /// Turn k, from 0, of a session that begins with a request: words 0, 1, then three stand-ins, then 5, 6 and so on.
    private static Request turn(int first, int k) {
        int[] prompt = IntStream.range(0, ADDED + k * (ADDED + ANSWER)).toArray();
        return new Request(new RequestId(first + k), prompt, StopRule.length(ANSWER),
                k == 0 ? new Arrival.WhenFree(0) : new Arrival.AfterTurn(new RequestId(first + k - 1), 0),
                Sampling.GREEDY, RequestDeadlines.NONE, null);
    }

    private static String words(int from) {
        return WORDS.decode(new int[]{from, from + 1});
    }

    private static String user(String text) {
        return "user: " + text;
    }

    private List<String> messages(String body) {
        return json.readTree(body).path("messages").valueStream().map(ConversationsTest::text).toList();
    }

    private static String text(JsonNode message) {
        return message.path("role").stringValue() + ": " + message.path("content").stringValue();
    }

    /// Answers "said 0", "said 1", ... after some reasoning.
    private static ScriptedServer server() throws Exception {
        return ScriptedServer.start((asked, wire) -> {
            int turn = asked.body().split("\"assistant\"", -1).length - 1;
            wire.stream().event(StreamJson.delta("{\"reasoning_content\":\"hm\"}"))
                    .event(StreamJson.delta("{\"content\":\"said\"}"))
                    .event(StreamJson.delta("{\"content\":\" " + turn + "\"}")).finish(20 + turn, 3);
        });
    }

    private static void ask(Target target, RecordingListener account, Request request) throws Exception {
        target.send(request);
        account.await(request.id().index());
    }

    @Test
    void laterTurnsSendTheAnswersThatCameBefore() throws Exception {
        RecordingListener account = new RecordingListener(3);
        try (ScriptedServer server = server();
                Target target = Servers.open(server, account, "metrics=off,api=chat,history=answers")) {
            for (int k = 0; k < 3; k++) {
                ask(target, account, turn(7, k));
            }
            assertThat(messages(server.heard.get(0).body())).containsExactly(user(words(0)));
            assertThat(messages(server.heard.get(2).body())).containsExactly(user(words(0)), "assistant: said 0",
                    user(words(5)), "assistant: said 1", user(words(10)));
        }
        assertThat(account.counts(7)).isEqualTo(new TokenCounts(20, 3, TokenSource.SERVER_USAGE, true));
        assertThat(account.counts(9)).isEqualTo(new TokenCounts(22, 3, TokenSource.SERVER_USAGE, false));
    }

    @Test
    void turnsOfSeveralSessionsKeepApart() throws Exception {
        RecordingListener account = new RecordingListener(4);
        try (ScriptedServer server = server();
                Target target = Servers.open(server, account, "metrics=off,api=chat,history=answers")) {
            for (Request each : List.of(turn(0, 0), turn(2, 0), turn(2, 1), turn(0, 1))) {
                ask(target, account, each);
            }
            assertThat(messages(server.heard.getLast().body())).containsExactly(user(words(0)), "assistant: said 0",
                    user(words(5)));
        }
    }

    @Test
    void withoutTheOptionATurnIsOneMessageWithStandIns() throws Exception {
        RecordingListener account = new RecordingListener(2);
        try (ScriptedServer server = server(); Target target = Servers.open(server, account, "metrics=off,api=chat")) {
            ask(target, account, turn(0, 0));
            ask(target, account, turn(0, 1));
            assertThat(messages(server.heard.getLast().body()))
                    .containsExactly(user(WORDS.decode(IntStream.range(0, 7).toArray())));
        }
        assertThat(account.counts(1).drawnPrompt()).isTrue();
    }

    @Test
    void inPlaceOfAnAnswerWithoutTextStandsADrawnOne() {
        Conversations conversations = new Conversations(WORDS::decode);
        conversations.begun(turn(0, 0));
        conversations.answered(turn(0, 0), " ");
        assertThat(conversations.messages(turn(0, 1))).containsExactly(Conversations.Message.ofUser(words(0)),
                new Conversations.Message("assistant", WORDS.decode(new int[ANSWER])),
                Conversations.Message.ofUser(words(5)));
    }

    @Test
    void ofAnEndlessAnswerTheBeginningIsKept() throws Exception {
        RecordingListener account = new RecordingListener(2);
        try (ScriptedServer server = ScriptedServer.start(
                (asked, wire) -> wire.stream().event(StreamJson.delta("{\"content\":\"" + "x".repeat(100_000) + "\"}"))
                        .event(StreamJson.delta("{\"content\":\"y\"}")).finish(20, 3));
                Target target = Servers.open(server, account, "metrics=off,api=chat,history=answers")) {
            ask(target, account, turn(0, 0));
            ask(target, account, turn(0, 1));
            assertThat(messages(server.heard.getLast().body()).get(1)).isEqualTo("assistant: " + "x".repeat(1120));
        }
    }

    @Test
    void conversationsThatAreOverAreForgotten() {
        Conversations conversations = new Conversations(WORDS::decode);
        for (Request each : List.of(turn(0, 0), turn(1, 0), turn(1, 1), turn(3, 0))) {
            conversations.begun(each);
            conversations.answered(each, "said");
        }
        conversations.begun(turn(4, 0));
        conversations.failed(turn(3, 1));
        assertThat(List.of(turn(0, 1), turn(1, 1), turn(1, 2), turn(3, 1), turn(4, 1)).stream()
                .map(conversations::continues)).containsOnly(false);
    }

    @Test
    void answersNeedMessages() {
        assertThat(
                new HttpTargetKind(name -> Optional.empty()).faults(Selection.parse("http:url=a.test,history=answers")))
                .containsExactly("http: history=answers sends messages and needs api=chat.");
    }
}
