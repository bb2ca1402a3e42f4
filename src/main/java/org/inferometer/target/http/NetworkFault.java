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
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.inferometer.units.LetterCase;
import org.inferometer.units.LinearPatterns;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Describes network failures in a few words.
@LinearPatterns(value = "A message has at most 240 characters.", boundedText = true)
final class NetworkFault {
    private static final int MOST_CAUSES = 16;
    /// "java.io.EOFException: ", "TooLongHttpLineException".
    private static final Pattern CLASS_NAME = Pattern
            .compile("(?:\\b(?:[a-z_][\\w]*\\.){2,}[A-Z][\\w$]*|\\b[A-Z][\\w$]*(?:Exception|Error)\\b)(?::\\s*)?");

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
        return text(thrown.getMessage(), "the connection failed");
    }

    /// A message without class names and the final full stop.
    private static String text(@Nullable String message, String otherwise) {
        String line = OneLine.of(CLASS_NAME.matcher(OneLine.of(message == null ? "" : message)).replaceAll(""));
        String shown = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
        return shown.isEmpty() ? otherwise : shown;
    }

    private static @Nullable String known(Throwable thrown) {
        String message = thrown.getMessage() == null ? "" : thrown.getMessage();
        return switch (thrown) {
            case UnknownHostException e -> "no such host";
            case UnresolvedAddressException e -> "no such host";
            case NoRouteToHostException e -> "no route to the host";
            case HttpTimeoutException e -> "timeout";
            case SocketTimeoutException e -> "timeout";
            case ConnectException e -> LetterCase.lower(message).contains("timed out") ? "timeout"
                    : message.contains("refused") || message.isEmpty() ? "connection refused"
                    : text(message, "connection refused");
            case SSLException e when message.contains("PKIX") || message.contains("No name matching")
                    || message.contains("No subject alternative") ->
                "certificate not trusted (set ca_file=PEM or insecure=true)";
            case SSLException e when message.startsWith("not an SSL/TLS record") -> "the server does not speak TLS";
            case SSLException e -> "TLS failed: " + text(message, "no reason given");
            case ClosedChannelException e -> "connection closed";
            case SocketException e -> message.contains("reset") || message.contains("Broken pipe") ? "connection reset"
                    : text(message, "connection broken");
            case IOException e when message.contains("reset") || message.contains("Broken pipe") -> "connection reset";
            default -> null;
        };
    }
}
