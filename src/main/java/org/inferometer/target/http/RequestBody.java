package org.inferometer.target.http;

import java.io.ByteArrayOutputStream;
import org.inferometer.target.WordTokenizer;
import org.inferometer.workload.Request;
import org.inferometer.workload.Sampling;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/// Writes requests for the completions or chat API.
final class RequestBody {
    private static final int BYTES_A_TOKEN = 7;
    private static final int FIXED_BYTES = 512;

    private final JsonMapper json = JsonMapper.builder().build();
    private final boolean chat;
    private final String model;
    private final WordTokenizer words;

    RequestBody(boolean chat, String model, WordTokenizer words) {
        this.chat = chat;
        this.model = model;
        this.words = words;
    }

    /// The request as UTF-8 JSON.
    byte[] of(Request request, Dialect dialect) {
        var bytes = new ByteArrayOutputStream(FIXED_BYTES + BYTES_A_TOKEN * request.promptTokens().length);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringProperty("model", model);
            prompt(out, request, dialect);
            out.writeNumberProperty(
                    dialect.sends(Dialect.Field.MAX_TOKENS) ? Dialect.Field.MAX_TOKENS.word() : "max_completion_tokens",
                    request.outputTokens());
            if (dialect.sends(Dialect.Field.MIN_TOKENS)) {
                out.writeNumberProperty(Dialect.Field.MIN_TOKENS.word(), request.outputTokens());
            }
            if (dialect.sends(Dialect.Field.IGNORE_EOS)) {
                out.writeBooleanProperty(Dialect.Field.IGNORE_EOS.word(), true);
            }
            sampling(out, request.sampling(), dialect);
            out.writeBooleanProperty("stream", true);
            if (dialect.sends(Dialect.Field.USAGE)) {
                out.writeObjectPropertyStart(Dialect.Field.USAGE.word());
                out.writeBooleanProperty("include_usage", true);
                if (dialect.sends(Dialect.Field.CONTINUOUS_USAGE)) {
                    out.writeBooleanProperty(Dialect.Field.CONTINUOUS_USAGE.word(), true);
                }
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private void prompt(JsonGenerator out, Request request, Dialect dialect) {
        String text = request.promptText();
        if (text == null && dialect.promptAsTokens()) {
            out.writeName("prompt");
            out.writeArray(request.promptTokens(), 0, request.promptTokens().length);
            return;
        }
        String content = text == null ? words.decode(request.promptTokens()) : text;
        if (chat) {
            out.writeArrayPropertyStart("messages");
            out.writeStartObject();
            out.writeStringProperty("role", "user");
            out.writeStringProperty("content", content);
            out.writeEndObject();
            out.writeEndArray();
        } else {
            out.writeStringProperty("prompt", content);
        }
    }

    private static void sampling(JsonGenerator out, Sampling sampling, Dialect dialect) {
        out.writeNumberProperty("temperature", sampling.temperature());
        if (sampling.topP() < 1) {
            out.writeNumberProperty("top_p", sampling.topP());
        }
        if (sampling.topK() > 0 && dialect.sends(Dialect.Field.TOP_K)) {
            out.writeNumberProperty(Dialect.Field.TOP_K.word(), sampling.topK());
        }
        if (!sampling.greedy() && dialect.sends(Dialect.Field.SEED)) {
            // Some servers keep seeds in 32 bits with a sign.
            out.writeNumberProperty(Dialect.Field.SEED.word(), sampling.seed() & Integer.MAX_VALUE);
        }
    }
}
