package org.inferometer.target.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.inferometer.units.OneLine;

/// What the head of a reply says.
///
/// @param contentType empty where there is none
/// @param contentEncoding empty where there is none
/// @param location empty where there is none
record ResponseHead(int status, String contentType, String contentEncoding, String location) {
    /// Whether an event stream follows; a server that names no type is believed to send what was asked for.
    boolean isEventStream() {
        String type = contentType.toLowerCase(Locale.ROOT).strip();
        return type.isEmpty() || type.startsWith("text/event-stream");
    }

    /// Whether the body is compressed.
    boolean isEncoded() {
        return !contentEncoding.isBlank() && !contentEncoding.strip().equalsIgnoreCase("identity");
    }

    /// Whether the server points elsewhere.
    boolean isRedirect() {
        return status >= 300 && status < 400;
    }

    /// Where it points, as far as that may be written down.
    String locationShown() {
        if (location.isBlank()) {
            return "nowhere";
        }
        try {
            URI uri = new URI(location);
            String host = uri.getHost() == null ? ""
                    : uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
            return OneLine.of(host + (uri.getRawPath() == null ? "" : uri.getRawPath()));
        } catch (URISyntaxException e) {
            return "an address that is none";
        }
    }
}
