package org.inferometer.target.http;

import java.net.URI;
import java.util.Optional;
import org.inferometer.units.LetterCase;

/// The head of a response.
///
/// @param contentType empty if absent
/// @param contentEncoding empty if absent
/// @param location empty if absent
record ResponseHead(int status, String contentType, String contentEncoding, String location) {
    /// Whether an event stream follows; a response without a type counts as one.
    boolean isEventStream() {
        String type = LetterCase.lower(contentType).strip();
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

    /// The address of a redirect, for messages: whole, without user, query and key; empty if it is not an http address.
    Optional<String> redirectAddress(HttpSettings settings) {
        URI uri;
        try {
            uri = settings.url().at("/").resolve(location.strip());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String scheme = LetterCase.lower(String.valueOf(uri.getScheme()));
        if (location.isBlank() || uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            return Optional.empty();
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return Optional.of(settings.key()
                .lineWithout(scheme + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()) + path));
    }
}
