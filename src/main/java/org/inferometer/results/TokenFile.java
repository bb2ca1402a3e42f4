package org.inferometer.results;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// The layout of `tokens.bin`: the instant of every output token, appended request by request.
///
/// All integers are little-endian.
/// ```
/// header:  8 bytes "IFMTOKEN" · u16 version (1) · u16 n · n bytes UTF-8: the layout of the frames in words
/// frame:   u32 b, bytes of the body · body · u32 CRC-32C of the body
/// body:    u32 request · u32 count, at least 1 · i64 nanoseconds of the first token since the run's anchor ·
///          (count - 1) gaps in nanoseconds, each as unsigned LEB128 (7 bits a byte, lowest first)
/// ```
/// A request has at most one frame. A file that ends within a frame was cut off there: what stands before it holds.
final class TokenFile {
    /// The version that this program writes and the newest it reads.
    static final int VERSION = 1;
    /// No instant lies farther from the anchor, so that differences never overflow: 73 years.
    static final long FARTHEST_NANOS = Long.MAX_VALUE / 4;
    /// Bytes of request, count and first instant.
    static final int BODY_HEAD_BYTES = 16;
    /// The longest body that is read: over three million tokens of one request.
    static final int MAX_BODY_BYTES = 1 << 25;

    private static final String IN_WORDS = "frames: u32 body bytes, body, u32 CRC-32C of body; "
            + "body: u32 request, u32 count, i64 first token ns since anchor, (count - 1) LEB128 gaps in ns; little-endian";

    private TokenFile() {}

    static byte[] magic() {
        return "IFMTOKEN".getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] inWords() {
        return IN_WORDS.getBytes(StandardCharsets.UTF_8);
    }

    static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
