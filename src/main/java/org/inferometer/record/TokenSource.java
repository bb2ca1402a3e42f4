package org.inferometer.record;

import java.util.Locale;

/// Who counted the tokens of a request.
public enum TokenSource {
    /// The engine in this process: every token has its own instant.
    ENGINE,
    /// The server, in the usage it sent.
    SERVER_USAGE,
    /// A tokenizer of ours, on the text that came back.
    CLIENT_TOKENIZER,
    /// The tool's own profile: instants are those of the first and the last token.
    PROFILE,
    /// Nobody: each chunk that came back is taken for one token.
    CHUNKS;

    /// The spelling in records: "server_usage".
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
