package org.inferometer.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.Sha256;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.units.FileFault;

/// Reads all weights of an engine, compares their hash with `engine.json`, and checks scales and zero points.
public final class EngineVerifier {
    private static final int BUFFER_BYTES = 1 << 20;

    private EngineVerifier() {}

    /// Expected and actual hash.
    ///
    /// @param bytes number of bytes read
    public record Verification(Path file, long bytes, String expectedSha256, String actualSha256) {
        /// Whether the hashes are equal.
        public boolean intact() {
            return expectedSha256.equals(actualSha256);
        }
    }

    /// Hashes the weights of an engine folder. An interrupt stops it; the thread stays interrupted.
    ///
    /// @param progress receives the fraction read, from 0 to 1, on the calling thread
    /// @throws EngineFormatException if `engine.json` is missing or damaged, the sizes differ, the weights cannot be
    ///     read, or the hash is right but a scale or zero point is invalid
    public static Verification verify(Path folder, DoubleConsumer progress) throws EngineFormatException {
        EngineDescriptor descriptor = Engine.descriptor(folder);
        Path weights = folder.resolve(DescriptorFile.WEIGHTS);
        MessageDigest digest = Sha256.digest();
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(weights, StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                bytes += buffer.remaining();
                digest.update(buffer);
                buffer.clear();
                progress.accept((double) bytes / descriptor.weightBytes());
            }
        } catch (ClosedByInterruptException interrupted) {
            throw new EngineFormatException(weights, "The check was interrupted.", "Start it again.", interrupted);
        } catch (IOException unreadable) {
            throw new EngineFormatException(weights, "Cannot be read (" + FileFault.reason(unreadable) + ").",
                    "Check the disk, then build the engine again.", unreadable);
        }
        Verification found =
                new Verification(weights, bytes, descriptor.weightsSha256(), HexFormat.of().formatHex(digest.digest()));
        if (found.intact()) {
            try (SafetensorsFile file = SafetensorsFile.open(weights)) {
                WeightLoader.load(file, descriptor);
                WeightLoader.checkValues(file, descriptor);
            }
        }
        return found;
    }
}
