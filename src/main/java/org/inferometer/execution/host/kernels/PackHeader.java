package org.inferometer.execution.host.kernels;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.inferometer.engine.Engine;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.machine.Vectors;
import org.jspecify.annotations.Nullable;

/// The header of a [PackFile]: identity of weights, program and machine, offsets, and checksums.
///
/// All fields except checksums and the sizes of FP8 corrections follow from the weights and this program. A file's
/// header is compared byte by byte; a difference means other weights, another program version or another CPU.
///
/// Little-endian: magic, layout version, outputs of a unit, byte order of the lines, number of matrices, the weights'
/// size, time and SHA-256; for each matrix precision, rows, columns, offset and bytes; for each matrix the CRC-32C of
/// its lines, the number of its corrections' 32-bit words and their CRC-32C; the CRC-32C of all this. Lines begin on
/// pages; the corrections follow the last matrix.
final class PackHeader {
    /// Where matrices may begin: a page, and so a cache line, of the mapped file.
    static final int ALIGNMENT = 4096;

    private static final byte[] MAGIC = "host.pac".getBytes(StandardCharsets.US_ASCII);
    private static final int FIXED_BYTES = MAGIC.length + 4 * Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;
    private static final int PLACE_BYTES = 3 * Integer.BYTES + 2 * Long.BYTES;
    private static final int CHECK_BYTES = 3 * Integer.BYTES;

    private final byte[] identity;
    private final long[] offsets;
    private final long linesEnd;

    /// Computes the header of one engine's matrices.
    PackHeader(Engine engine, List<WeightMatrix> matrices) {
        byte[] sha256 = engine.descriptor().weightsSha256().getBytes(StandardCharsets.US_ASCII);
        int identityBytes = FIXED_BYTES + Integer.BYTES + sha256.length + matrices.size() * PLACE_BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(identityBytes).order(ByteOrder.LITTLE_ENDIAN);
        Instant modified = engine.weightsModified().toInstant();
        bytes.put(MAGIC).putInt(PackedMatrix.LAYOUT_VERSION).putInt(Vectors.UNIT);
        bytes.putInt(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2).putInt(matrices.size());
        bytes.putLong(engine.descriptor().weightBytes()).putLong(modified.getEpochSecond()).putInt(modified.getNano());
        bytes.putInt(sha256.length).put(sha256);
        offsets = new long[matrices.size()];
        long at = aligned(identityBytes + (long) matrices.size() * CHECK_BYTES + Integer.BYTES);
        for (int i = 0; i < offsets.length; i++) {
            WeightMatrix matrix = matrices.get(i);
            offsets[i] = at;
            bytes.putInt(matrix.precision().ordinal()).putInt(matrix.rows()).putInt(matrix.columns());
            bytes.putLong(at).putLong(PackedMatrix.bytes(matrix));
            at = aligned(at + PackedMatrix.bytes(matrix));
        }
        linesEnd = at;
        identity = bytes.array();
    }

    /// Values that are known only when the file is written.
    ///
    /// @param linesCrc CRC-32C of each matrix's lines
    /// @param correctionWords 32-bit words of each matrix's corrections
    /// @param correctionsCrc CRC-32C of each matrix's corrections
    record Checks(int[] linesCrc, int[] correctionWords, int[] correctionsCrc) {
        Checks(int matrices) {
            this(new int[matrices], new int[matrices], new int[matrices]);
        }
    }

    private static long aligned(long offset) {
        return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
    }

    /// Bytes of the header itself.
    int bytes() {
        return identity.length + offsets.length * CHECK_BYTES + Integer.BYTES;
    }

    /// Where a matrix's lines begin.
    long offset(int matrix) {
        return offsets[matrix];
    }

    /// Where a matrix's corrections begin.
    long correctionsOffset(int matrix, Checks checks) {
        long at = linesEnd;
        for (int i = 0; i < matrix; i++) {
            at += (long) Integer.BYTES * checks.correctionWords()[i];
        }
        return at;
    }

    /// Bytes of the whole file.
    long fileBytes(Checks checks) {
        return correctionsOffset(offsets.length, checks);
    }

    /// The header as it is written.
    byte[] encoded(Checks checks) {
        ByteBuffer bytes = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN).put(identity);
        for (int i = 0; i < offsets.length; i++) {
            bytes.putInt(checks.linesCrc()[i]).putInt(checks.correctionWords()[i]).putInt(checks.correctionsCrc()[i]);
        }
        return bytes.putInt(crc(bytes.array(), bytes.position())).array();
    }

    /// Compares a header that was read with this one.
    ///
    /// @param read [#bytes()] bytes
    /// @param fileBytes size of the file it was read from
    /// @return its checksums, or null when the file was made from or for something else, or is damaged
    @Nullable
    Checks matching(byte[] read, long fileBytes) {
        if (Arrays.mismatch(read, 0, identity.length, identity, 0, identity.length) >= 0) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(read).order(ByteOrder.LITTLE_ENDIAN).position(identity.length);
        Checks checks = new Checks(offsets.length);
        for (int i = 0; i < offsets.length; i++) {
            checks.linesCrc()[i] = bytes.getInt();
            checks.correctionWords()[i] = bytes.getInt();
            checks.correctionsCrc()[i] = bytes.getInt();
            if (checks.correctionWords()[i] < 0) {
                return null;
            }
        }
        boolean whole = bytes.getInt() == crc(read, read.length - Integer.BYTES) && fileBytes(checks) == fileBytes;
        return whole ? checks : null;
    }

    private static int crc(byte[] bytes, int count) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, count);
        return (int) crc.getValue();
    }
}
