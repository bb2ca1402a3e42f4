package org.inferometer.record;

import java.util.Locale;

/// The counter of a request's tokens.
public enum TokenSource {
    /// The engine in this process: every token has its own instant.
    ENGINE,
    /// The server, in the usage it sent.
    SERVER_USAGE,
    /// The client's tokenizer, from the received text.
    CLIENT_TOKENIZER,
    /// The tool's own profile: instants are those of the first and the last token.
    PROFILE,
    /// No count was available: each received chunk counts as one token, whatever it holds.
    CHUNKS;

    /// The spelling in records: "server_usage".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
