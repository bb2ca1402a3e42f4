package org.inferometer.target.http;

import java.io.IOException;
import org.inferometer.record.ServerIdentity;
import org.inferometer.units.OneLine;
import org.inferometer.units.SecretMask;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Asks a server for its version: `/version` (vLLM, SGLang, trtllm-serve), else `build_info` of `/props` (llama-server). A server that does not
/// answer keeps its version to itself: nothing fails.
final class ServerProbe {
    private static final int OK = 200;
    private static final int MOST_TEXT = 200;

    private ServerProbe() {}

    static ServerIdentity of(HttpSettings settings, ControlClient client, ModelList models, String model)
            throws InterruptedException {
        String version = text(settings, client, "/version", "version");
        if (version.isEmpty()) {
            version = text(settings, client, "/props", "build_info");
        }
        String software = models.owners().stream().findFirst().orElse(models.serverHeader());
        ApiKey key = settings.key();
        ServerIdentity identity = new ServerIdentity(key.removedFrom(model),
                shown(key, models.roots().getOrDefault(model, "")), shown(key, software), shown(key, version));
        String all = identity.model() + identity.root() + identity.software() + identity.version();
        // A server may divide the key among its names.
        return key.maskedIn(all).equals(all) ? identity : new ServerIdentity(SecretMask.LEFT_OUT, "", "", "");
    }

    private static String text(HttpSettings settings, ControlClient client, String path, String field)
            throws InterruptedException {
        try {
            ControlClient.Reply reply = client.get(settings.url().at(path), true);
            JsonNode root = reply.status() == OK ? JsonMapper.builder().build().readTree(reply.body()) : null;
            JsonNode value = root == null ? null : root.get(field);
            return value != null && value.isString() ? value.stringValue() : "";
        } catch (IOException | JacksonException e) {
            return "";
        }
    }

    private static String shown(ApiKey key, String text) {
        String line = OneLine.of(text.substring(0, Math.min(MOST_TEXT, text.length())));
        return key.removedFrom(line);
    }
}
