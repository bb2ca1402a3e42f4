package org.inferometer.target.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.inferometer.units.OneLine;

/// The head of a response.
///
/// @param contentType empty if absent
/// @param contentEncoding empty if absent
/// @param location empty if absent
record ResponseHead(int status, String contentType, String contentEncoding, String location) {
    /// Whether an event stream follows; a response without a type counts as one.
    boolean isEventStream() {
        String type = contentType.toLowerCase(Locale.ROOT).strip();
        return type.isEmpty() || type.startsWith("text/event-stream");
    }

    /// Whether the body is compressed.
    boolean isEncoded() {
        return !contentEncoding.isBlank() && !contentEncoding.strip().equalsIgnoreCase("identity");
    }

    /// Whether it is a redirect.
    boolean isRedirect() {
        return status >= 300 && status < 400;
    }

    /// The redirect location without query and user, for messages.
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
            return "an invalid address";
        }
    }
}
