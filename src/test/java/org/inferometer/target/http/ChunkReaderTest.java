package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.inferometer.workload.Refinements;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class ChunkReaderTest {
    private static final Chunk NOTHING = new Chunk(List.of(), Chunk.UNKNOWN, Chunk.UNKNOWN, Chunk.UNKNOWN, null, null);
    private final ChunkReader reader = new ChunkReader();

    @Test
    void fieldsOfAnUnexpectedTypeCountAsAbsent() {
        for (String odd : new String[]{"{}", "{\"choices\":7}", "{\"choices\":[null,3,[\"text\"]]}",
                "{\"choices\":[{\"text\":5,\"delta\":\"x\"}]}",
                "{\"choices\":[{\"text\":[\"a\"],\"finish_reason\":{\"a\":1},\"token_ids\":\"x\"}]}", "{\"usage\":[1]}",
                "{\"usage\":null}", "{\"usage\":{\"prompt_tokens_details\":{\"cached_tokens\":\"4\",\"audio\":[{}]}}}",
                "{\"usage\":{\"prompt_tokens_details\":null}}", "{\"timings\":{\"cache_n\":0.5}}",
                "{\"usage\":{\"completion_tokens\":\"7\",\"prompt_tokens\":1.5}}",
                "{\"error\":null,\"object\":7,\"message\":[1]}",
                "{\"choices\":[{\"delta\":{\"content\":{\"a\":[1,{\"b\":2}]},\"tool_calls\":null}}]}"}) {
            Chunk chunk = read(odd);
            assertThat(chunk.hasOutput()).as(odd).isFalse();
            assertThat(chunk.tokenIds()).as(odd).isEmpty();
            assertThat(chunk.finishReason()).as(odd).isNull();
            assertThat(chunk.choices()).as(odd).allMatch(choice -> choice.index() == AnswerCounts.NOT_KNOWN);
            assertThat(new Chunk(List.of(), chunk.promptTokens(), chunk.completionTokens(), chunk.cachedTokens(),
                    chunk.error(), chunk.timings())).as(odd).isEqualTo(NOTHING);
        }
    }

    @Test
    void nothingOfOneEventIsLeftForTheNext() {
        assertThat(read(
                "{\"choices\":[{\"text\":\"a\",\"token_ids\":[1],\"finish_reason\":\"stop\"}],\"usage\":{\"completion_tokens\":1},\"error\":\"x\"}"))
                .usingRecursiveComparison().isEqualTo(
                        new Chunk(List.of(new Chunk.Choice(AnswerCounts.NOT_KNOWN, true, false, new int[]{1}, "stop")),
                                Chunk.UNKNOWN, 1, Chunk.UNKNOWN, "x", null));
        assertThat(read("{}")).isEqualTo(NOTHING);
    }

    @Test
    void choicesOfAnEventAreKeptApart() {
        assertThat(read(
                "{\"choices\":[{\"index\":2,\"text\":\"a\",\"token_ids\":[7]},{\"index\":0,\"finish_reason\":\"stop\"},"
                        + "{\"text\":\"b\"},{\"index\":-3},{\"index\":99999999999999999999},{\"index\":\"1\"}]}"))
                .usingRecursiveComparison()
                .isEqualTo(new Chunk(
                        List.of(new Chunk.Choice(2, true, false, new int[]{7}, null),
                                new Chunk.Choice(0, false, false, new int[0], "stop"),
                                new Chunk.Choice(AnswerCounts.NOT_KNOWN, true, false, new int[0], null),
                                new Chunk.Choice(Integer.MAX_VALUE, false, false, new int[0], null),
                                new Chunk.Choice(Integer.MAX_VALUE, false, false, new int[0], null),
                                new Chunk.Choice(AnswerCounts.NOT_KNOWN, false, false, new int[0], null)),
                        Chunk.UNKNOWN, Chunk.UNKNOWN, Chunk.UNKNOWN, null, null));
        String many = "{\"index\":0}" + ",{\"index\":0}".repeat(9999);
        assertThat(read("{\"choices\":[" + many + "]}").choices()).hasSize(Refinements.MOST_ANSWERS + 1);
    }

    @Test
    void anErrorWithoutAMessageIsStillAnError() {
        assertThat(read("{\"error\":{\"code\":7}}").error()).isEqualTo("error without a message");
        assertThat(read("{\"object\":\"error\"}").error()).isEqualTo("error without a message");
        assertThat(read("{\"error\":{}, \"message\":\"outside\"}").error()).isEqualTo("outside");
    }

    @Test
    void whatIsNoObjectIsRefused() {
        for (String text : new String[]{"", "[]", "7", "null", "{", "{\"choices\":[{", "{\"error\":{\"message\":",
                "{'a':1}"}) {
            assertThatThrownBy(() -> read(text)).as(text).isInstanceOf(JacksonException.class);
        }
    }

    @Property(tries = 3000)
    void anyTextIsReadOrRefused(@ForAll("texts") String text) {
        try {
            assertThat(read(text)).isNotNull();
        } catch (JacksonException e) {
            assertThat(e.getOriginalMessage()).isNotNull();
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries
                .of("{", "}", "[", "]", ":", ",", "\"choices\"", "\"usage\"", "\"error\"", "\"text\"", "\"delta\"",
                        "\"content\"", "\"token_ids\"", "\"completion_tokens\"", "\"message\"", "\"object\"", "1", "-1",
                        "1e400", "null", "true", "\"a\"")
                .list().ofMaxSize(25).map(parts -> "{\"choices\":[{" + String.join("", parts));
    }

    private Chunk read(String text) {
        byte[] bytes = ("xx" + text).getBytes(StandardCharsets.UTF_8);
        return reader.read(bytes, 2, bytes.length);
    }
}
