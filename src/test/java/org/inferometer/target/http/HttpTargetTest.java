package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.serving.RequestStatus;
import org.inferometer.serving.TokenCounts;
import org.inferometer.serving.TokenSource;
import org.inferometer.target.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that behave.
@Timeout(20)
class HttpTargetTest {
    private static final Account.End OK = new Account.End(RequestStatus.OK, "");

    @Test
    void aCompletionsStreamIsToldChunkByChunkAndCountedByItsUsage() throws Exception {
        Account account = new Account(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").text(" b").text(" c").finish(5, 3));
                Target target = Servers.open(server, account, "metrics=off")) {
            target.send(Servers.request(0, 4, 3));
            account.await();
            assertThat(target.description()).isEqualTo("tiny at " + server.url());
            assertThat(server.heard).singleElement().satisfies(asked -> {
                assertThat(asked.path()).isEqualTo("/v1/completions");
                assertThat(asked.headers()).containsEntry("accept", "text/event-stream").doesNotContainKey("authorization");
                assertThat(asked.body())
                        .isEqualTo("{\"model\":\"tiny\",\"prompt\":[100,101,102,103],\"max_tokens\":3,\"min_tokens\":3,\"ignore_eos\":true,"
                                + "\"temperature\":0.0,\"stream\":true,\"stream_options\":{\"include_usage\":true,\"continuous_usage_stats\":true}}");
            });
        }
        assertThat(account.end(0)).isEqualTo(OK);
        assertThat(account.arrivals(0)).isEqualTo(List.of(1, 1, 1));
        assertThat(account.counts(0)).isEqualTo(new TokenCounts(5, 3, TokenSource.SERVER_USAGE));
    }
}
