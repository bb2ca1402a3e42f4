package org.inferometer.workload.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads Mooncake's JSON lines: `{"timestamp": ms, "input_length": n, "output_length": n, "hash_ids": [...]}`.
///
/// There is one id for every block of 512 tokens, the last one cut; requests whose first ids are equal begin with equal tokens.
final class MooncakeTrace {
    private static final int MAX_CHARACTERS = 1 << 20;
    private static final int MAX_TOKENS = 100_000_000;
    private static final double MAX_MILLIS = 1e12;

    private final Path file;
    private final JsonFactory json = new JsonFactory();

    MooncakeTrace(Path file) {
        this.file = file;
    }

    void read(TraceFile.Visitor visitor) throws IOException {
        AscendingInstants ascending = new AscendingInstants();
        try (BoundedLines lines = new BoundedLines(file, MAX_CHARACTERS)) {
            boolean wanted = true;
            for (String line = lines.next(); wanted && line != null; line = lines.next()) {
                if (!line.isBlank()) {
                    wanted = visitor.row(row(line, lines, ascending));
                }
            }
        }
    }

    private TraceRow row(String line, BoundedLines lines, AscendingInstants ascending) throws IOException {
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
        return fields.row(lines, ascending);
    }

    /// The fields of one line; those that are absent stay negative.
    private static final class LineFields {
        private double millis = -1;
        private int prompt = -1;
        private int output = -1;
        private long[] blocks = new long[8];
        private int blockCount;

        private void read(JsonParser parser, BoundedLines lines) throws IOException {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "timestamp" -> {
                    double value = parser.currentToken().isNumeric() ? parser.getDoubleValue() : -1;
                    require(value >= 0 && value <= MAX_MILLIS,
                            "\"timestamp\" must be milliseconds since the start of the trace", lines);
                    millis = value;
                }
                case "input_length" -> prompt = length(parser, name, lines);
                case "output_length" -> output = length(parser, name, lines);
                case "hash_ids" -> readBlocks(parser, lines);
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

        private TraceRow row(BoundedLines lines, AscendingInstants ascending) throws IOException {
            require(millis >= 0, "There is no \"timestamp\"", lines);
            require(prompt >= 0, "There is no \"input_length\"", lines);
            require(output >= 0, "There is no \"output_length\"", lines);
            int needed = Math.ceilDiv(prompt, TraceRow.Lengths.BLOCK_TOKENS);
            require(blockCount == 0 || blockCount == needed,
                    prompt + " tokens need " + needed + " \"hash_ids\" (one for 512 tokens), not " + blockCount, lines);
            long at = ascending.sinceFirst(Math.round(millis * 1e6), lines.line());
            return new TraceRow.Lengths(lines.line().number(), at, prompt, output, Arrays.copyOf(blocks, blockCount),
                    "");
        }

        private static int length(JsonParser parser, String name, BoundedLines lines) throws IOException {
            String expected = "\"" + name + "\" must be a whole number from 0 to " + MAX_TOKENS;
            require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, expected, lines);
            int tokens = parser.getIntValue();
            require(tokens >= 0 && tokens <= MAX_TOKENS, expected, lines);
            return tokens;
        }

        private static void require(boolean holds, String message, BoundedLines lines) throws IOException {
            if (!holds) {
                throw lines.fault(message + ".");
            }
        }
    }
}
