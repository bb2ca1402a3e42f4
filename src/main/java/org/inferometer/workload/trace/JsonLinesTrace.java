package org.inferometer.workload.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads JSON lines of requests: `{"timestamp": t, "input_length": n, "output_length": n, "hash_ids": [...]}`.
///
/// Mooncake counts milliseconds and has an id for every block of 512 tokens, the last one cut; Bailian, known by its "chat_id", counts
/// seconds and has blocks of 16. AIPerf may give "text_input" in place of a length. Requests whose first ids are equal begin with equal
/// tokens.
final class JsonLinesTrace {
    private static final int MAX_CHARACTERS = 1 << 20;
    private static final int MAX_TOKENS = 100_000_000;
    private static final int BLOCK_TOKENS = 512;
    private static final int BAILIAN_BLOCK_TOKENS = 16;

    private final Path file;
    private final JsonRows rows;
    private final boolean timed;
    private final AscendingInstants ascending = new AscendingInstants();
    private final Set<String> sessions = new HashSet<>();
    private @Nullable String lastSession;
    private long lastNanos;
    private final JsonFactory json = new JsonFactory();

    /// @param timed whether the rows have instants
    JsonLinesTrace(Path file, JsonRows rows, boolean timed) {
        this.file = file;
        this.rows = rows;
        this.timed = timed;
    }

    void read(TraceFile.Visitor visitor) throws IOException {
        try (BoundedLines lines = new BoundedLines(file, MAX_CHARACTERS)) {
            boolean wanted = true;
            for (String line = lines.next(); wanted && line != null; line = lines.next()) {
                if (!line.isBlank()) {
                    wanted = visitor.row(row(line, lines));
                }
            }
        }
    }

    private TraceRow row(String line, BoundedLines lines) throws IOException {
        LineFields fields = new LineFields();
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw lines.fault("Expected one JSON object a line.");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                fields.read(parser, lines);
            }
            if (parser.nextToken() != null) {
                throw lines.fault("Text follows the JSON object. Write each object on a line of its own.");
            }
        } catch (JacksonException e) {
            throw lines.fault("Not valid JSON (" + OneLine.of(e) + "). Check that the file is complete.", e);
        }
        return row(fields, lines);
    }

    private TraceRow row(LineFields fields, BoundedLines lines) throws IOException {
        boolean later = isLaterTurn(fields, lines);
        require(fields.prompt >= 0 || fields.text != null, "There is no \"input_length\" and no \"text_input\"", lines);
        int output = fields.output < 0 ? rows.outputTokens() : fields.output;
        require(output > 0 || fields.output == 0,
                "There is no \"output_length\"; give the length of such answers with output=", lines);
        require(timed || fields.time < 0,
                "This row has a \"timestamp\", the first row has none; give it to all rows or to none", lines);
        if (timed && !later) {
            lastNanos = ascending.sinceFirst(nanos(fields.time, "timestamp", fields, lines), lines.line());
        }
        long at = lastNanos;
        String text = fields.text;
        if (text != null) {
            require(fields.prompt < 0, "A row has either \"input_length\" or \"text_input\"", lines);
            require(!later, "A later turn of a session needs \"input_length\"; its text is not replayed", lines);
            return new TraceRow.Text(lines.line().number(), at, text, output);
        }
        int block = rows.blockTokens() > 0 ? rows.blockTokens() : fields.chat ? BAILIAN_BLOCK_TOKENS : BLOCK_TOKENS;
        int ids = fields.blockCount;
        int needed = Math.ceilDiv(fields.prompt, block);
        // More ids than needed are a block size unknown here, unless a person gave it.
        require(ids == 0 || ids == needed || (ids > needed && rows.blockTokens() > 0),
                fields.prompt + " tokens need " + needed + " \"hash_ids\" of " + block + " tokens, not " + ids
                        + "; give the tokens of an id with block_size=",
                lines);
        TraceRow.Lengths row = new TraceRow.Lengths(lines.line().number(), at, fields.prompt, output,
                Arrays.copyOf(fields.blocks, ids), block, "");
        return later ? new TraceRow.LaterTurn(row, fields.delay < 0 ? 0 : nanos(fields.delay, "delay", fields, lines))
                : row;
    }

    private boolean isLaterTurn(LineFields fields, BoundedLines lines) throws IOException {
        String session = fields.session;
        boolean later = session != null && session.equals(lastSession);
        require(session == null || later || sessions.add(session),
                "The rows of a \"session_id\" stand apart; write them below each other", lines);
        require(!later || rows.sessions(),
                "This is a later turn of its \"session_id\"; replay turns after each other with sessions=true", lines);
        require(!later || fields.time < 0 || fields.delay >= 0,
                "A later turn needs the \"delay\" after the turn before, not a \"timestamp\"", lines);
        lastSession = session;
        return later;
    }

    private long nanos(double time, String name, LineFields fields, BoundedLines lines) throws IOException {
        require(time >= 0, "There is no \"" + name + '"', lines);
        JsonRows.TimestampUnit unit = rows.unit();
        boolean seconds = unit == JsonRows.TimestampUnit.AUTO ? fields.chat : unit == JsonRows.TimestampUnit.S;
        require(seconds || !fields.decimal || unit == JsonRows.TimestampUnit.MS,
                "A time of this row has decimals and may count seconds or milliseconds; say it with unit=s or unit=ms",
                lines);
        double nanos = time * (seconds ? 1e9 : 1e6);
        require(nanos < Long.MAX_VALUE, '"' + name + "\" is too large; check unit=", lines);
        return Math.round(nanos);
    }

    private static void require(boolean holds, String message, BoundedLines lines) throws IOException {
        if (!holds) {
            throw lines.fault(message + ".");
        }
    }

    /// The fields of one line; those that are absent stay negative.
    private static final class LineFields {
        private double time = -1;
        private double delay = -1;
        private boolean decimal;
        private boolean chat;
        private int prompt = -1;
        private int output = -1;
        private @Nullable String text;
        private @Nullable String session;
        private long[] blocks = new long[8];
        private int blockCount;

        private void read(JsonParser parser, BoundedLines lines) throws IOException {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                return;
            }
            switch (name) {
                case "timestamp" ->
                    time = time(parser, "\"timestamp\" must be a time since the start of the trace", lines);
                case "delay" -> delay = time(parser, "\"delay\" must be a time after the turn before", lines);
                case "input_length" -> prompt = length(parser, name, lines);
                case "output_length" -> output = length(parser, name, lines);
                case "hash_ids" -> readBlocks(parser, lines);
                case "text_input" -> {
                    require(value == JsonToken.VALUE_STRING, "\"text_input\" must be text", lines);
                    text = parser.getString();
                }
                case "chat_id", "parent_chat_id" -> {
                    chat = true;
                    parser.skipChildren();
                }
                case "session_id" -> session = value.isScalarValue() ? parser.getString() : "";
                default -> parser.skipChildren();
            }
        }

        private void readBlocks(JsonParser parser, BoundedLines lines) throws IOException {
            require(parser.currentToken() == JsonToken.START_ARRAY, "\"hash_ids\" must be a list of whole numbers",
                    lines);
            blockCount = 0;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT,
                        "\"hash_ids\" must be a list of whole numbers", lines);
                if (blockCount == blocks.length) {
                    blocks = Arrays.copyOf(blocks, 2 * blockCount);
                }
                blocks[blockCount++] = parser.getLongValue();
            }
        }

        private double time(JsonParser parser, String expected, BoundedLines lines) throws IOException {
            double read = parser.currentToken().isNumeric() ? parser.getDoubleValue() : -1;
            require(read >= 0 && read < Double.MAX_VALUE, expected, lines);
            decimal |= parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT;
            return read;
        }

        private static int length(JsonParser parser, String name, BoundedLines lines) throws IOException {
            String expected = "\"" + name + "\" must be a whole number from 0 to " + MAX_TOKENS;
            require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, expected, lines);
            int tokens = parser.getIntValue();
            require(tokens >= 0 && tokens <= MAX_TOKENS, expected, lines);
            return tokens;
        }
    }
}
