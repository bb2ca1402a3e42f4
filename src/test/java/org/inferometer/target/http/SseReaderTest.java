package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SseReaderTest {
    private static final int BOUND = 4096;

    @Test
    void eventsEndWithAnEmptyLineWhateverEndsALine() throws Exception {
        for (String end : List.of("\n", "\r\n", "\r")) {
            assertThat(events("data: a" + end + end + "data:b" + end + end, 1)).containsExactly("a", "b");
        }
    }

    @Test
    void severalDataLinesAreOneEventJoinedByLineFeeds() throws Exception {
        assertThat(events("data: a\ndata\ndata:  b\n\n", 100)).containsExactly("a\n\n b");
    }

    @Test
    void commentsOtherFieldsAndEventsWithoutDataAreNoEvents() throws Exception {
        assertThat(events(": keep alive\n\nevent: x\nid: 1\nretry: 5\n\ndatum: no\nerroneous: no\n\ndata: a\n\n", 100))
                .containsExactly("a");
    }

    @Test
    void aByteOrderMarkIsToleratedAtTheStartAlone() throws Exception {
        assertThat(events("\uFEFFdata: a\n\n\uFEFFdata: b\n\n", 2)).containsExactly("a");
    }

    @Test
    void anErrorFieldIsToldApart() throws Exception {
        assertThat(events("error: {\"code\":500}\n\ndata: a\n\n", 100)).containsExactly("error {\"code\":500}", "a");
    }

    @Test
    void aLastEventWithoutItsEmptyLineIsTaken() throws Exception {
        assertThat(events("data: a\n\ndata: [DONE]", 3)).containsExactly("a", "[DONE]");
        assertThat(events("data: [DONE]\n", 3)).containsExactly("[DONE]");
    }

    @Test
    void aLineThatDoesNotEndIsRefusedAtTheBoundAndNoMoreIsHeld() {
        SseReader reader = new SseReader(BOUND);
        byte[] piece = "data: xxxxxxxxxxxxxxxxxxxxxxxxxx".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> {
            for (int i = 0; i < BOUND; i++) {
                reader.feed(piece, 0, piece.length, new Told());
            }
        }).isInstanceOf(SseReader.TooLongException.class).hasMessage("a line or an event is longer than 4096 bytes");
        assertThat(reader.heldBytes()).isLessThanOrEqualTo(2 * BOUND);
    }

    @Test
    void anEventOfEndlesslyManyLinesIsRefusedToo() {
        SseReader reader = new SseReader(BOUND);
        byte[] piece = "data: xxxxxxxxxxxxxxxxxxxxxxxxxx\n".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> {
            for (int i = 0; i < BOUND; i++) {
                reader.feed(piece, 0, piece.length, new Told());
            }
        }).isInstanceOf(SseReader.TooLongException.class);
        assertThat(reader.heldBytes()).isLessThanOrEqualTo(2 * BOUND);
    }

    @Property(tries = 2000)
    void anySplitOfAnyStreamGivesTheSameEvents(@ForAll("streams") byte[] stream, @ForAll("cuts") List<Integer> cuts)
            throws Exception {
        assertThat(cut(stream, cuts)).isEqualTo(plain(stream));
    }

    @Property(tries = 1000)
    void anyBytesAtAllGiveTheSameEventsHoweverTheyAreCut(@ForAll byte[] stream, @ForAll("cuts") List<Integer> cuts)
            throws Exception {
        assertThat(cut(stream, cuts)).isEqualTo(plain(stream));
    }

    @Provide
    Arbitrary<byte[]> streams() {
        return Arbitraries
                .of("data: ", "data:", "data", "error: x", ":", "\n", "\n", "\n\n", "\r", "\r\n", "{\"a\":\"é\"}", "🦜",
                        "[DONE]", " ", "\uFEFF", "x")
                .list().ofMaxSize(40).map(parts -> String.join("", parts).getBytes(StandardCharsets.UTF_8));
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(1, 9).list().ofMinSize(1).ofMaxSize(20);
    }

    private static List<String> events(String stream, int pieceBytes) throws SseReader.TooLongException {
        return cut(stream.getBytes(StandardCharsets.UTF_8), List.of(pieceBytes));
    }

    private static List<String> cut(byte[] stream, List<Integer> cuts) throws SseReader.TooLongException {
        Told told = new Told();
        SseReader reader = new SseReader(BOUND);
        int at = 0;
        for (int i = 0; at < stream.length; i++) {
            int to = Math.min(stream.length, at + cuts.get(i % cuts.size()));
            // A buffer of its own each time, overwritten afterwards: nothing may be kept of it.
            byte[] piece = new byte[to - at + 2];
            System.arraycopy(stream, at, piece, 1, to - at);
            reader.feed(piece, 1, piece.length - 1, told);
            Arrays.fill(piece, (byte) '!');
            at = to;
        }
        reader.end(told);
        return told.events;
    }

    /// The same rules, written as plainly as can be over the whole text.
    private static List<String> plain(byte[] stream) {
        String text = new String(stream, StandardCharsets.ISO_8859_1);
        text = text.startsWith("\u00EF\u00BB\u00BF") ? text.substring(3) : text;
        List<String> events = new ArrayList<>();
        List<String> data = new ArrayList<>();
        for (String line : (text + "\n\n").replace("\r\n", "\n").replace('\r', '\n').split("\n", -1)) {
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            if (line.isEmpty() && !data.isEmpty()) {
                events.add(String.join("\n", data));
                data.clear();
            } else if (field.equals("data")) {
                data.add(value);
            } else if (field.equals("error")) {
                events.add("error " + value);
            }
        }
        return events.stream()
                .map(event -> new String(event.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)).toList();
    }

    private static final class Told implements SseReader.Events {
        private final List<String> events = new ArrayList<>();

        @Override
        public void data(byte[] bytes, int from, int to) {
            events.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }

        @Override
        public void error(byte[] bytes, int from, int to) {
            events.add("error " + new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }
    }
}
