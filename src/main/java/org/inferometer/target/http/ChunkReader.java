package org.inferometer.target.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.workload.Refinements;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.json.JsonMapper;

/// Reads the JSON of one event of a completions or chat stream as a token stream, because it runs for every chunk.
///
/// Unknown fields are skipped; a field of an unexpected type counts as absent. Not thread-safe.
final class ChunkReader {
    private static final int[] NO_IDS = {};
    /// The most token ids that are read of a choice; further ones are left out.
    static final int MAX_IDS = 1 << 16;
    // One more than a request may ask for, so that too many are noticed.
    private static final int MAX_CHOICES = Refinements.MOST_ANSWERS + 1;
    private static final double MOST_MILLIS = 86_400_000;

    private final JsonMapper json = JsonMapper.builder().build();
    private final boolean keepText;
    private final boolean keepContent;
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder content = new StringBuilder();
    private List<Chunk.Choice> choices = List.of();
    private int index;
    private boolean hasOutput;
    private boolean hasReasoning;
    private boolean saying; // its values are content
    private int[] tokenIds = NO_IDS;
    private long promptTokens;
    private long completionTokens;
    private long cachedTokens;
    private @Nullable String finishReason;
    private @Nullable String error;
    private @Nullable String message;
    private boolean isError;
    private double promptMillis;
    private double predictedMillis;

    /// A reader that keeps no text.
    ChunkReader() {
        this(false, false);
    }

    /// @param keepText whether [#outputText] has the output of an event
    /// @param keepContent whether [#content] has what a chat says in it
    ChunkReader(boolean keepText, boolean keepContent) {
        this.keepText = keepText;
        this.keepContent = keepContent;
    }

    /// What a chat says in the last event, without reasoning and tool calls; empty if it is not kept.
    String content() {
        return content.toString();
    }

    /// The output text of the last event; empty if none is kept.
    String outputText() {
        return output.toString();
    }

    /// The content of the event.
    ///
    /// @throws JacksonException if the bytes are not a JSON object
    Chunk read(byte[] bytes, int from, int to) {
        choices = List.of();
        output.setLength(0);
        content.setLength(0);
        promptTokens = Chunk.UNKNOWN;
        completionTokens = Chunk.UNKNOWN;
        cachedTokens = Chunk.UNKNOWN;
        error = null;
        message = null;
        isError = false;
        promptMillis = Double.NaN;
        predictedMillis = Double.NaN;
        try (JsonParser in = json.createParser(bytes, from, to - from)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new StreamReadException(in, "not a JSON object");
            }
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                in.nextToken();
                field(in, name);
            }
        }
        if (isError && error == null) {
            error = message == null ? "error without a message" : message;
        }
        return new Chunk(choices, promptTokens, completionTokens, cachedTokens, error, timings());
    }

    /// The message of an error body or event: that of its "error" object, else its own; absent without either.
    ///
    /// @throws JacksonException if the bytes are not a JSON object
    @Nullable
    String errorMessage(byte[] bytes) {
        String ofError = read(bytes, 0, bytes.length).error();
        return ofError == null ? message : ofError;
    }

    private void field(JsonParser in, String name) {
        switch (name) {
            case "choices" -> choices(in);
            case "usage" -> usage(in);
            case "error" -> error(in);
            case "object" -> isError |= "error".equals(text(in));
            case "message" -> message = text(in);
            case "timings" -> timings(in);
            default -> in.skipChildren();
        }
    }

    private void timings(JsonParser in) {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            in.skipChildren();
            return;
        }
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            boolean number = value == JsonToken.VALUE_NUMBER_FLOAT || value == JsonToken.VALUE_NUMBER_INT;
            if (number && name.equals("prompt_ms")) {
                promptMillis = in.getValueAsDouble();
            } else if (number && name.equals("predicted_ms")) {
                predictedMillis = in.getValueAsDouble();
            } else if (value == JsonToken.VALUE_NUMBER_INT && name.equals("cache_n")) {
                cachedTokens = count(in);
            } else {
                in.skipChildren();
            }
        }
    }

    /// The times if both are possible.
    private Chunk.@Nullable Timings timings() {
        return promptMillis >= 0 && promptMillis <= MOST_MILLIS && predictedMillis >= 0
                && predictedMillis <= MOST_MILLIS
                        ? new Chunk.Timings(Math.round(promptMillis * 1e6), Math.round(predictedMillis * 1e6)) : null;
    }

    private void choices(JsonParser in) {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            in.skipChildren();
            return;
        }
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken() != JsonToken.START_OBJECT) {
                in.skipChildren();
                continue;
            }
            choice(in);
            Chunk.Choice choice = new Chunk.Choice(index, hasOutput || hasReasoning, hasReasoning && !hasOutput,
                    tokenIds, finishReason);
            if (choices.isEmpty()) {
                choices = List.of(choice);
            } else if (choices.size() < MAX_CHOICES) {
                choices = choices.size() == 1 ? new ArrayList<>(choices) : choices;
                choices.add(choice);
            }
        }
    }

    private void choice(JsonParser in) {
        index = AnswerCounts.NOT_KNOWN;
        hasOutput = false;
        hasReasoning = false;
        tokenIds = NO_IDS;
        finishReason = null;
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            switch (name) {
                case "index" -> index = index(in);
                case "text" -> hasOutput |= output(in);
                // A whole answer has a message in place of deltas.
                case "delta", "message" -> delta(in);
                case "finish_reason" -> finishReason = text(in);
                case "token_ids" -> ids(in);
                default -> in.skipChildren();
            }
        }
    }

    /// A number that is no index of any answer becomes the largest one, which is refused later.
    private static int index(JsonParser in) {
        if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            in.skipChildren();
            return AnswerCounts.NOT_KNOWN;
        }
        return (int) Math.min(Integer.MAX_VALUE, count(in));
    }

    private void delta(JsonParser in) {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            in.skipChildren();
            return;
        }
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            switch (name) {
                case "content", "refusal" -> {
                    saying = keepContent;
                    hasOutput |= outputs(in);
                    saying = false;
                }
                case "reasoning_content", "reasoning", "reasoning_details" -> hasReasoning |= outputs(in);
                case "tool_calls" -> toolCalls(in);
                default -> in.skipChildren();
            }
        }
    }

    private void toolCalls(JsonParser in) {
        if (in.currentToken() == JsonToken.START_ARRAY) {
            while (in.nextToken() != JsonToken.END_ARRAY) {
                hasOutput = true;
                in.skipChildren();
            }
        } else {
            in.skipChildren();
        }
    }

    private void ids(JsonParser in) {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            in.skipChildren();
            return;
        }
        int[] ids = new int[4];
        int count = 0;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken() != JsonToken.VALUE_NUMBER_INT || count == MAX_IDS) {
                in.skipChildren();
                continue;
            }
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, 2 * count);
            }
            ids[count++] = in.getValueAsInt(0);
        }
        tokenIds = Arrays.copyOf(ids, count);
    }

    private void usage(JsonParser in) {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            in.skipChildren();
            return;
        }
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            if (value == JsonToken.VALUE_NUMBER_INT && name.equals("prompt_tokens")) {
                promptTokens = count(in);
            } else if (value == JsonToken.VALUE_NUMBER_INT && name.equals("completion_tokens")) {
                completionTokens = count(in);
            } else if (value == JsonToken.START_OBJECT && name.equals("prompt_tokens_details")) {
                promptDetails(in);
            } else {
                in.skipChildren();
            }
        }
    }

    private void promptDetails(JsonParser in) {
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            if (in.nextToken() == JsonToken.VALUE_NUMBER_INT && name.equals("cached_tokens")) {
                cachedTokens = count(in);
            } else {
                in.skipChildren();
            }
        }
    }

    /// A count beyond the range of long becomes the largest one, which is refused later.
    private static long count(JsonParser in) {
        return switch (in.getNumberType()) {
            case INT, LONG -> in.getLongValue() < 0 ? Long.MAX_VALUE : in.getLongValue();
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> Long.MAX_VALUE;
        };
    }

    private void error(JsonParser in) {
        JsonToken value = in.currentToken();
        if (value == JsonToken.VALUE_NULL || value == JsonToken.VALUE_FALSE) {
            return;
        }
        isError = true;
        if (value == JsonToken.VALUE_STRING) {
            error = in.getString();
        } else if (value == JsonToken.START_OBJECT) {
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                in.nextToken();
                if (name.equals("message")) {
                    error = text(in);
                } else {
                    in.skipChildren();
                }
            }
        } else {
            in.skipChildren();
        }
    }

    /// Whether the value is a text that is not empty, or a list of parts of which one has such a text.
    private boolean outputs(JsonParser in) {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            return output(in);
        }
        boolean any = false;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken() != JsonToken.START_OBJECT) {
                in.skipChildren();
                continue;
            }
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                in.nextToken();
                switch (name) {
                    // "data" is reasoning that is encrypted.
                    case "text", "summary", "data", "refusal" -> any |= output(in);
                    default -> in.skipChildren();
                }
            }
        }
        return any;
    }

    /// Whether the value is a text that is not empty.
    private boolean output(JsonParser in) {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            if (keepText) {
                output.append(in.getString());
            }
            if (saying) {
                content.append(in.getString());
            }
            return in.getStringLength() > 0;
        }
        in.skipChildren();
        return false;
    }

    private static @Nullable String text(JsonParser in) {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            return in.getString();
        }
        in.skipChildren();
        return null;
    }
}
