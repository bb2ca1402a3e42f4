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

/// Small bounded reads outside the measured path: the model list and gauges. No proxy, redirects or HTTP/2.
///
/// Thread-safe. The caller closes it, which ends running reads.
final class ControlClient implements AutoCloseable {
    /// Maximum response bytes.
    static final int MOST_BYTES = 8 << 20;

    private final HttpClient client;
    private final ApiKey key;
    private final RequestExtras extras;
    private final Duration timeout;

    /// @param timeout of a whole read
    ControlClient(TlsTrust trust, HttpSettings settings, Duration timeout) {
        this.client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
                        .proxy(HttpClient.Builder.NO_PROXY).connectTimeout(timeout).sslContext(trust.context()).build();
        this.key = settings.key();
        this.extras = settings.extras();
        this.timeout = timeout;
    }

    /// A response.
    ///
    /// @param server the `Server` header, or empty
    record Reply(int status, String contentType, String server, byte[] body) {}

    /// Reads an address on the calling thread.
    ///
    /// @param withKey whether to send the key, and what the user adds to requests
    /// @throws IOException if no complete response came in time
    Reply get(URI address, boolean withKey) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest
                .newBuilder(withKey && !extras.query().isEmpty() ? URI.create(address + extras.query()) : address)
                .timeout(timeout).header("User-Agent", "inferometer");
        if (withKey) {
            extras.headers().forEach(request::header);
            key.header().ifPresent(value -> request.header("Authorization", value));
        }
        var reading =
                client.sendAsync(request.GET().build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
        try {
            // The client's own limit ends with the head; a body that never ends needs this one.
            HttpResponse<byte[]> response = reading.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return new Reply(response.statusCode(), response.headers().firstValue("content-type").orElse(""),
                    response.headers().firstValue("server").orElse(""), response.body());
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no complete response in time");
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

    /// Text of the server without the key.
    String withoutKey(String text) {
        return key.removedFrom(text);
    }

    /// The exception for a server that does not answer. Without the cause, whose message may quote the server.
    TargetException unreached(ServerUrl url, IOException broken) {
        return new TargetException(unreached(url, key.removedFrom(NetworkFault.of(broken))));
    }

    /// The message for a server that cannot be reached.
    static String unreached(ServerUrl url, String fault) {
        return "No server at " + url + ": " + fault + ". Start the server, or give its address with url.";
    }
}
