package org.inferometer.target.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.inferometer.target.TargetException;

/// Small bounded reads beside the measured path: the list of models, the gauges. No proxy, no redirect, no HTTP/2.
///
/// Safe to share between threads. Whoever made it closes it, which ends reads that are under way.
final class ControlClient implements AutoCloseable {
    /// The most that an answer may have.
    static final int MOST_BYTES = 8 << 20;

    private final HttpClient client;
    private final ApiKey key;
    private final Duration patience;

    /// @param patience how long a whole read may take
    ControlClient(TlsTrust trust, ApiKey key, Duration patience) {
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).proxy(HttpClient.Builder.NO_PROXY).connectTimeout(patience)
                .sslContext(trust.context()).build();
        this.key = key;
        this.patience = patience;
    }

    /// What a read gave.
    record Reply(int status, String contentType, byte[] body) {}

    /// Reads an address on the calling thread.
    ///
    /// @param withKey whether the key goes along
    /// @throws IOException when nothing whole came in time
    Reply get(URI address, boolean withKey) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(patience).header("User-Agent", "inferometer");
        if (withKey) {
            key.header().ifPresent(value -> request.header("Authorization", value));
        }
        var reading =
                client.sendAsync(request.GET().build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
        try {
            // The client's own limit ends with the head; a body that never ends needs this one.
            HttpResponse<byte[]> response = reading.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return new Reply(response.statusCode(), response.headers().firstValue("content-type").orElse(""),
                    response.body());
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no whole answer in time");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException broken ? broken : new IOException(e.getCause());
        } finally {
            reading.cancel(true);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /// The sentence for a server that was not reached.
    static TargetException unreached(ServerUrl url, IOException broken) {
        return new TargetException("Nothing answers at " + url + ": " + NetworkFault.of(broken)
                + ". Start the server, or give its address with url.", broken);
    }
}
