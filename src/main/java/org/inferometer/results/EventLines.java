package org.inferometer.results;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunEvent;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.PlainJson;
import org.inferometer.workload.RequestId;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/// `events.jsonl`: one event of a run per line as JSON, in order.
///
/// One thread appends; the creator closes it. A last line without line feed is incomplete: reading skips it with a note.
final class EventLines implements AutoCloseable {
    private static final int MAX_EVENTS = 10_000_000;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final JsonMapper MAPPER =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();
    private static final ObjectReader READER = MAPPER.readerFor(RunEvent.class);

    private final AppendedFile out;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream(2 * BUFFER_BYTES);

    /// Creates the file, which must not exist.
    EventLines(Path file) throws IOException {
        out = new AppendedFile(file);
    }

    void append(RunEvent event) throws IOException {
        // writeValueAsBytes refuses an unpaired surrogate, which a server may send.
        byte[] line = MAPPER.writeValueAsString(event).getBytes(StandardCharsets.UTF_8);
        pending.writeBytes(PlainJson.isPlain(line, 0, line.length) ? line
                : MAPPER.writeValueAsString(PlainJson.of(MAPPER.valueToTree(event))).getBytes(StandardCharsets.UTF_8));
        pending.write('\n');
        if (pending.size() >= BUFFER_BYTES) {
            flush();
        }
    }

    /// Passes all events so far to the operating system.
    void flush() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(pending.toByteArray());
        pending.reset();
        out.append(bytes);
    }

    /// Forces everything so far to the disk.
    void force() throws IOException {
        flush();
        out.force();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }

    /// The events of a file.
    ///
    /// @param notes receives a sentence if the last line is incomplete
    /// @throws ResultFormatException with the line of the first fault
    static List<RunEvent> read(Path file, List<String> notes) throws IOException {
        try {
            return readAll(file, notes);
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        }
    }

    private static List<RunEvent> readAll(Path file, List<String> notes) throws IOException {
        List<RunEvent> events = new ArrayList<>();
        int maxLineBytes = HeapLimit.rowBytes();
        byte[] buffer = new byte[BUFFER_BYTES];
        int end = 0;
        try (InputStream in = Files.newInputStream(RegularFile.require(file))) {
            for (int read = 0; read >= 0; read = in.read(buffer, end, buffer.length - end)) {
                HeapLimit.requireRoom(file);
                end += read;
                int start = 0;
                for (int i = end - read; i < end; i++) {
                    if (buffer[i] == '\n') {
                        events.add(event(file, events.size() + 1, buffer, start, i - start));
                        start = i + 1;
                    }
                }
                System.arraycopy(buffer, start, buffer, 0, end - start);
                end -= start;
                if (events.size() > MAX_EVENTS) {
                    throw new ResultFormatException(file, events.size() + 1,
                            "there are more than " + MAX_EVENTS + " events.");
                }
                if (end == maxLineBytes) {
                    throw HeapLimit.rowExceeded(file, events.size() + 1);
                }
                buffer = end < buffer.length ? buffer : Arrays.copyOf(buffer, (int) Math.min(maxLineBytes, 2L * end));
            }
        }
        if (end > 0) {
            notes.add("The last line of " + RecordFiles.EVENTS + " is incomplete and was skipped.");
        }
        return events;
    }

    private static RunEvent event(Path file, long line, byte[] bytes, int from, int length)
            throws ResultFormatException {
        try {
            RunEvent event = PlainJson.isPlain(bytes, from, length) ? READER.readValue(bytes, from, length)
                    : READER.readValue(PlainJson.of(MAPPER.readTree(bytes, from, length)));
            if (event != null && isSound(event)) {
                return event;
            }
        } catch (JacksonException e) {
            throw new ResultFormatException(file, line,
                    "this is not an event: " + CsvReader.shortened(e.getOriginalMessage()));
        }
        throw new ResultFormatException(file, line, "the event has a value out of range.");
    }

    private static boolean isSound(RunEvent event) {
        boolean near = event.nanos() >= -TokenFile.FARTHEST_NANOS && event.nanos() <= TokenFile.FARTHEST_NANOS;
        return near && switch (event) {
            case RunEvent.PhaseStarted(var nanos, var phase, int requests, long durationNanos) ->
                requests >= 0 && durationNanos >= 0;
            case RunEvent.Admitted(var nanos, RequestId request, var lane, var again, int cached) ->
                request.index() >= 0 && lane.index() >= 0 && cached >= 0;
            case RunEvent.Preempted(var nanos, RequestId request, int lost) -> request.index() >= 0 && lost >= 0;
            case RunEvent.KvTransferred(var nanos, RequestId request, var from, var to, int positions, long bytes, long durationNanos) ->
                request.index() >= 0 && from.index() >= 0 && to.index() >= 0 && positions >= 0 && bytes >= 0
                        && durationNanos >= 0 && durationNanos <= TokenFile.FARTHEST_NANOS;
            case RunEvent.HistogramGrew(var nanos, var name, var first, SortedMap<Double, Long> added) ->
                added.size() <= RunEvent.HistogramGrew.MOST_BUCKETS && added.entrySet().stream()
                        .allMatch(each -> !each.getKey().isNaN() && each.getValue() != null && each.getValue() >= 0);
            case RunEvent.MemoryPeak(var nanos, var ofHost, double bytes) -> bytes > 0 && Double.isFinite(bytes);
            case RunEvent.TokenCountsContradicted(var nanos, RequestId request, int counted, int seen) ->
                request.index() >= 0 && counted >= 0 && seen >= 0;
            case RunEvent.ReportedTimes(var nanos, RequestId request, long prefill, long decode) ->
                request.index() >= 0 && prefill >= 0 && prefill <= TokenFile.FARTHEST_NANOS && decode >= 0
                        && decode <= TokenFile.FARTHEST_NANOS;
            case RunEvent.CachedPrompt(var nanos, RequestId request, int cached) -> request.index() >= 0 && cached >= 0;
            case RunEvent.PromptTexts(var nanos, int different) -> different >= 0;
            case RunEvent.RequestText(var nanos, RequestId request, var prompt, var answer) -> request.index() >= 0;
            case RunEvent.RequestVariant(var nanos, RequestId request, var variant) -> request.index() >= 0;
            case RunEvent.Note _,RunEvent.Gauge _,RunEvent.TargetMessage _,RunEvent.EngineFailed _,RunEvent.ImportNote _ ->
                true;
        };
    }
}
