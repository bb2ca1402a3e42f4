package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.inferometer.target.WordTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that do not take every field.
@Timeout(20)
class DialectTest {
    private static final RecordingListener.End OK = new RecordingListener.End(RequestStatus.OK, "");

    @Test
    void fieldsThatAServerRefusesByNameAreLeftOutAndSaid() throws Exception {
        RecordingListener account = new RecordingListener(20);
        try (ScriptedServer server =
                ScriptedServer.start(refusing(List.of("min_tokens", "continuous_usage_stats", "ignore_eos")));
                Target target = Servers.open(server, account, "metrics=off")) {
            for (int i = 0; i < 20; i++) {
                target.send(Servers.request(i, 2, 1));
            }
            account.await();
            assertThat(server.heard.getLast().body()).isEqualTo(
                    "{\"model\":\"tiny\",\"prompt\":[100,101],\"max_tokens\":1,\"temperature\":0.0,\"stream\":true,"
                            + "\"stream_options\":{\"include_usage\":true}}");
        }
        assertThat(account.ends().values()).hasSize(20).containsOnly(OK);
        assertThat(account.said).containsExactly(
                "The server refuses min_tokens; it is no longer sent. Answers may be shorter than requested.",
                "The server refuses continuous_usage_stats; it is no longer sent. Token counts come with the last"
                        + " chunk only; gaps are gaps between chunks.",
                "The server refuses ignore_eos; it is no longer sent. Answers may end early at an end-of-sequence token.");
    }

    @Test
    void promptsOfTokenIdsBecomeTextWhereTheyAreRefused() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            if (asked.body().contains("\"prompt\":[")) {
                wire.json(400,
                        "{\"object\":\"error\",\"message\":\"[{'loc': ('body', 'prompt'), 'msg': 'Input should be a valid string'}]\"}");
            } else {
                wire.stream().text(" a").finish(3, 1);
            }
        }); Target target = Servers.open(server, account, "metrics=off")) {
            target.send(Servers.request(0, 3, 1));
            account.await();
            assertThat(server.heard.getLast().body())
                    .contains("\"prompt\":\"" + new WordTokenizer(1000).decode(new int[]{100, 101, 102}) + "\"");
        }
        assertThat(account.end(0)).isEqualTo(OK);
        assertThat(account.said).containsExactly(
                "The server refuses prompts of token ids; text of about as many tokens is sent instead.");
    }

    @Test
    void whatWasAskedForInSoManyWordsIsNotLeftOut() throws Exception {
        assertThat(endOf("min_tokens=on", refusing(List.of("min_tokens")))).isEqualTo(new RecordingListener.End(
                RequestStatus.FAILED, "The server answered 400: Extra inputs are not permitted: min_tokens"));
        assertThat(endOf("prompt=tokens",
                (asked, wire) -> wire.json(400, "{\"error\":{\"message\":\"prompt must be a string\"}}")))
                .isEqualTo(new RecordingListener.End(RequestStatus.FAILED,
                        "The server answered 400: prompt must be a string"));
    }

    @Test
    void aPromptThatIsTooLongIsAFailureAndNothingIsLearntFromIt() throws Exception {
        String message =
                "'max_tokens' or 'max_completion_tokens' is too large: 9. This model's maximum context length is 8 tokens and your prompt has 3.";
        assertThat(endOf("", (asked, wire) -> wire.json(400, "{\"error\":{\"message\":\"" + message + "\"}}")))
                .isEqualTo(new RecordingListener.End(RequestStatus.FAILED, "The server answered 400: " + message));
    }

    @Test
    void newerNamesAreTakenUp() throws Exception {
        assertThat(endOf("api=chat", (asked, wire) -> {
            if (asked.body().contains("\"max_tokens\"")) {
                wire.json(400,
                        "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.\"}}");
            } else {
                wire.stream().event(StreamJson.delta("{\"content\":\"a\"}")).finish(3, 1);
            }
        })).isEqualTo(OK);
    }

    @Test
    void aServerThatRefusesWhateverIsSentIsLeft() throws Exception {
        assertThat(endOf("",
                (asked, wire) -> wire.json(422,
                        "{\"detail\":[{\"loc\":[\"body\",\"stream_options\"]},{\"loc\":[\"body\",\"min_tokens\"]},"
                                + "{\"loc\":[\"body\",\"ignore_eos\"]},{\"loc\":[\"body\",\"prompt\"]}]}"))
                .reason()).startsWith("The server answered 422: {\"detail\"");
    }

    private static ScriptedServer.Script refusing(List<String> fields) {
        return (asked, wire) -> {
            for (String field : fields) {
                if (asked.body().contains("\"" + field + "\"")) {
                    wire.json(400, "{\"error\":{\"message\":\"Extra inputs are not permitted: " + field + "\"}}");
                    return;
                }
            }
            wire.stream().text(" a").finish(2, 1);
        };
    }

    private static RecordingListener.End endOf(String options, ScriptedServer.Script script) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(script);
                Target target =
                        Servers.open(server, account, "metrics=off" + (options.isEmpty() ? "" : "," + options))) {
            target.send(Servers.request(0, 3, 1));
            account.await();
        }
        return Objects.requireNonNull(account.end(0));
    }
}
