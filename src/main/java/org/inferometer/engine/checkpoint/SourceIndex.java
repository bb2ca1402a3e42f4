package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSources.SourceFile;
import org.inferometer.engine.WeightSources.SourceTensor;
import org.inferometer.engine.files.Sha256;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// The files and tensors that a checkpoint's weights are read from. Filled while it is opened; then any thread may read.
final class SourceIndex {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int SAMPLES = 64;
    private static final int SAMPLE_BYTES = 1 << 14;

    private final Set<Path> files = new LinkedHashSet<>();
    private final List<SourceTensor> weights = new ArrayList<>();
    private @Nullable WeightSources read; // under this object's monitor

    /// @param type of the values, as people name it
    void add(String weight, Path file, String tensor, String type) {
        files.add(file);
        weights.add(new SourceTensor(weight, OneLine.of(tensor), type, List.copyOf(files).indexOf(file)));
    }

    /// "model.norm.weight of model.safetensors": where a weight is read from.
    String place(String weight) {
        return weights.stream().filter(each -> each.weight().equals(weight)).findFirst().map(each -> each.tensor()
                + " of " + OneLine.of(String.valueOf(List.copyOf(files).get(each.file()).getFileName())))
                .orElse(weight);
    }

    /// The sources; the first call reads all files whole to hash them. An interrupt stops it.
    ///
    /// @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
    synchronized WeightSources read() throws IOException {
        if (read == null) {
            List<SourceFile> hashed = new ArrayList<>();
            for (Path file : files) {
                hashed.add(hashed(file));
            }
            read = new WeightSources(hashed, weights);
        }
        return read;
    }

    /// Tells files of other content apart by name, size, time of change and samples of the content; reads at most 1 MiB of each.
    String fingerprint() throws IOException {
        MessageDigest digest = Sha256.digest();
        for (Path file : files) {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            String described =
                    file.getFileName() + " " + attributes.size() + " " + attributes.lastModifiedTime().toInstant();
            digest.update(described.getBytes(StandardCharsets.UTF_8));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                ByteBuffer buffer = ByteBuffer.allocate(SAMPLE_BYTES);
                for (int sample = 0; sample < SAMPLES; sample++) {
                    channel.read(buffer, Math.max(0, attributes.size() - SAMPLE_BYTES) * sample / (SAMPLES - 1));
                    digest.update(buffer.flip());
                    buffer.clear();
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static SourceFile hashed(Path file) throws IOException {
        MessageDigest digest = Sha256.digest();
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                bytes += buffer.remaining();
                digest.update(buffer);
                buffer.clear();
            }
        }
        return new SourceFile(OneLine.of(String.valueOf(file.getFileName())), bytes,
                HexFormat.of().formatHex(digest.digest()));
    }
}
