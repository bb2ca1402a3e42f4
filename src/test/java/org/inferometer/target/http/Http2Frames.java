package org.inferometer.target.http;

import java.nio.charset.StandardCharsets;

/// What servers of HTTP/2 send first.
final class Http2Frames {
    /// Length 0, type 4, stream 0.
    static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    /// Type 7, last stream 0, PROTOCOL_ERROR.
    static final byte[] GOAWAY = {0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    static final byte[] SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);

    private Http2Frames() {}
}
