package org.inferometer.workload.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// Reads ShareGPT's JSON array of `{"conversations": [{"from": ..., "value": ...}, ...]}`: the first two turns of each.
///
/// The array may be larger than memory; only the first two texts of a conversation are held, each of bounded length.
final class ShareGptTrace {
    private static final int MAX_CHARACTERS = 1 << 21;
    private static final int ENTRIES_BETWEEN_CHECKS = 64;
    private static final int MAX_DEPTH = 64;

    private final Path file;
    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(MAX_CHARACTERS).maxNestingDepth(MAX_DEPTH).build())
            .build();

    ShareGptTrace(Path file) {
        this.file = file;
    }

    void read(TraceFile.Visitor visitor) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
                JsonParser parser = json.createParser(ObjectReadContext.empty(), in)) {
            parser.nextToken();
            boolean wanted = true;
            for (long entry = 1; wanted && parser.nextToken() == JsonToken.START_OBJECT; entry++) {
                if (entry % ENTRIES_BETWEEN_CHECKS == 0) {
                    HeapLimit.requireRoom(file);
                }
                wanted = visitor.row(conversation(parser, entry));
            }
            if (wanted && parser.currentToken() != JsonToken.END_ARRAY) {
                throw new IOException(where(parser) + "Expected a list of conversations, each an object.");
            }
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw new IOException(file + ": line " + line + ": Not valid JSON (" + OneLine.of(e)
                    + "). Check that the file is complete.", e);
        }
    }

    private TraceRow conversation(JsonParser parser, long entry) throws IOException {
        String[] turns = {"", ""};
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean conversations = parser.currentName().equals("conversations");
            JsonToken value = parser.nextToken();
            if (!conversations) {
                parser.skipChildren();
            } else if (value == JsonToken.START_ARRAY) {
                for (int turn = 0; parser.nextToken() != JsonToken.END_ARRAY; turn++) {
                    turn(parser, turn, turns, entry);
                }
            } else {
                throw new IOException(where(parser) + "\"conversations\" of entry " + entry + " is not a list.");
            }
        }
        return new TraceRow.Turns(entry, turns[0], turns[1]);
    }

    private void turn(JsonParser parser, int turn, String[] turns, long entry) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException(where(parser) + "A turn of entry " + entry + " is not an object.");
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean text = turn < turns.length && parser.currentName().equals("value");
            if (parser.nextToken() == JsonToken.VALUE_STRING && text) {
                turns[turn] = parser.getString();
            } else {
                parser.skipChildren();
            }
        }
    }

    private String where(JsonParser parser) {
        return file + ": line " + Math.max(1, parser.currentLocation().getLineNr()) + ": ";
    }
}
