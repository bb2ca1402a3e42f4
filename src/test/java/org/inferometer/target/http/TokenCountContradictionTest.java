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

    /// Four events of one id each cannot be sixteen tokens.
    @Test
    void totalAboveTheIdsOfAllEventsIsReported() throws Exception {
        assertThat(contradictions(withIds("7", "7", "7", "7", 16))).containsExactly("0: 16 of 4");
        assertThat(contradictions(withIds("7", "7", "7", "7", 6))).containsExactly("0: 6 of 4");
        assertThat(contradictions((asked, wire) -> wire.stream()
                .event(StreamJson.textOf("a", 4, 4).replace("\"logprobs\":null", "\"token_ids\":[7]"))
                .event(StreamJson.textOf("b", 4, 8).replace("\"logprobs\":null", "\"token_ids\":[7]")).finish(4, 8)))
                .containsExactly("0: 8 of 2");
    }

    /// Several ids an event, an end of sequence that is counted or not, ids without text, and events whose ids are unknown.
    @Test
    void totalOfTheIdsIsNotReported() throws Exception {
        for (int counted : new int[]{7, 8}) {
            assertThat(contradictions(withIds("7", "7,8", "7,8,9", "7", counted))).isEmpty();
        }
        assertThat(contradictions(withIds("7", "", "7", "7", 16))).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().event(IDS).event(IDS.replace(" ab", ""))
                .event(StreamJson.finish("length")).event(StreamJson.usage(4, 6)).done())).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().event(IDS).event(StreamJson.finish("stop"))
                .event(StreamJson.usage(4, 2)).done())).isEmpty();
    }

    @Test
    void countThatDoesNotRiseWithOutputIsReported() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("a", 4, 3))
                .event(StreamJson.textOf("b", 4, 3)).event(StreamJson.textOf("c", 4, 3)).finish(4, 3)))
                .containsExactly("0: 3 of 4");
        assertThat(contradictions(
                (asked, wire) -> wire.stream().event(StreamJson.textOf("a", 4, 3)).text("b").text("c").finish(4, 3)))
                .containsExactly("0: 3 of 5");
    }

    @Test
    void countThatRisesWithOutputIsNotReported() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("", 4, 1))
                .event(StreamJson.textOf("a", 4, 1)).event(StreamJson.textOf("", 4, 1))
                .event(StreamJson.textOf("bcde", 4, 5)).event(StreamJson.textOf("", 4, 5)).finish(4, 5))).isEmpty();
    }

    /// As SGLang does where one step holds the end of reasoning and the start of the answer.
    @Test
    void stepMayBeDividedOnceWhereReasoningEnds() throws Exception {
        String thought = reasoning("hm", 3);
        String said = content("yes", 3);
        assertThat(contradictions((asked, wire) -> wire.stream().event(reasoning("well", 1)).event(thought).event(said)
                .event(content("or no", 5)).finish(4, 5))).isEmpty();
        assertThat(contradictions(
                (asked, wire) -> wire.stream().event(thought).event(said).event(thought).event(said).finish(4, 4)))
                .containsExactly("0: 3 of 4");
    }

    /// As Ollama does: the count in every event but the last is 0.
    @Test
    void zeroUntilTheEndIsNoCount() throws Exception {
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("a", 0, 0))
                .event(StreamJson.textOf("b", 0, 0)).event(StreamJson.textOf("c", 0, 0)).finish(4, 3))).isEmpty();
        assertThat(contradictions((asked, wire) -> wire.stream().event(StreamJson.textOf("a", 0, 0))
                .event(StreamJson.textOf("b", 0, 0)).event(StreamJson.textOf("c", 0, 0)).finish(4, 2)))
                .containsExactly("0: 2 of 3");
    }

    private static String reasoning(String text, int counted) {
        return StreamJson.textOf(text, 4, counted).replace("\"text\":\"" + text + "\"",
                "\"delta\":{\"reasoning_content\":\"" + text + "\"}");
    }

    private static String content(String text, int counted) {
        return StreamJson.textOf(text, 4, counted).replace("\"text\":\"" + text + "\"",
                "\"delta\":{\"content\":\"" + text + "\"}");
    }

    private static ScriptedServer.Script withIds(String a, String b, String c, String d, int counted) {
        return (asked, wire) -> {
            wire.stream();
            for (String ids : List.of(a, b, c, d)) {
                wire.event(StreamJson.text("a").replace("\"logprobs\":null", "\"token_ids\":[" + ids + "]"));
            }
            wire.finish(4, counted);
        };
    }

    @Test
    void zeroUntilTheEndLeavesEveryEventItsInstant() throws Exception {
        assertThat(answered((asked, wire) -> wire.stream().event(StreamJson.textOf("a", 0, 0))
                .event(StreamJson.textOf("b", 0, 0)).finish(4, 2)).arrivals(0)).containsExactly(1, 1);
    }

    private static List<String> contradictions(ScriptedServer.Script script) throws Exception {
        return answered(script).contradictions;
    }

    private static RecordingListener answered(ScriptedServer.Script script) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(script);
                Target target = Servers.open(server, account, "metrics=off")) {
            target.send(Servers.request(0, 4, 3));
            account.await();
        }
        assertThat(Objects.requireNonNull(account.end(0)).status()).isEqualTo(RequestStatus.OK);
        return account;
    }
}
