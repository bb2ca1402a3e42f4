package org.inferometer.run.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Asks a server whether it is ready. The page is not read: it may have no end. Used by one thread; the caller closes it.
final class ReadyCheck implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
                    .proxy(HttpClient.Builder.NO_PROXY).connectTimeout(TIMEOUT).build();
    private final HttpRequest request;

    ReadyCheck(URI address) {
        this.request = HttpRequest.newBuilder(address).timeout(TIMEOUT).GET().build();
    }

    /// The status of an answer; 0 without one.
    int status() throws InterruptedException {
        try {
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            answer.body().close();
            return answer.statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /// Whether a status says that requests can be served.
    static boolean isReady(int status) {
        return status >= 200 && status < 300;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
