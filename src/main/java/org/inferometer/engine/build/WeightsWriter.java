package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.Sha256;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.safetensors.SafetensorsLayout;

/// Writes `weights.safetensors` from a source of rows; quantises and hashes while writing.
///
/// A small pool makes blocks of rows and the calling thread writes them in file order; at most a few blocks are in
/// memory. A tensor of scales makes its rows again instead of keeping them. The result does not depend on the thread
/// count.
final class WeightsWriter {
    private static final int BLOCK_VALUES = 1 << 18;
    private static final int BLOCKS_AHEAD = 3;

    private final SafetensorsLayout layout;
    private final List<StoredTensor> inFileOrder;
    private final WeightSource source;
    private final int threads;

    WeightsWriter(List<StoredTensor> tensors, WeightSource source, int threads) {
        this.layout = StoredTensor.layout(tensors);
        Map<String, StoredTensor> byName = StoredTensor.byName(tensors);
        this.inFileOrder = layout.entries().stream()
                .map(entry -> Objects.requireNonNull(byName.get(entry.spec().name()))).toList();
        this.source = source;
        this.threads = threads;
    }

    /// Writes the whole file and syncs it to disk.
    ///
    /// @param progress receives the written fraction, from 0 to 1
    /// @return the hex SHA-256 of the file
    /// @throws WeightValueException if a weight is not finite
    String write(Path file, DoubleConsumer progress) throws IOException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                ExecutorService pool = Executors.newFixedThreadPool(threads,
                        Thread.ofPlatform().name("engine-build-", 0).daemon().factory())) {
            try {
                long written = append(channel, digest, layout.prefix());
                Queue<Future<byte[]>> ahead = new ArrayDeque<>();
                for (StoredTensor tensor : inFileOrder) {
                    int blockRows = Math.max(1, BLOCK_VALUES / tensor.weight().columns());
                    for (int start = 0; start < tensor.weight().rows(); start += blockRows) {
                        int first = start;
                        int end = Math.min(tensor.weight().rows(), start + blockRows);
                        ahead.add(pool.submit(() -> block(tensor, first, end)));
                        if (ahead.size() > threads + BLOCKS_AHEAD) {
                            written += append(channel, digest, ahead.remove().get());
                            progress.accept((double) written / layout.fileBytes());
                        }
                    }
                }
                while (!ahead.isEmpty()) {
                    written += append(channel, digest, ahead.remove().get());
                    progress.accept((double) written / layout.fileBytes());
                }
                channel.force(true);
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IllegalArgumentException wrong) {
                    throw new WeightValueException(String.valueOf(wrong.getMessage()), wrong);
                }
                throw new IOException("a block of weights failed: " + failed.getCause(), failed);
            } finally {
                pool.shutdownNow();
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static int append(FileChannel channel, MessageDigest digest, byte[] bytes)
            throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        digest.update(bytes);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        return bytes.length;
    }

    private byte[] block(StoredTensor tensor, int first, int end) {
        float[] row = new float[tensor.weight().columns()];
        ByteBuffer bytes = ByteBuffer.allocate((end - first) * tensor.rowBytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int index = first; index < end; index++) {
            try {
                if (!source.stored(tensor, index, bytes)) {
                    source.row(tensor.weight(), index, row);
                    encode(tensor.part(), row, bytes);
                }
            } catch (IllegalArgumentException notFinite) {
                throw new IllegalArgumentException(
                        tensor.weight().name() + ", row " + index + ": " + notFinite.getMessage(), notFinite);
            }
        }
        return bytes.array();
    }

    /// Appends one row of a weight in the form of one of its tensors.
    ///
    /// @param row `[columns]`
    /// @param destination little-endian
    /// @throws IllegalArgumentException if a value cannot be quantised
    static void encode(StoredTensor.StoredPart part, float[] row, ByteBuffer destination) {
        switch (part) {
            case FP32_VALUES -> {
                for (float value : row) {
                    destination.putFloat(value);
                }
            }
            case BF16_VALUES -> {
                for (float value : row) {
                    destination.putShort(Bfloat16.encode(value));
                }
            }
            case FP8_VALUES -> Fp8Quantiser.values(row, Fp8Quantiser.scale(row), destination);
            case FP8_SCALES -> destination.putFloat(Fp8Quantiser.scale(row));
            case INT4_VALUES -> Int4Quantiser.values(row, destination);
            case INT4_SCALES -> Int4Quantiser.scales(row, destination);
            case INT4_ZEROS -> Int4Quantiser.zeros(row, destination);
        }
    }
}
