package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The clients speak HTTP/1.1 and ask for nothing else: a server that answers otherwise ends in one sentence.
@Timeout(60)
class Http2ServersTest {
    private static final String ONLY_HTTP_1 = "Requests are sent in HTTP/1.1; turn it on at the server.";
    private static final Map<String, ScriptedServer.Script> KINDS =
            Map.of("settings", (asked, wire) -> wire.raw(Http2Frames.SETTINGS).raw(Http2Frames.GOAWAY).hangUp(),
                    "preface", (asked, wire) -> wire.raw(Http2Frames.PREFACE).hangUp(), "version",
                    (asked, wire) -> wire.raw("HTTP/2 200 \r\nContent-Length: 2\r\n\r\n{}").hangUp(), "switch",
                    (asked, wire) -> wire.raw(Http2Frames.SWITCHED).raw(Http2Frames.SETTINGS).hangUp(),
                    "switch and wait", (asked, wire) -> {
                        wire.raw(Http2Frames.SWITCHED).raw(Http2Frames.SETTINGS);
                        Thread.sleep(5_000);
                    });

    @ParameterizedTest
    @ValueSource(strings = {"settings", "preface", "version", "switch", "switch and wait"})
    void aRequestEndsInOneSentence(String kind) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(KINDS.get(kind));
                Target target = Servers.open(server, account, "metrics=off,timeout=30")) {
            target.send(Servers.request(0, 2, 2));
            account.await();
            assertThat(server.heard.getFirst().headers()).doesNotContainKeys("upgrade", "http2-settings");
        }
        assertThat(account.end(0).reason())
                .isEqualTo((kind.startsWith("switch") ? "The server switched to another protocol (101), unasked. "
                        : "The server answers in HTTP/2. ") + ONLY_HTTP_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"settings", "preface", "version", "switch", "switch and wait"})
    void aLookAtTheModelsEndsInOneSentence(String kind) throws Exception {
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.json(500, "{}"))) {
            server.get("/v1/models", KINDS.get(kind));
            String said = "";
            try (Target target = Servers.open(server, new RecordingListener(0), "metrics=off,timeout=2")) {
                assertThat(target).isNotNull();
            } catch (TargetException e) {
                said = String.valueOf(e.getMessage());
            }
            assertThat(said).startsWith("No server at http://127.0.0.1:").endsWith(".")
                    .doesNotContain("Exception", "java.").hasLineCount(1);
        }
    }

    @Test
    void framesInPiecesEndInTheSameSentence() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            for (byte each : Http2Frames.SETTINGS) {
                wire.raw(new byte[]{each});
            }
            wire.hangUp();
        }); Target target = Servers.open(server, account, "metrics=off,timeout=30")) {
            target.send(Servers.request(0, 2, 2));
            account.await();
        }
        assertThat(account.end(0).reason()).isEqualTo("The server answers in HTTP/2. " + ONLY_HTTP_1);
    }
}
