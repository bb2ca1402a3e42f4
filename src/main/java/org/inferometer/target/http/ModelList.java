package org.inferometer.target.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.target.DistinctMessages;
import org.inferometer.target.TargetException;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What `GET /v1/models` says: which models there are, and whose server it is.
///
/// @param owners what the models' `owned_by` says
/// @param vocabularies of the models that tell theirs, as llama-server's do
record ModelList(List<String> models, List<String> owners, Map<String, Integer> vocabularies) {
    private static final int SHOWN = 20;
    private static final int MOST_NAME = 300;

    /// Asks the server, which shows at once whether the address and the key are right.
    ///
    /// @throws TargetException in one sentence with a way out
    static ModelList ask(HttpSettings settings, ControlClient client, DistinctMessages notices)
            throws TargetException, InterruptedException {
        ControlClient.Reply reply;
        try {
            reply = client.get(settings.url().at("/v1/models"), true);
        } catch (IOException e) {
            throw ControlClient.unreached(settings.url(), e);
        }
        return switch (reply.status()) {
            case 200 -> read(settings, reply.body());
            case 401,
                    403 ->
                throw new TargetException(settings.key().variable().isEmpty()
                        ? settings.url() + " wants a key (" + reply.status()
                                + "); name the environment variable that holds it with api_key_env."
                        : settings.url() + " refuses the key in " + settings.key().variable() + " (" + reply.status()
                                + ").");
            case 404, 405, 501 -> unlisted(settings, reply, notices);
            case 503 -> throw new TargetException(settings.url() + " is not ready (503" + said(settings, reply)
                    + "); wait until it has loaded its model.");
            default -> throw new TargetException(settings.url() + " answers /v1/models with " + reply.status()
                    + said(settings, reply) + "; give the address of an OpenAI-compatible server with url.");
        };
    }

    /// The model to ask for.
    ///
    /// @param asked empty for the only one
    /// @throws TargetException when it is not there, or when there are several
    String choose(String asked) throws TargetException {
        if (models.isEmpty() && !asked.isEmpty()) {
            return asked;
        }
        if (models.isEmpty()) {
            throw new TargetException("The server lists no model; name one with model.");
        }
        List<String> shown = models.subList(0, Math.min(SHOWN, models.size()));
        if (asked.isEmpty() && models.size() > 1) {
            throw new TargetException("The server has " + models.size() + " models; choose one with model: "
                    + String.join(", ", shown) + ".");
        }
        if (!asked.isEmpty() && !models.contains(asked)) {
            throw new TargetException("The server has no such model. " + NearMisses.sentence("model", asked, shown));
        }
        return asked.isEmpty() ? models.getFirst() : asked;
    }

    /// Checks that ids up to a vocabulary are known to the model, where it tells how many it knows.
    ///
    /// @throws TargetException when they are not
    void requireVocabulary(String model, int vocabulary) throws TargetException {
        int known = vocabularies.getOrDefault(model, Integer.MAX_VALUE);
        if (vocabulary > known) {
            throw new TargetException(model + " knows " + known + " tokens, and prompts would be drawn from "
                    + vocabulary + "; give vocabulary=" + known + ", or prompt=text.");
        }
    }

    /// Whether it is a trtllm-serve.
    boolean isTrtLlm() {
        return owners.contains("tensorrt_llm");
    }

    private static ModelList unlisted(HttpSettings settings, ControlClient.Reply reply, DistinctMessages notices)
            throws TargetException {
        if (settings.model().isEmpty()) {
            throw new TargetException(settings.url() + " has no /v1/models (" + reply.status()
                    + "); give the base address of an OpenAI-compatible server with url, or name the model with model.");
        }
        notices.once(settings.url() + " lists no models (" + reply.status() + "); " + settings.model()
                + " is asked for as it was given.");
        return new ModelList(List.of(), List.of(), Map.of());
    }

    private static ModelList read(HttpSettings settings, byte[] body) throws TargetException {
        List<String> models = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        Map<String, Integer> vocabularies = new HashMap<>();
        try {
            JsonNode root = JsonMapper.builder().build().readTree(body);
            JsonNode data = root == null ? null : root.get("data");
            if (data == null || !data.isArray()) {
                throw new TargetException(
                        settings.url() + " answers /v1/models with something else than a list of models; check url.");
            }
            for (JsonNode model : data) {
                JsonNode id = model.get("id");
                if (id != null && id.isString() && id.stringValue().length() <= MOST_NAME) {
                    String name = OneLine.of(id.stringValue());
                    models.add(name);
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
            throw new TargetException(settings.url() + " answers /v1/models with something else than JSON; check url.",
                    e);
        }
        return new ModelList(List.copyOf(models), List.copyOf(owners), Map.copyOf(vocabularies));
    }

    private static String said(HttpSettings settings, ControlClient.Reply reply) {
        byte[] body = reply.body().length > ErrorBody.BOUND_BYTES ? Arrays.copyOf(reply.body(), ErrorBody.BOUND_BYTES)
                : reply.body();
        String message = ErrorBody.message(new ChunkReader(), body);
        return message.isEmpty() ? "" : ": " + settings.key().removedFrom(message);
    }
}
