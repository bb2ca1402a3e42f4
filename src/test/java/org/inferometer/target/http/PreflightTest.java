package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.record.ServerIdentity;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What opening a target finds out.
@Timeout(30)
class PreflightTest {
    @Test
    void theOnlyModelIsTakenAndSeveralAreNamed() throws Exception {
        try (ScriptedServer server = listing("{\"data\":[{\"id\":\"alpha\"},{\"id\":\"beta\"}]}")) {
            assertFault(server, "", "The server has 2 models. Choose one with model: alpha, beta.");
            assertFault(server, "model=alpa",
                    "The server has no such model. Unknown model \"alpa\". Did you mean alpha? Valid: alpha, beta.");
            try (Target target = Servers.open(server, new RecordingListener(0), "model=beta,metrics=off")) {
                assertThat(target.description()).isEqualTo("beta at " + server.url());
            }
        }
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertFault("http://127.0.0.1:" + port, "", "No server at http://127.0.0.1:" + port
                + ": connection refused. Start the server, or give its address with url.");
        assertFault("http://no-such-host.invalid:1", "",
                "No server at http://no-such-host.invalid:1: no such host. Start the server, or give its address with url.");
    }

    @Test
    void silentServerTimesOut() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + socket.getLocalPort();
            HttpTargetKind impatient = new HttpTargetKind(name -> Optional.empty(), Duration.ofMillis(300));
            TargetSetup setup =
                    new TargetSetup(new SystemClock(), new RecordingListener(0), new RecordingListener(0), 20);
            assertThatThrownBy(() -> impatient.configure(Selection.parse("http:url=" + url)).open(setup))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("No server at " + url + ": timeout. Start the server, or give its address with url.");
        }
    }

    @Test
    void aWrongKeyAndAMissingKeyAreTold() throws Exception {
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/v1/models", (asked, wire) -> {
                    if ("Bearer right".equals(asked.headers().get("authorization"))) {
                        wire.json(200, ScriptedServer.MODELS);
                    } else {
                        wire.json(401, "{\"error\":\"Unauthorized\"}");
                    }
                })) {
            assertFault(server, "",
                    server.url() + " requires a key (401). Name its environment variable with api_key_env.");
            assertThatThrownBy(() -> Servers.open(server.url(), new RecordingListener(0), "api_key_env=A_KEY",
                    Map.of("A_KEY", "wrong"))).isInstanceOf(TargetException.class)
                    .hasMessage(server.url() + " refuses the key in A_KEY (401).");
            Servers.open(server.url(), new RecordingListener(0), "api_key_env=A_KEY", Map.of("A_KEY", "right")).close();
        }
    }

    @Test
    void aWrongAddressIsToldByWhatAnswersThere() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp())) {
            assertFault(server.url() + "/other", "", server.url()
                    + "/other has no /v1/models (404). Give the base address of an OpenAI-compatible server with url, or the model with model.");
            RecordingListener account = new RecordingListener(0);
            Servers.open(server.url() + "/other", account, "model=x,metrics=off", Map.of()).close();
            assertThat(account.said)
                    .containsExactly(server.url() + "/other lists no models (404); x is requested as given.");
        }
        try (ScriptedServer server = listing("<html>")) {
            assertFault(server, "", server.url() + " does not answer /v1/models with JSON. Check url.");
        }
        try (ScriptedServer server = listing("{\"data\":7}")) {
            assertFault(server, "", server.url() + " does not answer /v1/models with a list of models. Check url.");
        }
        try (ScriptedServer server = listing("{\"data\":[]}")) {
            assertFault(server, "", "The server lists no model. Name one with model.");
        }
    }

    @Test
    void aServerThatLoadsIsToldApart() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/v1/models",
                (asked, wire) -> wire.json(503, "{\"error\":{\"message\":\"Loading model\"}}"))) {
            assertFault(server, "",
                    server.url() + " is not ready (503: Loading model). Wait until its model is loaded.");
        }
    }

    @Test
    void promptsHaveIdsOfTheListedVocabularyOnly() throws Exception {
        try (ScriptedServer server = listing("{\"data\":[{\"id\":\"small\",\"meta\":{\"n_vocab\":1000}}]}")) {
            String said = "small knows 1000 tokens, fewer than 32000: prompts have its ids only.";
            assertThat(messages(server, "")).containsExactly(said);
            assertThat(messages(server, ",vocabulary=1000")).isEmpty();
            assertThat(messages(server, ",prompt=text")).isEmpty();
        }
    }

    private static List<String> messages(ScriptedServer server, String options) throws Exception {
        RecordingListener heard = new RecordingListener(0);
        Servers.open(server, heard, "metrics=off" + options).close();
        return heard.said;
    }

    @Test
    void serverSaysItsModelRootOwnerAndVersion() throws Exception {
        String models = "{\"data\":[{\"id\":\"tiny\",\"root\":\"/models/tiny-a1\",\"owned_by\":\"vllm\"}]}";
        try (ScriptedServer server =
                listing(models).get("/version", (asked, wire) -> wire.json(200, "{\"version\":\"0.6.3\"}"));
                Target target = Servers.open(server, new RecordingListener(0), "metrics=off")) {
            assertThat(target.server()).contains(new ServerIdentity("tiny", "/models/tiny-a1", "vllm", "0.6.3"));
        }
        try (ScriptedServer server = listing("{\"data\":[{\"id\":\"tiny\"}]}").get("/props",
                (asked, wire) -> wire.json(200, "{\"build_info\":\"b4719-abc\"}"));
                Target target = Servers.open(server, new RecordingListener(0), "metrics=off")) {
            assertThat(target.server()).contains(new ServerIdentity("tiny", "", "", "b4719-abc"));
        }
    }

    @Test
    void serverThatHidesItsVersionIsMeasured() throws Exception {
        try (ScriptedServer server = listing("{\"data\":[{\"id\":\"tiny\"}]}")
                .get("/version", (asked, wire) -> wire.hangUp()).get("/props", (asked, wire) -> wire.json(200, "[1"));
                Target target = Servers.open(server, new RecordingListener(0), "metrics=off")) {
            assertThat(target.server()).contains(new ServerIdentity("tiny", "", "", ""));
            assertThat(target.server().orElseThrow().text()).isEqualTo("software not known (version not known)");
        }
    }

    @Test
    void anEndlessListIsLeft() throws Exception {
        try (ScriptedServer server =
                ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/v1/models", (asked, wire) -> {
                    wire.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[");
                    byte[] piece = new byte[1 << 20];
                    for (int i = 0; i < 1000; i++) {
                        wire.raw(piece);
                    }
                })) {
            assertThatThrownBy(() -> Servers.open(server, new RecordingListener(0), ""))
                    .isInstanceOf(TargetException.class).hasMessageStartingWith("No server at " + server.url() + ": ");
        }
    }

    @Test
    void theSettingOfAServersStartIsNotedAndNotSent() throws Exception {
        try (ScriptedServer server = listing(ScriptedServer.MODELS)) {
            RecordingListener account = new RecordingListener(0);
            Servers.open(server.url(), account, "metrics=off", Map.of("GPU_MEMORY_UTIL", "0.9")).close();
            assertThat(account.said).containsExactly(
                    "GPU_MEMORY_UTIL=0.9 is a start option of the server; it is recorded and not sent.");
        }
    }

    private static ScriptedServer listing(String models) throws Exception {
        return ScriptedServer.start((asked, wire) -> wire.hangUp()).get("/v1/models",
                (asked, wire) -> wire.json(200, models));
    }

    private static void assertFault(ScriptedServer server, String options, String sentence) {
        assertFault(server.url(), options, sentence);
    }

    private static void assertFault(String url, String options, String sentence) {
        assertThatThrownBy(() -> Servers.open(url, new RecordingListener(0), options, Map.of()))
                .isInstanceOf(TargetException.class).hasMessage(sentence);
    }
}
