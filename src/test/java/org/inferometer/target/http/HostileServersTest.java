package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// 57 kinds of servers that misbehave on every second request: each request ends with one plain sentence, and the good ones complete.
///
/// `-Dinferometer.rounds=50` sends more.
@Tag("endurance")
@Timeout(600)
class HostileServersTest {
    private static final int ROUNDS = Integer.getInteger("inferometer.rounds", 1);
    /// No good request waits for a connection that a hostile answer holds, or fails on a busy machine.
    private static final String SETTINGS = "metrics=off,timeout=4,connections=";
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String STREAM = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String LONG = "x".repeat(300_000);
    private static final String STEERING = "\u001b[2J\u001b]0;owned\u0007\u202e\u0085\u2028";

    private static final Map<String, ScriptedServer.Script> KINDS = kinds();

    static Set<String> names() {
        return KINDS.keySet();
    }

    private static Map<String, ScriptedServer.Script> kinds() {
        Map<String, ScriptedServer.Script> all = new LinkedHashMap<>();
        connections(all);
        http2(all);
        heads(all);
        bodies(all);
        events(all);
        return all;
    }

    private static void connections(Map<String, ScriptedServer.Script> all) {
        all.put("hangs up before the response", (asked, wire) -> wire.hangUp());
        all.put("resets before the response", (asked, wire) -> wire.reset());
        all.put("hangs up inside the status line", (asked, wire) -> wire.raw("HTTP/1.1 2").hangUp());
        all.put("hangs up inside the headers", (asked, wire) -> wire.raw(OK + "Content-Ty").hangUp());
        all.put("hangs up inside a chunk size", (asked, wire) -> wire.raw(OK + STREAM + "1").hangUp());
        all.put("hangs up inside an event", (asked, wire) -> wire.stream().raw("40\r\ndata: {\"cho").hangUp());
        all.put("resets after two tokens", (asked, wire) -> wire.stream().text(" a").text(" b").reset());
        all.put("hangs up before DONE", (asked, wire) -> wire.stream().text(" a").hangUp());
        all.put("never answers", (asked, wire) -> Thread.sleep(3_000));
        all.put("stops after a token", (asked, wire) -> {
            wire.stream().text(" a");
            Thread.sleep(3_000);
            wire.hangUp();
        });
        all.put("sends a byte at a time", (asked, wire) -> {
            for (byte b : (OK + STREAM).getBytes(StandardCharsets.US_ASCII)) {
                wire.raw(new byte[]{b});
            }
            wire.hangUp();
        });
    }

    private static void http2(Map<String, ScriptedServer.Script> all) {
        all.put("answers in HTTP/2", (asked, wire) -> wire.raw(Http2Frames.SETTINGS).raw(Http2Frames.GOAWAY).hangUp());
        all.put("answers in HTTP/2 and stays", (asked, wire) -> {
            wire.raw(Http2Frames.SETTINGS);
            Thread.sleep(3_000);
        });
        all.put("sends HTTP/2 settings for ever", (asked, wire) -> {
            for (int i = 0; i < 20_000; i++) {
                wire.raw(Http2Frames.SETTINGS);
            }
            wire.hangUp();
        });
        all.put("answers with the preface of HTTP/2", (asked, wire) -> wire.raw(Http2Frames.PREFACE).hangUp());
        all.put("says that it speaks HTTP/2",
                (asked, wire) -> wire.raw("HTTP/2 200 \r\nContent-Type: text/event-stream\r\n\r\n").hangUp());
        all.put("switches to h2c", (asked, wire) -> {
            wire.raw(Http2Frames.SWITCHED).raw(Http2Frames.SETTINGS);
            Thread.sleep(3_000);
        });
        all.put("switches to h2c in a stream",
                (asked, wire) -> wire.stream().text(" a").raw(Http2Frames.SWITCHED).raw(Http2Frames.SETTINGS).hangUp());
        all.put("requires an upgrade", (asked, wire) -> wire.raw(
                "HTTP/1.1 426 Upgrade Required\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n"));
        all.put("offers h2c in a good answer", (asked, wire) -> wire
                .raw(OK + "Connection: Upgrade\r\nUpgrade: h2c\r\n" + STREAM).raw("5\r\nhello\r\n").hangUp());
    }

    private static void heads(Map<String, ScriptedServer.Script> all) {
        all.put("speaks no HTTP", (asked, wire) -> wire.raw("SSH-2.0-OpenSSH_9\r\n").hangUp());
        all.put("answers random bytes", (asked, wire) -> {
            byte[] noise = new byte[4096];
            new Random(5).nextBytes(noise);
            wire.raw(noise).hangUp();
        });
        all.put("answers zeros", (asked, wire) -> wire.raw(new byte[100_000]).hangUp());
        all.put("has a long status line", (asked, wire) -> wire.raw("HTTP/1.1 200 " + LONG + "\r\n\r\n").hangUp());
        all.put("has a long header", (asked, wire) -> wire.raw(OK + "X: " + LONG + "\r\n\r\n").hangUp());
        all.put("has ten thousand headers", (asked, wire) -> wire.raw(OK + "A: b\r\n".repeat(10_000)).hangUp());
        all.put("has a negative length", (asked, wire) -> wire.raw(OK + "Content-Length: -1\r\n\r\n").hangUp());
        all.put("has two lengths",
                (asked, wire) -> wire.raw(OK + "Content-Length: 1\r\nContent-Length: 9\r\n\r\nx").hangUp());
        all.put("has an endless length",
                (asked, wire) -> wire.raw(
                        OK + "Content-Type: text/event-stream\r\nContent-Length: " + Long.MAX_VALUE + "\r\n\r\ndata: {")
                        .hangUp());
        all.put("answers 101", (asked, wire) -> wire.raw("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n").hangUp());
        all.put("answers 100 for ever", (asked, wire) -> {
            for (int i = 0; i < 500; i++) {
                wire.raw("HTTP/1.1 100 Continue\r\n\r\n");
            }
            wire.hangUp();
        });
        all.put("answers 204", (asked, wire) -> wire.raw("HTTP/1.1 204 No Content\r\n\r\n"));
        all.put("answers 999", (asked, wire) -> wire.reply(999, "text/plain", "?"));
        all.put("redirects", (asked, wire) -> wire
                .raw("HTTP/1.1 302 Found\r\nLocation: /etc/passwd?key=1\r\nContent-Length: 0\r\n\r\n"));
        all.put("redirects with steering characters", (asked, wire) -> wire
                .raw("HTTP/1.1 307 Go\r\nLocation: http://a/" + STEERING + "\r\nContent-Length: 0\r\n\r\n"));
        all.put("names a strange encoding", (asked, wire) -> wire
                .raw(OK + "Content-Type: text/event-stream\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nab"));
        all.put("answers HTML", (asked, wire) -> wire.reply(200, "text/html", "<h1>Welcome</h1>"));
        all.put("answers JSON in place of a stream", (asked, wire) -> wire.json(200, "{\"choices\":[]}"));
    }

    private static void bodies(Map<String, ScriptedServer.Script> all) {
        all.put("fails with steering characters",
                (asked, wire) -> wire.json(500, "{\"error\":{\"message\":\"a" + STEERING + "b\"}}"));
        all.put("fails with a long body", (asked, wire) -> wire.reply(500, "text/plain", LONG));
        all.put("fails with nested JSON", (asked, wire) -> wire.json(500, "[".repeat(100_000)));
        all.put("has a chunk size that is no number", (asked, wire) -> wire.raw(OK + STREAM + "zz\r\n").hangUp());
        all.put("has a huge chunk size", (asked, wire) -> wire.raw(OK + STREAM + "7fffffffffffffff\r\nx").hangUp());
        all.put("has a negative chunk size", (asked, wire) -> wire.raw(OK + STREAM + "-5\r\nx").hangUp());
        all.put("has no line end after a chunk", (asked, wire) -> wire.raw(OK + STREAM + "1\r\nxyz").hangUp());
        all.put("has an empty stream", (asked, wire) -> wire.stream().end());
        all.put("is done at once", (asked, wire) -> wire.stream().done());
    }

    private static void events(Map<String, ScriptedServer.Script> all) {
        all.put("sends an event that is no JSON", (asked, wire) -> wire.stream().event("{oops").done());
        all.put("sends an array", (asked, wire) -> wire.stream().event("[1,2]").done());
        all.put("sends nested JSON", (asked, wire) -> wire.stream().event("{\"a\":".repeat(5_000)).done());
        all.put("sends a long line", (asked, wire) -> wire.stream().piece("data: " + LONG.repeat(5)).hangUp());
        all.put("sends invalid UTF-8", (asked, wire) -> wire.stream()
                .piece(new byte[]{'d', 'a', 't', 'a', ':', ' ', (byte) 0xff, (byte) 0xc0, '\n', '\n'}).done());
        all.put("sends an error in the stream", (asked, wire) -> wire.stream().text(" a")
                .event("{\"error\":{\"message\":\"boom" + STEERING + "\"}}").done());
        all.put("sends too many tokens", (asked, wire) -> {
            wire.stream();
            for (int i = 0; i < 5_000; i++) {
                wire.text(" t");
            }
            wire.finish(2, 5_000);
        });
        all.put("counts absurdly", (asked, wire) -> wire.stream().text(" a")
                .event("{\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":99999999999999}}").done());
        all.put("sends comments for ever", (asked, wire) -> {
            wire.stream();
            for (int i = 0; i < 2_000; i++) {
                wire.piece(": ping\n\n");
            }
            wire.hangUp();
        });
        all.put("sends fields of the wrong type",
                (asked, wire) -> wire.stream().event("{\"choices\":{\"0\":5},\"usage\":[],\"error\":7}").done());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void everyRequestEndsAndTheGoodOnesComplete(String kind) throws Exception {
        ScriptedServer.Script hostile = KINDS.get(kind);
        AtomicInteger answers = new AtomicInteger();
        int requests = 4 * ROUNDS;
        RecordingListener account = new RecordingListener(requests);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            // A request may come again after a connection that was closed; its body tells good from hostile.
            answers.incrementAndGet();
            if (asked.body().contains("\"max_tokens\":3")) {
                good(wire);
            } else {
                hostile.answer(asked, wire);
            }
        }); Target target = Servers.open(server, account, SETTINGS + requests)) {
            for (int i = 0; i < requests; i++) {
                target.send(Servers.request(i, 2, i % 2 == 0 ? 2 : 3));
            }
            account.await();
        }
        assertThat(answers).hasPositiveValue();
        for (int i = 0; i < requests; i++) {
            RecordingListener.End end = account.end(i);
            assertThat(end).isNotNull();
            if (i % 2 == 1) {
                assertThat(end.status()).as("good request %d: %s", i, end).isEqualTo(RequestStatus.OK);
            }
            assertThat(end.reason()).as("%s, request %d", kind, i).hasSizeLessThanOrEqualTo(500)
                    .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028\\u2029]")
                    .doesNotContain("Exception", "Error:", "java.", "netty", "key=1");
        }
        account.said.forEach(sentence -> assertThat(sentence).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028\\u2029]")
                .doesNotContain("Exception", "java.", "netty"));
    }

    private static void good(ScriptedConnection wire) throws IOException {
        wire.stream().text(" a").text(" b").text(" c").finish(2, 3);
    }
}
