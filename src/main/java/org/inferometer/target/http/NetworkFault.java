package org.inferometer.target.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Describes network failures in a few words.
final class NetworkFault {
    private static final int MOST_CAUSES = 16;

    private NetworkFault() {}

    /// "connection refused", "connection reset", "the certificate is not trusted".
    static String of(Throwable thrown) {
        Throwable at = thrown;
        for (int i = 0; at != null && i < MOST_CAUSES; i++) {
            String words = known(at);
            if (words != null) {
                return words;
            }
            at = at.getCause();
        }
        String message = thrown.getMessage();
        String line = OneLine.of(thrown.getClass().getSimpleName() + (message == null ? "" : ": " + message));
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    private static @Nullable String known(Throwable thrown) {
        String message = thrown.getMessage() == null ? "" : thrown.getMessage();
        return switch (thrown) {
            case UnknownHostException e -> "no such host";
            case UnresolvedAddressException e -> "no such host";
            case NoRouteToHostException e -> "no route to the host";
            case HttpTimeoutException e -> "timeout";
            case SocketTimeoutException e -> "timeout";
            case ConnectException e -> message.toLowerCase(Locale.ROOT).contains("timed out") ? "timeout"
                    : message.contains("refused") || message.isEmpty() ? "connection refused"
                    : OneLine.of(message);
            case SSLException e when message.contains("PKIX") || message.contains("No name matching")
                    || message.contains("No subject alternative") ->
                "certificate not trusted (set ca_file=PEM or insecure=true)";
            case SSLException e -> "TLS failed: " + OneLine.of(message);
            case ClosedChannelException e -> "connection closed";
            case SocketException e ->
                message.contains("reset") || message.contains("Broken pipe") ? "connection reset" : OneLine.of(message);
            case IOException e when message.contains("reset") || message.contains("Broken pipe") -> "connection reset";
            default -> null;
        };
    }
}
