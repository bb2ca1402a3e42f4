package org.inferometer.workload.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/// Reads conversations, a JSON array or JSON lines: the first message of a person in each, and the answer to it.
///
/// ShareGPT writes `{"conversations": [{"from": "human", "value": "text"}, ...]}`, others `{"messages": [{"role": "user", "content":
/// "text"}, ...]}` or content as parts. Messages without a role alternate; those of other roles (system, tool) are passed over. The file may
/// be larger than memory; only two texts of a conversation are held, each of bounded length.
final class ConversationTrace {
    /// The names of a conversation's list of messages.
    static final List<String> KEYS = List.of("conversations", "messages", "conversation");

    private static final Set<String> PERSONS = Set.of("", "human", "user", "prompter");
    private static final Set<String> MODELS = Set.of("", "gpt", "assistant", "chatgpt", "bing", "bard", "model", "bot");
    private static final int MAX_CHARACTERS = 1 << 21;
    private static final int ENTRIES_BETWEEN_CHECKS = 64;
    private static final int MAX_DEPTH = 64;

    private final Path file;
    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(MAX_CHARACTERS).maxNestingDepth(MAX_DEPTH).build())
            .build();

    ConversationTrace(Path file) {
        this.file = file;
    }

    void read(TraceFile.Visitor visitor) throws IOException {
        try (InputStream in = BoundedLines.unpacked(file);
                JsonParser parser = json.createParser(ObjectReadContext.empty(), in)) {
            boolean array = parser.nextToken() == JsonToken.START_ARRAY;
            JsonToken begin = array ? parser.nextToken() : parser.currentToken();
            boolean wanted = true;
            for (long entry = 1; wanted && begin == JsonToken.START_OBJECT; entry++) {
                if (entry % ENTRIES_BETWEEN_CHECKS == 0) {
                    HeapLimit.requireRoom(file);
                }
                wanted = visitor.row(conversation(parser, entry));
                begin = wanted ? parser.nextToken() : begin;
            }
            if (wanted && begin != (array ? JsonToken.END_ARRAY : null)) {
                throw new IOException(where(parser) + "Expected a list of conversations, each an object.");
            }
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw new IOException(file + ": line " + line + ": Not valid JSON (" + OneLine.of(e)
                    + "). Check that the file is complete.", e);
        }
    }

    private TraceRow conversation(JsonParser parser, long entry) throws IOException {
        FirstAnswer found = new FirstAnswer();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (!KEYS.contains(name)) {
                parser.skipChildren();
            } else if (value == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    message(parser, found, entry);
                }
            } else {
                throw new IOException(where(parser) + '"' + name + "\" of entry " + entry + " is not a list.");
            }
        }
        return new TraceRow.Turns(entry, found.question, found.answer);
    }

    private void message(JsonParser parser, FirstAnswer found, long entry) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException(where(parser) + "A turn of entry " + entry + " is not an object.");
        }
        if (found.complete) {
            parser.skipChildren();
            return;
        }
        String role = "";
        String text = "";
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "from", "role" ->
                    role = value == JsonToken.VALUE_STRING ? LetterCase.lower(parser.getString()) : "?";
                case "value", "content", "text" -> text = text(parser);
                default -> {}
            }
            parser.skipChildren();
        }
        found.add(role, text);
    }

    /// A text, or the texts of a list of parts `{"type": "text", "text": "..."}`, each on a line of its own.
    private static String text(JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
        }
        StringJoiner texts = new StringJoiner("\n");
        int length = 0;
        for (int depth = 1; depth > 0;) {
            JsonToken token = parser.nextToken();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            boolean part = depth == 1 || (depth == 2 && "text".equals(parser.currentName()));
            if (token == JsonToken.VALUE_STRING && part && length < MAX_CHARACTERS) {
                texts.add(parser.getString());
                length = texts.length();
            }
        }
        return texts.toString();
    }

    /// Finds the first message of a person and the answer after it, whoever begins.
    private static final class FirstAnswer {
        private String question = "";
        private String answer = "";
        private boolean complete;

        private void add(String role, String text) {
            if (question.isEmpty()) {
                question = PERSONS.contains(role) ? text : "";
            } else if (MODELS.contains(role)) {
                answer = text;
                complete = true;
            }
        }
    }

    private String where(JsonParser parser) {
        return file + ": line " + Math.max(1, parser.currentLocation().getLineNr()) + ": ";
    }
}
