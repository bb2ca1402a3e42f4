package org.inferometer.run.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that are none of HTTP/1.1 are no sign that a server is ready.
@Timeout(60)
class ReadyCheckTest {
    @ParameterizedTest
    @ValueSource(strings = {"\0\0\0\4\0\0\0\0\0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2 200 \r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n\0\0\0\4\0\0\0\0\0", ""})
    void answersInHttp2AreNotReady(String answer) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(20_000);
            Thread.ofVirtual().start(() -> answer(server, answer));
            try (ReadyCheck check =
                    new ReadyCheck(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/health"))) {
                assertThat(ReadyCheck.isReady(check.status())).isFalse();
            }
        }
    }

    private static void answer(ServerSocket server, String answer) {
        try (Socket connection = server.accept()) {
            connection.setSoTimeout(20_000);
            connection.getInputStream().read();
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            connection.getOutputStream().flush();
            // Until the client has gone.
            connection.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The client went away.
        }
    }
}
