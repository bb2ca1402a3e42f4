package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that misbehave: each request ends, with one sentence, and the target goes on.
@Timeout(20)
class MisbehavingServerTest {
    private static final long MILLI = 1_000_000;

    @Test
    void aResetInMidStreamFailsWithWhatCameBefore() throws Exception {
        assertThat(endOf((asked, wire) -> wire.stream().text(" a").text(" b").reset()))
                .isEqualTo(failed("The connection to the server broke after 2 chunks: connection reset."));
    }

    @Test
    void earlyDisconnectFailsTheRequest() throws Exception {
        assertThat(endOf((asked, wire) -> wire.stream().text(" a").hangUp()))
                .isEqualTo(failed("The connection to the server broke after 1 chunks: connection closed."));
        assertThat(endOf((asked, wire) -> wire.hangUp()))
                .isEqualTo(failed("The connection to the server broke before the response: connection closed."));
    }

    @Test
    void aRefusedConnectionFails() throws Exception {
        RecordingListener account = new RecordingListener(1);
        ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.hangUp());
        try (Target target = Servers.open(server, account, "metrics=off")) {
            server.close();
            target.send(Servers.request(0, 1, 1));
            account.await();
        }
        assertThat(account.end(0))
                .isEqualTo(failed("No connection to 127.0.0.1:" + server.port() + ": connection refused."));
    }

    @Test
    void theMessageOfAnErrorBodyIsShownOnOneLine() throws Exception {
        assertThat(endOf((asked, wire) -> wire.json(500,
                "{\"error\":{\"message\":\"out\\n of \\u0007 memory\",\"type\":\"server_error\",\"code\":500}}")))
                .isEqualTo(failed("The server answered 500: out of memory"));
        assertThat(endOf((asked, wire) -> wire.json(404,
                "{\"object\":\"error\",\"message\":\"no such model\",\"type\":\"NotFoundError\",\"code\":404}")))
                .isEqualTo(failed("The server answered 404: no such model"));
        assertThat(endOf((asked, wire) -> wire.json(401, "{\"error\":\"Unauthorized\"}")))
                .isEqualTo(failed("The server answered 401: Unauthorized"));
        assertThat(endOf((asked, wire) -> wire.reply(502, "text/html", "<html>\n<b>Bad gateway</b></html>")))
                .isEqualTo(failed("The server answered 502: <html> <b>Bad gateway</b></html>"));
        assertThat(endOf((asked, wire) -> wire.reply(500, "text/plain", "")))
                .isEqualTo(failed("The server answered 500."));
    }

    @Test
    void aLongErrorIsCutAndAnEndlessOneIsLeft() throws Exception {
        RecordingListener.End end = endOf((asked, wire) -> {
            wire.raw("HTTP/1.1 500 No\r\nContent-Type: text/plain\r\n\r\n");
            byte[] words = "word ".repeat(2000).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 10_000; i++) {
                wire.raw(words);
            }
        });
        assertThat(end.status()).isEqualTo(RequestStatus.FAILED);
        assertThat(end.reason()).startsWith("The server answered 500: word word").hasSizeLessThan(300).endsWith("…");
    }

    @Test
    void tooManyRequestsAndNotReadyAreRefusals() throws Exception {
        for (int status : new int[]{429, 503}) {
            assertThat(endOf((asked, wire) -> wire.json(status, "{\"error\":{\"message\":\"later\"}}"))).isEqualTo(
                    new RecordingListener.End(RequestStatus.REFUSED, "The server answered " + status + ": later"));
        }
    }

    @Test
    void anErrorInsideAStreamThatBeganWith200Fails() throws Exception {
        assertThat(endOf((asked, wire) -> wire.stream().text(" a")
                .event("{\"error\":{\"message\":\"the engine died\",\"code\":500}}").done())).isEqualTo(
                        failed("The server sent an error after 1 chunks of a stream with status 200: the engine died"));
        assertThat(endOf((asked, wire) -> wire.stream()
                .event("{\"object\":\"error\",\"message\":\"flat\",\"code\":400}").done()))
                .isEqualTo(failed("The server sent an error after 0 chunks of a stream with status 200: flat"));
        assertThat(endOf((asked, wire) -> wire.stream().text(" a")
                .piece("error: {\"code\":500,\"message\":\"llama\",\"type\":\"server_error\"}\n\n").end()))
                .isEqualTo(failed("The server sent an error after 1 chunks of a stream with status 200: llama"));
    }

    @Test
    void aRedirectIsNotFollowedAndItsQueryIsNotShown() throws Exception {
        assertThat(endOf((asked, wire) -> wire.raw(
                "HTTP/1.1 307 Go\r\nLocation: https://user:word@elsewhere.test:99/v1/x?token=secret\r\nContent-Length: 0\r\n\r\n")))
                .isEqualTo(failed(
                        "The server redirects (307) to https://elsewhere.test:99/v1/x. Give that address as url."));
    }

    @Test
    void compressionThatWasNotAskedForIsRefused() throws Exception {
        assertThat(endOf((asked, wire) -> wire.raw(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")))
                .isEqualTo(failed("The server answered in gzip, which was not requested."));
    }

    @Test
    void anAnswerThatIsNoEventStreamFails() throws Exception {
        assertThat(endOf((asked, wire) -> wire.json(200, "{\"choices\":[{\"text\":\"whole\"}]}"))).isEqualTo(failed(
                "The server answered application/json instead of an event stream: {\"choices\":[{\"text\":\"whole\"}]}"
                        + " If it does not stream, set stream=false."));
        assertThat(endOf((asked, wire) -> wire.raw("ICY 200 OK\r\n\r\n")).reason())
                .startsWith("The response is not valid HTTP: ");
        assertThat(
                endOf((asked, wire) -> wire.raw("HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000) + "\r\n\r\n")).reason())
                .startsWith("The response is not valid HTTP: ");
    }

    @Test
    void anEmptyStreamFails() throws Exception {
        assertThat(endOf((asked, wire) -> wire.stream().end()))
                .isEqualTo(failed("The server ended the stream without any event."));
        assertThat(endOf((asked, wire) -> wire.stream().done()))
                .isEqualTo(failed("The server ended the stream without any output."));
        assertThat(endOf((asked, wire) -> wire.stream().text("").event(StreamJson.usage(1, 5)).done()))
                .isEqualTo(failed("The server counts 5 tokens, but no chunk has output."));
    }

    @Test
    void aStreamWithoutFinishFails() throws Exception {
        assertThat(endOf((asked, wire) -> wire.stream().text(" a").end()))
                .isEqualTo(failed("The server ended the stream after 1 chunks without a finish reason or [DONE]."));
        assertThat(endOf((asked, wire) -> wire.stream().text(" a").event(StreamJson.finish("abort")).done()))
                .isEqualTo(failed("The server aborted the request after 1 chunks: finish reason \"abort\"."));
    }

    @Test
    void anEventThatIsNoJsonFails() throws Exception {
        assertThat(endOf((asked, wire) -> wire.stream().text(" a").event("{\"choices\":[").done()))
                .isEqualTo(failed("Event 2 of the stream is not a JSON object: {\"choices\":["));
        byte[] halfACharacter = "data: {\"choices\":[{\"text\":\"?\"}]}\n\n".getBytes(StandardCharsets.UTF_8);
        halfACharacter[27] = (byte) 0xC3;
        assertThat(endOf((asked, wire) -> wire.stream().piece(halfACharacter).done()).reason())
                .startsWith("Event 1 of the stream is not a JSON object: ");
        assertThat(endOf((asked, wire) -> wire.stream().event("[".repeat(100_000)).done()).reason())
                .startsWith("Event 1 of the stream is not a JSON object: ");
    }

    @Test
    void aGigabyteOnOneLineIsLeftAfterAMebibyte() throws Exception {
        assertThat(endOf((asked, wire) -> {
            wire.stream();
            byte[] piece = new byte[1 << 20];
            Arrays.fill(piece, (byte) 'x');
            for (int i = 0; i < 1024; i++) {
                wire.piece(piece);
            }
        })).isEqualTo(failed("The stream cannot be read: a line or an event is longer than 1048576 bytes."));
    }

    @Test
    void endlessTokensAreLeftAtFourTimesWhatWasAsked() throws Exception {
        assertThat(endOf((asked, wire) -> {
            wire.stream();
            for (int i = 0; i < 100_000; i++) {
                wire.text(" a");
            }
        })).isEqualTo(failed("The server sent more than 1036 tokens; 3 were requested."));
    }

    @Test
    void absurdCountsFailAndTakeNoMemory() throws Exception {
        for (String count : new String[]{"2000000000", "-1", "99999999999999999999999999"}) {
            String usage = ",\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":" + count + "}}";
            assertThat(
                    endOf((asked, wire) -> wire.stream().event(StreamJson.text(" a").replaceFirst("}$", usage)).done())
                            .reason())
                    .startsWith("The server counts too many tokens: 1 prompt and ")
                    .endsWith(" output tokens; 3 were requested.");
        }
    }

    @Test
    void aServerThatHangsTimesOut() throws Exception {
        RecordingListener account = new RecordingListener(2);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            wire.stream().text(" a");
            over.await();
        }); Target target = Servers.open(server, account, "metrics=off,timeout=1.5")) {
            target.send(Servers.request(0, 1, 3));
            target.send(Servers.request(1, 1, 3, new RequestDeadlines(100 * MILLI, 0)));
            account.await();
            over.countDown();
        }
        assertThat(account.ends()).isEqualTo(
                Map.of(0, new RecordingListener.End(RequestStatus.TIMED_OUT, "No complete response within 1500 ms."), 1,
                        new RecordingListener.End(RequestStatus.TIMED_OUT, "No complete response within 100 ms.")));
        assertThat(account.arrivals(0)).containsExactly(1);
    }

    @Test
    void anAbandonedRequestIsCancelledAndItsConnectionClosed() throws Exception {
        RecordingListener account = new RecordingListener(2);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> {
            wire.stream();
            while (true) {
                wire.text(" a");
                Thread.onSpinWait();
            }
        }); Target target = Servers.open(server, account, "metrics=off")) {
            account.atFirstTokens(1, () -> target.cancel(new RequestId(1)));
            target.send(Servers.request(0, 1, 1_000_000, new RequestDeadlines(0, 50 * MILLI)));
            target.send(Servers.request(1, 1, 1_000_000));
            target.cancel(new RequestId(99));
            account.await();
            server.awaitNoConnections();
        }
        assertThat(account.ends())
                .isEqualTo(Map.of(0, new RecordingListener.End(RequestStatus.GAVE_UP, "The user gave up after 50 ms."),
                        1, new RecordingListener.End(RequestStatus.CANCELLED, "The client cancelled the request.")));
        assertThat(account.arrivals(1)).isNotEmpty();
    }

    @Test
    void closingEndsAllThatIsInFlight() throws Exception {
        RecordingListener account = new RecordingListener(50);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> over.await())) {
            Target target = Servers.open(server, account, "metrics=off,connections=8");
            for (int i = 0; i < 50; i++) {
                target.send(Servers.request(i, 1, 1));
            }
            target.close();
            account.await();
            over.countDown();
            target.close();
            assertThatThrownBy(() -> target.send(Servers.request(50, 1, 1))).isInstanceOf(IllegalStateException.class)
                    .hasMessage("The target is closed and takes no requests.");
        }
        assertThat(account.ends().values())
                .containsOnly(new RecordingListener.End(RequestStatus.CANCELLED, "The target was closed."));
    }

    @Test
    void aServerThatStaysOpenAfterDoneHoldsNobodyUp() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        assertThat(endOf((asked, wire) -> {
            wire.stream().text(" a").text(" b").text(" c").event("[DONE]");
            over.await();
        })).isEqualTo(new RecordingListener.End(RequestStatus.OK, ""));
        over.countDown();
    }

    @Test
    void whatTheServerRepeatsOfTheKeyIsNotWritten() throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start((asked, wire) -> wire.json(403,
                "{\"error\":{\"message\":\"bad " + asked.headers().get("authorization") + "\"}}"));
                Target target = Servers.open(server.url(), account, "metrics=off,api_key_env=MY_KEY",
                        Map.of("MY_KEY", "sk-123"))) {
            target.send(Servers.request(0, 1, 1));
            account.await();
            assertThat(target.description()).doesNotContain("sk-123");
        }
        assertThat(account.end(0)).isEqualTo(failed("The server answered 403: bad Bearer ***"));
        assertThat(account.unusable)
                .containsExactly("The server answered 403: bad Bearer ***. Check the key in MY_KEY.");
        assertThat(account.said).isEqualTo(
                List.of("The key in MY_KEY is sent unencrypted. Use https on networks that you do not trust."));
    }

    private static RecordingListener.End failed(String reason) {
        return new RecordingListener.End(RequestStatus.FAILED, reason);
    }

    /// The end of one request of three tokens to a server that does this.
    private static RecordingListener.End endOf(ScriptedServer.Script script) throws Exception {
        RecordingListener account = new RecordingListener(1);
        try (ScriptedServer server = ScriptedServer.start(script);
                Target target = Servers.open(server, account, "metrics=off")) {
            target.send(Servers.request(0, 1, 3));
            account.await();
        }
        return Objects.requireNonNull(account.end(0));
    }
}
