package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.inferometer.record.Phase;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunEvent;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.PlainText;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLinesTest {
    private static final String CHARACTERS = "ab,\"\n\r\\{}= é漢😀\t\u0001";

    @TempDir
    Path folder;

    @Test
    void randomEventsOfEveryKindAreReadBackPlain() throws ReflectiveOperationException, IOException {
        List<RunEvent> plain = randomEvents(PlainText::of);
        assertThat(writtenAndRead(randomEvents(text -> text))).isEqualTo(plain);
        Files.delete(folder.resolve(RecordFiles.EVENTS));
        assertThat(writtenAndRead(plain)).isEqualTo(plain);
    }

    private static List<RunEvent> randomEvents(UnaryOperator<String> texts) throws ReflectiveOperationException {
        Random random = new Random(7);
        List<RunEvent> events = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            for (Class<?> kind : RunEvent.class.getPermittedSubclasses()) {
                events.add((RunEvent) randomRecord(kind, random, texts));
            }
        }
        events.add(new RunEvent.Gauge(1, "unknown", Double.NaN));
        return events;
    }

    @Test
    void lineNamesEveryFieldOfTheEvent() throws IOException {
        writtenAndRead(List
                .of(new RunEvent.KvTransferred(22, new RequestId(7), new PoolId(0), new PoolId(1), 32, 65_536, 2000)));
        assertThat(folder.resolve(RecordFiles.EVENTS))
                .hasContent("{\"event\":\"kv_transferred\",\"nanos\":22,\"request\":7,\"from\":0,\"to\":1,"
                        + "\"positions\":32,\"bytes\":65536,\"durationNanos\":2000}\n");
    }

    @Test
    void aHistogramIsOneShortLine() throws IOException {
        writtenAndRead(List.of(new RunEvent.HistogramGrew(22, "vllm:x_seconds", false,
                new TreeMap<>(Map.of(0.25, 3L, Double.POSITIVE_INFINITY, 1L)))));
        assertThat(folder.resolve(RecordFiles.EVENTS))
                .hasContent("{\"event\":\"histogram\",\"nanos\":22,\"name\":\"vllm:x_seconds\",\"first\":false,"
                        + "\"added\":{\"0.25\":3,\"Infinity\":1}}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"1.0\":-1}", "{\"1.0\":null}", "{\"NaN\":1}", "{\"x\":1}", "null"})
    void aDamagedHistogramIsRefused(String added) throws IOException {
        Path file = Files.writeString(folder.resolve(RecordFiles.EVENTS),
                "{\"event\":\"histogram\",\"nanos\":1,\"name\":\"x\",\"first\":true,\"added\":" + added + "}\n");
        assertThatThrownBy(() -> EventLines.read(file, new ArrayList<>())).isInstanceOf(ResultFormatException.class);
    }

    @Test
    void halfOfASurrogatePairIsReplaced() throws IOException {
        assertThat(writtenAndRead(List.of(new RunEvent.TargetMessage(1, "a\ud800b"))))
                .containsExactly(new RunEvent.TargetMessage(1, "a?b"));
    }

    @Test
    void tornLastLineIsLeftOutWithANote() throws IOException {
        RunEvent first = new RunEvent.Preempted(1, new RequestId(2), 3);
        writtenAndRead(List.of(first, new RunEvent.Preempted(2, new RequestId(2), 3)));
        Path file = folder.resolve(RecordFiles.EVENTS);
        Files.writeString(file, Files.readString(file).strip());
        List<String> notes = new ArrayList<>();
        assertThat(EventLines.read(file, notes)).containsExactly(first);
        assertThat(notes).containsExactly("The last line of events.jsonl is incomplete and was skipped.");
    }

    private List<RunEvent> writtenAndRead(List<RunEvent> events) throws IOException {
        Path file = folder.resolve(RecordFiles.EVENTS);
        try (EventLines lines = new EventLines(file)) {
            for (RunEvent event : events) {
                lines.append(event);
            }
        }
        List<String> notes = new ArrayList<>();
        List<RunEvent> read = EventLines.read(file, notes);
        assertThat(notes).isEmpty();
        return read;
    }

    private static Object randomRecord(Class<?> type, Random random, UnaryOperator<String> texts)
            throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = randomValue(types[i], random, texts);
        }
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    private static Object randomValue(Class<?> type, Random random, UnaryOperator<String> texts) {
        int number = random.nextInt(1 << random.nextInt(1, 31));
        return switch (type.getSimpleName()) {
            case "long" -> (long) number << random.nextInt(20);
            case "int" -> number;
            case "boolean" -> random.nextBoolean();
            case "double" -> number + random.nextDouble();
            case "Phase" -> Phase.values()[random.nextInt(Phase.values().length)];
            case "SortedMap" -> new TreeMap<>(Map.of(random.nextDouble(), (long) number, Double.POSITIVE_INFINITY, 2L));
            case "RequestId" -> new RequestId(number);
            case "LaneId" -> new LaneId(number);
            case "PoolId" -> new PoolId(number);
            case "String" -> texts.apply(randomText(random));
            default -> throw new IllegalArgumentException("No random value of " + type);
        };
    }

    private static String randomText(Random random) {
        int[] characters = CHARACTERS.codePoints().toArray();
        int[] text = random.ints(random.nextInt(40), 0, characters.length).map(i -> characters[i]).toArray();
        return new String(text, 0, text.length);
    }
}
