package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HttpProbeTest {
    private static final String KEY = "sk-secret-key-4711";
    private HttpServer server;
    private String models = "{\"data\":[{\"id\":\"m1\",\"owned_by\":\"vllm\"}]}";
    private String metrics = "vllm:num_requests_running 0\nvllm:kv_cache_usage_perc 0.1\n";
    private boolean counts = true;
    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/models", exchange -> reply(exchange, 200, "application/json", models));
        server.createContext("/version", exchange -> reply(exchange, 200, "application/json", "{\"version\":\"0.9\"}"));
        server.createContext("/metrics",
                exchange -> reply(exchange, metrics.isEmpty() ? 404 : 200, "text/plain", metrics));
        server.createContext("/v1/completions", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void reply(HttpExchange exchange, int code, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /// Each chunk waits until the client has asked for the next look, so that they arrive apart.
    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        if (status != 200) {
            reply(exchange, status, "application/json", "{\"error\":{\"message\":\"no room, " + KEY + "\"}}");
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 1; i <= 8; i++) {
                String usage = counts ? ",\"usage\":{\"prompt_tokens\":16,\"completion_tokens\":" + i + "}" : "";
                out.write(("data: {\"choices\":[{\"index\":0,\"text\":\" a\",\"finish_reason\":"
                        + (i == 8 ? "\"length\"" : "null") + "}]" + usage + "}\n\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            out.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<ProbeCheck> probe(String more) throws Exception {
        String url = "http:url=http://127.0.0.1:" + server.getAddress().getPort();
        return new HttpTargetKind(name -> name.equals("THE_KEY") ? Optional.of(KEY) : Optional.empty())
                .probe(Selection.parse(url + more));
    }

    private static List<String> outcomes(List<ProbeCheck> checks) {
        return checks.stream().filter(check -> !check.name().equals("streaming"))
                .map(check -> check.name() + " " + check.outcome()).toList();
    }

    @Test
    void aWholeServerPassesEveryCheck() throws Exception {
        List<ProbeCheck> checks = probe("");

        assertThat(outcomes(checks)).containsExactly("models PASSED", "version PASSED", "gauges PASSED",
                "request PASSED", "token counts PASSED");
        assertThat(checks).extracting(ProbeCheck::sentence).contains("m1; requests ask for m1.", "vllm 0.9.",
                "2 known gauges at http://127.0.0.1:" + server.getAddress().getPort() + "/metrics.",
                "16 prompt tokens of 16, 8 output tokens of 8.");
    }

    @Test
    void aServerBehindABufferFails() {
        assertThat(Stream.of(8, 5, 4, 3).map(instants -> TrialRequest.streaming(8, instants).outcome()))
                .containsExactly(ProbeCheck.Outcome.PASSED, ProbeCheck.Outcome.PASSED, ProbeCheck.Outcome.FAILED,
                        ProbeCheck.Outcome.FAILED);
        assertThat(TrialRequest.streaming(1, 1).outcome()).isEqualTo(ProbeCheck.Outcome.ABSENT);
        assertThat(TrialRequest.streaming(8, 1).sentence()).startsWith("8 chunks at 1 instant:");
    }

    @Test
    void missingPartsAreAbsentNotFailed() throws Exception {
        metrics = "";
        counts = false;

        assertThat(outcomes(probe(""))).containsExactly("models PASSED", "version PASSED", "gauges ABSENT",
                "request PASSED", "token counts ABSENT");
    }

    @Test
    void gaugesAreReadAsByARun() throws Exception {
        List<String> keys = new CopyOnWriteArrayList<>();
        models = "{\"data\":[{\"id\":\"t\",\"owned_by\":\"tensorrt_llm\"}]}";
        server.createContext("/mine", exchange -> {
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            reply(exchange, 200, "text/plain", metrics);
        });
        String given = "http://127.0.0.1:" + server.getAddress().getPort() + "/mine";

        assertThat(probe(",api_key_env=THE_KEY,metrics=" + given)).extracting(ProbeCheck::sentence)
                .contains("2 known gauges at " + given + ".");
        assertThat(keys).as("a given address does not get the key").containsOnly("null");
    }

    @Test
    void theFirstFailureEndsTheProbe() throws Exception {
        models = "{\"data\":[{\"id\":\"m1\"},{\"id\":\"m2\"}]}";
        assertThat(probe("")).containsExactly(
                ProbeCheck.failed("models", "The server has 2 models. Choose one with model: m1, m2."));
        server.stop(0);
        assertThat(outcomes(probe(""))).containsExactly("models FAILED");
    }

    @Test
    void aRefusedRequestFailsWithoutTheKey() throws Exception {
        status = 500;
        List<ProbeCheck> checks = probe(",api_key_env=THE_KEY");

        assertThat(outcomes(checks)).containsExactly("models PASSED", "version PASSED", "gauges PASSED",
                "request FAILED");
        assertThat(checks.getLast().sentence()).contains("500", "no room, ***");
        assertThat(checks.toString()).doesNotContain(KEY);
    }
}
