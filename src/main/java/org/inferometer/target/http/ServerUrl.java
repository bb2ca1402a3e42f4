package org.inferometer.target.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.inferometer.units.LetterCase;

/// The address of a server, without user, password and query, so that it can be recorded.
///
/// @param host name or address; an IPv6 address in brackets
/// @param basePath part before `/v1`; empty or beginning with a slash
/// @param version "/v1", or empty for an address that names an endpoint elsewhere, as Azure's deployments do
/// @param endpoint named by the address, as `VLLM_ENDPOINT` does
record ServerUrl(boolean tls, String host, int port, String basePath, String version, Endpoint endpoint) {
    private static final List<String> SUFFIXES = List.of("/chat/completions", "/completions", "/models");
    private static final String V1 = "/v1";
    /// Ends of addresses of other APIs.
    private static final List<OtherApi> OTHER_APIS = List.of(new OtherApi("/responses", "the Responses API"),
            new OtherApi("/messages", "Anthropic's messages API"), new OtherApi("/api/chat", "Ollama's chat API"),
            new OtherApi("/api/generate", "Ollama's generate API"),
            new OtherApi("/generate_stream", "the generate API of TGI and Triton"),
            new OtherApi("/generate", "the generate API of TGI, SGLang and Triton"),
            new OtherApi("Content", "Google's API"), new OtherApi("/embeddings", "an API of embeddings"),
            new OtherApi("/rerank", "an API of scores"), new OtherApi("/score", "an API of scores"),
            new OtherApi("/transcriptions", "an API of audio"), new OtherApi("/speech", "an API of audio"));

    private record OtherApi(String end, String name) {}

    /// The endpoint that an address may name.
    enum Endpoint {
        /// No endpoint.
        NONE, COMPLETIONS, CHAT
    }

    /// Parses an address with or without scheme, `/v1` and endpoint. `0.0.0.0` becomes the loopback address.
    ///
    /// @throws IllegalArgumentException without secrets in its message
    static ServerUrl parse(String text) {
        String whole = text.contains("://") ? text : "http://" + text;
        URI uri;
        try {
            uri = new URI(whole);
        } catch (URISyntaxException e) {
            // Neither its message nor the exception itself: both repeat the address, which may hold a password.
            throw new IllegalArgumentException("The url is not an address. Write one like http://127.0.0.1:8000.");
        }
        String scheme = LetterCase.lower(String.valueOf(uri.getScheme()));
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException(
                    "The url starts with neither http:// nor https://. Write one like http://127.0.0.1:8000.");
        }
        if (uri.getRawUserInfo() != null || (uri.getHost() == null && whole.contains("@"))) {
            throw new IllegalArgumentException(
                    "The url has a user or a password, which would be recorded. Name the variable of the key with api_key_env.");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "The url has a query or a fragment, which may be secret. Give the base address only.");
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw new IllegalArgumentException(
                    "The url has no valid host and port. Write one like http://127.0.0.1:8000.");
        }
        boolean tls = scheme.equals("https");
        int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
        String host =
                uri.getHost().equals("0.0.0.0") ? "127.0.0.1" : uri.getHost().equals("[::]") ? "[::1]" : uri.getHost();
        String path = trimmed(uri.getRawPath());
        OTHER_APIS.stream().filter(api -> path.endsWith(api.end)).findFirst().ifPresent(api -> {
            throw new IllegalArgumentException("The url names " + api.name + ", which is not spoken here."
                    + " Give the server's address for completions or chat, such as http://127.0.0.1:8000.");
        });
        String base = withoutResource(path);
        boolean plain = base.endsWith(V1) || base.isEmpty() || base.equals(path);
        return new ServerUrl(tls, host, port, base.endsWith(V1) ? base.substring(0, base.length() - V1.length()) : base,
                plain ? V1 : "", endpoint(path));
    }

    /// The request path of a resource.
    String path(String resource) {
        return basePath + version + "/" + resource;
    }

    /// Host and port; without the default port of the scheme.
    String authority() {
        return port == (tls ? 443 : 80) ? host : host + ":" + port;
    }

    /// The host for name resolution: an IPv6 address without brackets.
    String bareHost() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /// The address of a path below the base.
    URI at(String path) {
        return URI.create((tls ? "https://" : "http://") + authority() + basePath + path);
    }

    /// The base address.
    @Override
    public String toString() {
        return at("").toString();
    }

    private static Endpoint endpoint(String path) {
        return path.endsWith("/chat/completions") ? Endpoint.CHAT : path.endsWith("/completions") ? Endpoint.COMPLETIONS
                : Endpoint.NONE;
    }

    private static String withoutResource(String path) {
        return SUFFIXES.stream().filter(path::endsWith).findFirst()
                .map(suffix -> trimmed(path.substring(0, path.length() - suffix.length()))).orElse(path);
    }

    private static String trimmed(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }
}
