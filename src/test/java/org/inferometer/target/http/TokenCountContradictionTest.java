package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers whose token counts contradict their events are found out; those that agree are not accused.
@Timeout(20)
class TokenCountContradictionTest {
    private static final String IDS = "{\"choices\":[{\"index\":0,\"text\":\" ab\",\"token_ids\":[7,8,9]}]}";

    @Test
    void countBelowTheEventsIsReported() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().text("a").text("b").text("c").finish(4, 2)))
                .containsExactly("0: 2 of 3");
        assertThat(contradictions((asked, wire) -> wire.stream().text("a").text("b").finish(4, 0)))
                .containsExactly("0: 0 of 2");
        assertThat(contradictions((asked, wire) -> wire.stream().event(IDS).finish(4, 2))).containsExactly("0: 2 of 3");
    }

    @Test
    void zeroWithEveryChunkIsReported() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("a", 4, 0))
                .event(StreamJson.textOf("b", 4, 0)).finish(4, 0))).containsExactly("0: 0 of 2");
    }

    @Test
    void fallingCountIsReportedOnce() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("a", 4, 5))
                .event(StreamJson.textOf("b", 4, 3)).event(StreamJson.textOf("c", 4, 1)).finish(4, 7)))
                .containsExactly("0: 3 of 5");
    }

    @Test
    void agreeingCountsAreNotReported() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().text("a").text("b").finish(4, 2))).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().text("a").text("bcd").finish(4, 9))).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("", 4, 0))
                .event(StreamJson.textOf("a", 4, 0)).event(StreamJson.textOf("bc", 4, 2)).finish(4, 3))).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().event(IDS).finish(4, 3))).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().text("a").event(StreamJson.finish("stop")).done()))
                .isEmpty();
    }

    private static List<String> contradictions(ScriptedServer.Script script) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(script);
                Target target = Servers.open(server, account, "metrics=off")) {
            target.send(Servers.request(0, 4, 3));
            account.await();
        }
        assertThat(Objects.requireNonNull(account.end(0)).status()).isEqualTo(RequestStatus.OK);
        return account.contradictions;
    }
}
