package org.inferometer.target.http;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.target.PromptVariation;
import org.inferometer.target.WordTokenizer;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.Request;
import org.inferometer.workload.Sampling;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Writes requests for the completions or chat API.
final class RequestBody {
    private static final int BYTES_A_TOKEN = 7;
    private static final int FIXED_BYTES = 512;

    private final JsonMapper json = JsonMapper.builder().build();
    private final boolean chat;
    private final String model;
    private final WordTokenizer words;
    private final PromptVariation variation;
    private final boolean stream;
    private final ObjectNode more;
    private final @Nullable RequestMix mix;
    private final @Nullable Conversations conversations;

    /// @param more fields that the user adds
    /// @param mix kinds of requests; absent where all are alike
    /// @param conversations whose answers later turns send; absent if they send drawn stand-ins
    RequestBody(boolean chat, String model, WordTokenizer words, PromptVariation variation, boolean stream,
            ObjectNode more, @Nullable RequestMix mix, @Nullable Conversations conversations) {
        this.chat = chat;
        this.model = model;
        this.words = words;
        this.variation = variation;
        this.stream = stream;
        this.more = more;
        this.mix = mix;
        this.conversations = conversations;
    }

    /// The request as UTF-8 JSON.
    byte[] of(Request request, Dialect dialect) {
        var bytes = new ByteArrayOutputStream(FIXED_BYTES + BYTES_A_TOKEN * request.promptTokens().length);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            RequestMix.Variant kind = mix == null ? null : mix.of(request);
            out.writeStringProperty("model", kind == null || kind.model().isEmpty() ? model : kind.model());
            prompt(out, request, dialect);
            out.writeNumberProperty(dialect.sends(Dialect.RequestField.MAX_TOKENS)
                    ? Dialect.RequestField.MAX_TOKENS.id() : "max_completion_tokens", request.outputTokens());
            EarlyEnd early = request.stop().early();
            if (early.isNone() && dialect.sends(Dialect.RequestField.MIN_TOKENS)) {
                out.writeNumberProperty(Dialect.RequestField.MIN_TOKENS.id(), request.outputTokens());
            }
            if (!early.endOfSequence() && dialect.sends(Dialect.RequestField.IGNORE_EOS)) {
                out.writeBooleanProperty(Dialect.RequestField.IGNORE_EOS.id(), true);
            }
            if (!early.texts().isEmpty()) {
                out.writeArrayPropertyStart("stop");
                early.texts().forEach(out::writeString);
                out.writeEndArray();
            }
            sampling(out, request.sampling(), dialect);
            out.writeBooleanProperty("stream", stream);
            if (dialect.sends(Dialect.RequestField.USAGE)) {
                out.writeObjectPropertyStart(Dialect.RequestField.USAGE.id());
                out.writeBooleanProperty("include_usage", true);
                if (dialect.sends(Dialect.RequestField.CONTINUOUS_USAGE)) {
                    out.writeBooleanProperty(Dialect.RequestField.CONTINUOUS_USAGE.id(), true);
                }
                out.writeEndObject();
            }
            (kind == null ? more : kind.body()).propertyStream().forEach(field -> {
                out.writeName(field.getKey());
                out.writePOJO(field.getValue());
            });
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /// The prompt as it is sent; empty if token ids are sent.
    Optional<String> promptText(Request request, Dialect dialect) {
        if (conversations != null) {
            return Optional.of(conversations.messages(request).stream()
                    .map(message -> message.role() + ": " + message.content()).collect(Collectors.joining("\n")));
        }
        String text = request.promptText();
        return text != null ? Optional.of(text) : dialect.promptAsTokens() ? Optional.empty()
                : Optional.of(words.decode(variation.of(request.promptTokens())));
    }

    private void prompt(JsonGenerator out, Request request, Dialect dialect) {
        if (conversations != null) {
            messages(out, conversations.messages(request));
            return;
        }
        Optional<String> text = promptText(request, dialect);
        if (text.isEmpty()) {
            out.writeName("prompt");
            int[] ids = variation.of(request.promptTokens());
            out.writeArray(ids, 0, ids.length);
            return;
        }
        String content = text.get();
        if (chat) {
            messages(out, List.of(Conversations.Message.ofUser(content)));
        } else {
            out.writeStringProperty("prompt", content);
        }
    }

    private static void messages(JsonGenerator out, List<Conversations.Message> messages) {
        out.writeArrayPropertyStart("messages");
        messages.forEach(message -> {
            out.writeStartObject();
            out.writeStringProperty("role", message.role());
            out.writeStringProperty("content", message.content());
            out.writeEndObject();
        });
        out.writeEndArray();
    }

    private static void sampling(JsonGenerator out, Sampling sampling, Dialect dialect) {
        out.writeNumberProperty("temperature", sampling.temperature());
        if (sampling.answers() > 1) {
            out.writeNumberProperty("n", sampling.answers());
        }
        if (sampling.topP() < 1) {
            out.writeNumberProperty("top_p", sampling.topP());
        }
        if (sampling.topK() > 0 && dialect.sends(Dialect.RequestField.TOP_K)) {
            out.writeNumberProperty(Dialect.RequestField.TOP_K.id(), sampling.topK());
        }
        if (!sampling.greedy() && dialect.sends(Dialect.RequestField.SEED)) {
            // Some servers keep seeds in 32 bits with a sign.
            out.writeNumberProperty(Dialect.RequestField.SEED.id(), sampling.seed() & Integer.MAX_VALUE);
        }
    }
}
