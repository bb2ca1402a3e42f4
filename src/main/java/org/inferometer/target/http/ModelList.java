package org.inferometer.target.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetListener.DistinctMessages;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The response of `GET /v1/models`.
///
/// @param owners values of `owned_by`
/// @param vocabularies sizes, of models that report them (llama-server)
/// @param roots what each model was loaded from, of models that report it (vLLM, SGLang)
/// @param serverHeader the `Server` header, or empty
record ModelList(List<String> models, List<String> owners, Map<String, Integer> vocabularies, Map<String, String> roots,
        String serverHeader) {
    private static final int SHOWN = 20;
    private static final int MOST_NAME = 300;

    /// Requests the list, which checks address and key.
    ///
    /// @throws TargetException with the reason and the remedy
    static ModelList ask(HttpSettings settings, ControlClient client, DistinctMessages messages)
            throws TargetException, InterruptedException {
        ControlClient.Reply reply;
        try {
            reply = client.get(settings.url().at(settings.url().version() + "/models"), true);
        } catch (IOException e) {
            throw client.unreached(settings.url(), e);
        }
        return switch (reply.status()) {
            case 200 -> read(settings, reply);
            case 401,
                    403 ->
                throw new TargetException(settings.key().variable().isEmpty()
                        ? settings.url() + " requires a key (" + reply.status()
                                + "). Name its environment variable with api_key_env."
                        : settings.url() + " refuses the key in " + settings.key().variable() + " (" + reply.status()
                                + ").");
            case 404, 405, 501 -> unlisted(settings, reply, messages);
            case 503 -> throw new TargetException(settings.url() + " is not ready (503" + serverMessage(settings, reply)
                    + "). Wait until its model is loaded.");
            default -> throw new TargetException(settings.url() + " answers /v1/models with " + reply.status()
                    + serverMessage(settings, reply) + ". Give the address of an OpenAI-compatible server with url.");
        };
    }

    /// The model to request.
    ///
    /// @param asked empty for the only model
    /// @param key removed from the names in messages
    /// @throws TargetException if it does not exist, or if there are several
    String choose(String asked, ApiKey key) throws TargetException {
        if (models.isEmpty() && !asked.isEmpty()) {
            return asked;
        }
        if (models.isEmpty()) {
            throw new TargetException("The server lists no model. Name one with model.");
        }
        List<String> shown = models.stream().limit(SHOWN).map(key::removedFrom).toList();
        if (asked.isEmpty() && models.size() > 1) {
            throw new TargetException("The server has " + models.size() + " models. Choose one with model: "
                    + key.removedFrom(String.join(", ", shown)) + ".");
        }
        if (!asked.isEmpty() && !models.contains(asked)) {
            throw new TargetException(
                    "The server has no such model. " + key.removedFrom(NearMisses.sentence("model", asked, shown)));
        }
        return asked.isEmpty() ? models.getFirst() : asked;
    }

    /// The vocabulary of prompts: as asked, at most the model's own where the server lists it.
    int vocabulary(String model, int asked) {
        return Math.min(asked, vocabularies.getOrDefault(model, Integer.MAX_VALUE));
    }

    /// Whether the server is trtllm-serve.
    boolean isTrtLlm() {
        return owners.contains("tensorrt_llm");
    }

    private static ModelList unlisted(HttpSettings settings, ControlClient.Reply reply, DistinctMessages messages)
            throws TargetException {
        if (settings.model().isEmpty()) {
            throw new TargetException(settings.url() + " has no /v1/models (" + reply.status()
                    + "). Give the base address of an OpenAI-compatible server with url, or the model with model.");
        }
        messages.report(settings.url() + " lists no models (" + reply.status() + "); " + settings.model()
                + " is requested as given.");
        return new ModelList(List.of(), List.of(), Map.of(), Map.of(), reply.server());
    }

    private static ModelList read(HttpSettings settings, ControlClient.Reply reply) throws TargetException {
        List<String> models = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        Map<String, Integer> vocabularies = new HashMap<>();
        Map<String, String> roots = new HashMap<>();
        try {
            JsonNode list = JsonMapper.builder().build().readTree(reply.body());
            JsonNode data = list == null ? null : list.get("data");
            if (data == null || !data.isArray()) {
                throw new TargetException(
                        settings.url() + " does not answer /v1/models with a list of models. Check url.");
            }
            for (JsonNode model : data) {
                JsonNode id = model.get("id");
                if (id != null && id.isString() && id.stringValue().length() <= MOST_NAME) {
                    String name = OneLine.of(id.stringValue());
                    models.add(name);
                    JsonNode root = model.get("root");
                    if (root != null && root.isString()) {
                        roots.put(name, root.stringValue());
                    }
                    JsonNode size = model.path("meta").path("n_vocab");
                    if (size.isIntegralNumber() && size.canConvertToInt() && size.intValue() > 0) {
                        vocabularies.put(name, size.intValue());
                    }
                }
                JsonNode owner = model.get("owned_by");
                if (owner != null && owner.isString()) {
                    owners.add(OneLine.of(owner.stringValue()));
                }
            }
        } catch (JacksonException e) {
            // Without the cause: its message quotes the server.
            throw new TargetException(settings.url() + " does not answer /v1/models with JSON. Check url.");
        }
        return new ModelList(List.copyOf(models), List.copyOf(owners), Map.copyOf(vocabularies), Map.copyOf(roots),
                reply.server());
    }

    private static String serverMessage(HttpSettings settings, ControlClient.Reply reply) {
        byte[] body = reply.body().length > ErrorBody.BOUND_BYTES ? Arrays.copyOf(reply.body(), ErrorBody.BOUND_BYTES)
                : reply.body();
        String message = ErrorBody.message(new ChunkReader(), settings.key(), body);
        return message.isEmpty() ? "" : ": " + message;
    }
}
