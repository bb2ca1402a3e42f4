package org.inferometer.results;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// The layout of `tokens.bin`: the instant and the tokens of every event with output, appended request by request.
///
/// All integers are little-endian.
/// ```
/// header:  8 bytes "IFMTOKEN" · u16 version (3) · u16 n · n bytes UTF-8: the layout of the frames as text
/// frame:   u32 b, bytes of the body · body · u32 CRC-32C of the body
/// body:    u32 request · u32 count of events, at least 1 · i64 nanoseconds of the first event since the run's anchor ·
///          (count - 1) gaps in nanoseconds, each as unsigned LEB128 (7 bits a byte, lowest first) ·
///          nothing, or the tokens of each of the count events as unsigned LEB128 ·
///          nothing, or after the tokens the answer of each of the count events, from 1, as unsigned LEB128; 0 if not known
/// ```
/// A request has at most one frame. If the file ends inside a frame, the frames before it are valid. Without tokens each event
/// holds one, or the instants are the first and the last of an answer; tokens of 0 are not known. Without answers the
/// request has one. Version 2 has no answers. Version 1 has no tokens, and repeats the instant of an event for each of its tokens.
final class TokenFile {
    /// The version that this program writes; it reads this one and those before it.
    static final int VERSION = 3;
    /// Maximum distance of an instant from the anchor, 73 years; differences do not overflow.
    static final long FARTHEST_NANOS = Long.MAX_VALUE / 4;
    /// Bytes of request, count and first instant.
    static final int BODY_HEAD_BYTES = 16;
    /// The longest valid body: more than three million events of a request.
    static final int MAX_BODY_BYTES = 1 << 25;

    private static final String LAYOUT_TEXT = "frames: u32 body bytes, body, u32 CRC-32C of body; "
            + "body: u32 request, u32 count of events, i64 first event ns since anchor, (count - 1) LEB128 gaps in ns, "
            + "nothing or count LEB128 tokens, nothing or count LEB128 answers from 1; little-endian";

    private TokenFile() {}

    static byte[] magic() {
        return "IFMTOKEN".getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] layoutText() {
        return LAYOUT_TEXT.getBytes(StandardCharsets.UTF_8);
    }

    static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
