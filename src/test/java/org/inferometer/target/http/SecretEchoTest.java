package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A server that echoes the key in some spelling at every place: no message, reason or name holds it.
@Timeout(60)
class SecretEchoTest {
    private static final String KEY = "sk-Ab3/Xy9+Q~\"\\z7Lm0&pR5";

    static List<String> spellings() {
        return List.copyOf(all().values());
    }

    private static Map<String, String> all() {
        return all(KEY);
    }

    private static Map<String, String> all(String key) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("literal", key);
        all.put("upper case", key.toUpperCase(Locale.ROOT));
        all.put("lower case", key.toLowerCase(Locale.ROOT));
        all.put("url", URLEncoder.encode(key, StandardCharsets.UTF_8));
        all.put("url twice", URLEncoder.encode(all.get("url"), StandardCharsets.UTF_8));
        all.put("every character url",
                key.chars().mapToObj(c -> String.format(Locale.ROOT, "%%%02x", c)).collect(Collectors.joining()));
        all.put("json", key.replace("\\", "\\\\").replace("\"", "\\\"").replace("/", "\\/"));
        all.put("every character json",
                key.chars().mapToObj(c -> String.format(Locale.ROOT, "\\u%04x", c)).collect(Collectors.joining()));
        all.put("html", key.replace("&", "&amp;").replace("\"", "&quot;"));
        for (String before : List.of("", "Bearer ", "user:", "ab:", "a:")) {
            byte[] bytes = (before + key).getBytes(StandardCharsets.US_ASCII);
            all.put("base64 of " + before, Base64.getEncoder().encodeToString(bytes));
            all.put("url base64 of " + before, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        all.put("base64 in url", URLEncoder.encode(all.get("base64 of user:"), StandardCharsets.UTF_8));
        all.put("in two lines", key.substring(0, 9) + "\n" + key.substring(9));
        return all;
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void spellingIsRemovedAndTheRestStays(String spelling) {
        ApiKey key = ApiKey.of("MY_KEY", KEY);
        assertThat(key.removedFrom("bad key '" + spelling + "' for tiny")).isEqualTo("bad key '***' for tiny");
    }

    @Test
    void halfOfTheKeyIsRemoved() {
        ApiKey key = ApiKey.of("MY_KEY", "sk-0123456789abcdef");
        assertThat(key.removedFrom("first sk-012345678")).isEqualTo("first ***");
        assertThat(key.removedFrom("then 6789abcdef.")).isEqualTo("then ***.");
        assertThat(key.removedFrom("cut sk-01…, sk…")).isEqualTo("cut ***…, sk…");
        assertThat(key.removedFrom("sk-0123 is short; plain text stays: %41 \\u0041 &amp; QUJD"))
                .isEqualTo("sk-0123 is short; plain text stays: %41 \\u0041 &amp; QUJD");
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void requestReasonsHoldNoKey(String spelling) throws Exception {
        String header = spelling.replace("\n", "");
        List<ScriptedServer.Script> places = List.of((asked, wire) -> wire.json(403, error(spelling)),
                (asked, wire) -> wire.reply(500, "text/plain", "x".repeat(230) + " " + spelling),
                (asked, wire) -> wire.stream().text(" a").event(error(spelling)).done(),
                (asked, wire) -> wire.stream()
                        .event("{\"broken\":" + "x".repeat(50) + spelling.replace("\n", "\ndata: ")).done(),
                (asked, wire) -> wire.stream().piece("error: {\"message\":" + quoted(spelling) + "}\n\n").end(),
                (asked, wire) -> wire.raw("HTTP/1.1 307 Go\r\nLocation: /" + header + "\r\nContent-Length: 0\r\n\r\n"),
                (asked, wire) -> wire.raw("HTTP/1.1 307 Go\r\nLocation: http://elsewhere.test/v1/" + header
                        + "\r\nContent-Length: 0\r\n\r\n"),
                (asked, wire) -> wire
                        .raw("HTTP/1.1 200 OK\r\nContent-Encoding: " + header + "\r\nContent-Length: 0\r\n\r\n"),
                (asked, wire) -> wire
                        .raw("HTTP/1.1 200 OK\r\nContent-Type: " + header + "\r\nContent-Length: 0\r\n\r\n"),
                (asked, wire) -> wire.raw(header + " 200 OK\r\n\r\n"),
                (asked, wire) -> wire.raw("HTTP/1.1 200 OK\r\n" + header + "\r\n\r\n").hangUp());
        RecordingListener account = new RecordingListener(places.size());
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> places
                .get(Integer.parseInt(asked.body().replaceAll("(?s).*\"max_tokens\":(\\d+).*", "$1")) - 1)
                .answer(asked, wire));
                Target target =
                        Servers.open(server.url(), account, "metrics=off,api_key_env=MY_KEY", Map.of("MY_KEY", KEY))) {
            for (int i = 0; i < places.size(); i++) {
                target.send(Servers.request(i, 1, i + 1));
            }
            account.await();
        }
        assertHidden(account.ends() + " " + account.said);
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void modelNamesAndGaugesHoldNoKey(String spelling) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.stream().text(" a").finish(1, 1))
                .get("/v1/models", (asked, wire) -> wire.json(200, "{\"data\":[{\"id\":" + quoted(spelling) + "}]}"))
                .get("/metrics", (asked, wire) -> wire.reply(200, "text/plain",
                        "vllm:num_requests_running{engine=\"0\"} 1\n"))) {
            Map<String, String> environment = Map.of("MY_KEY", KEY);
            try (Target target = Servers.open(server.url(), account, "api_key_env=MY_KEY", environment)) {
                assertHidden(target.description());
                assertThat(account.firstGauge.await(5, TimeUnit.SECONDS)).isTrue();
            }
            TargetException unknown = catchThrowableOfType(TargetException.class, () -> Servers.open(server.url(),
                    account, "metrics=off,model=none,api_key_env=MY_KEY", environment));
            assertHidden(String.valueOf(unknown.getMessage()));
        }
        for (String body : List.of("HTTP/1.1 500 No\r\nContent-Length: %d\r\n\r\n%s",
                "HTTP/1.1 200 OK\r\n%2$s %d\r\n\r\n", "%2$s %d\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s")) {
            String text = spelling.replace("\n", "");
            try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/v1/models",
                    (asked, wire) -> wire.raw(String.format(Locale.ROOT, body, text.length(), text)).hangUp())) {
                TargetException refused = catchThrowableOfType(TargetException.class, () -> Servers.open(server.url(),
                        account, "metrics=off,api_key_env=MY_KEY", Map.of("MY_KEY", KEY)));
                assertHidden(String.valueOf(refused.getMessage()));
                assertThat(refused).hasNoCause();
            }
        }
        assertHidden(account.said + "");
    }

    @Test
    void gaugeNamesHoldNoKey() throws Exception {
        String key = "sk-Ab3/Xy9+Q";
        StringBuilder gauges = new StringBuilder("vllm:num_requests_running{engine=\"1\"} 1\n");
        all(key).values().forEach(spelling -> gauges.append("vllm:num_requests_running{engine=\"")
                .append(spelling.replace("\n", "")).append("\"} 1\n"));
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/metrics",
                (asked, wire) -> wire.reply(200, "text/plain", gauges.toString()));
                Target target = Servers.open(server.url(), account, "api_key_env=MY_KEY", Map.of("MY_KEY", key))) {
            assertThat(account.firstGauge.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(target.description()).isEqualTo("tiny at " + server.url());
        }
        assertThat(account.gauges.keySet()).isSubsetOf("vllm:num_requests_running",
                "vllm:num_requests_running{engine=1}", "vllm:num_requests_running{engine=***}");
    }

    /// Fails if a part of any spelling of the key is in the text, or the name of a Java class.
    private static void assertHidden(String text) {
        String without = text.replaceAll("\\s", "").toLowerCase(Locale.ROOT);
        for (String spelling : all().values()) {
            String part = spelling.replaceAll("\\s", "").toLowerCase(Locale.ROOT);
            for (int i = 0; i + 14 <= part.length(); i++) {
                assertThat(without).doesNotContain(part.substring(i, i + 14));
            }
        }
        assertThat(text).doesNotContainPattern("[A-Z]\\w+(Exception|Error)\\b");
    }

    private static String error(String text) {
        return "{\"error\":{\"message\":" + quoted("bad key " + text) + "}}";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
