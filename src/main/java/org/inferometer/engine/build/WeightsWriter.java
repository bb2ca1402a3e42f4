package org.inferometer.engine.build;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.StoredTensor.StoredPart;
import org.inferometer.engine.safetensors.SafetensorsLayout;
import org.inferometer.engine.safetensors.TensorEntry;

/// Writes `weights.safetensors` from a source of rows; quantises and hashes while writing.
///
/// A small pool makes blocks of rows and the calling thread writes them in file order; at most a few blocks are in
/// memory. A tensor of scales makes its rows again instead of keeping them; zero points are made with their values. A weight
/// is released when a tensor of it is written. The result does not depend on the thread
/// count, nor on whether the build was interrupted.
final class WeightsWriter {
    private static final int BLOCK_VALUES = 1 << 18;
    private static final int BLOCKS_AHEAD = 3;
    private static final byte[] NONE = {};

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

    /// Positions in the file after each tensor.
    Set<Long> ends() {
        return layout.entries().stream().map(this::end).collect(Collectors.toSet());
    }

    private long end(TensorEntry entry) {
        return layout.prefix().length + entry.end();
    }

    /// Rows of a tensor, and those of the zero points that follow it, made with them; empty for none.
    private record Made(byte[] bytes, byte[] zeros) {}

    /// A block of rows.
    ///
    /// @param end of its tensor in the file, if it is the tensor's last; else 0
    private record Block(Future<Made> made, StoredTensor tensor, long end) {}

    /// Writes the whole file, or what an earlier build left to write, and syncs it to disk.
    ///
    /// @param journal of the file
    /// @param progress receives the written fraction, from 0 to 1
    /// @return the hex SHA-256 of the file
    /// @throws WeightValueException if a weight is not finite
    String write(Path file, BuildJournal journal, DoubleConsumer progress) throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                ExecutorService pool = Executors.newFixedThreadPool(threads,
                        Thread.ofPlatform().name("engine-build-", 0).daemon().factory())) {
            try {
                MessageDigest digest = journal.resume(channel);
                Output output = new Output(channel, digest, journal, progress, journal.keptBytes());
                if (output.written == 0) {
                    output.append(layout.prefix());
                }
                long kept = output.written;
                Queue<Block> ahead = new ArrayDeque<>();
                for (int index = 0; index < inFileOrder.size(); index++) {
                    long end = end(layout.entries().get(index));
                    boolean withBefore = index > 0 && end(layout.entries().get(index - 1)) > kept
                            && zerosAfter(index - 1).isPresent();
                    if (end > kept && withBefore) {
                        ahead.add(new Block(CompletableFuture.completedFuture(new Made(NONE, NONE)),
                                inFileOrder.get(index), end));
                    } else if (end > kept) {
                        write(index, pool, ahead, output);
                    }
                }
                while (!ahead.isEmpty()) {
                    output.append(ahead.remove());
                }
                channel.force(true);
                return HexFormat.of().formatHex(digest.digest());
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IllegalArgumentException wrong) {
                    throw new WeightValueException(String.valueOf(wrong.getMessage()), wrong);
                }
                throw new IOException("a block of weights failed: " + failed.getCause(), failed);
            } finally {
                pool.shutdownNow();
            }
        }
    }

    /// The zero points of a tensor's groups, if they follow it in the file.
    private Optional<StoredTensor> zerosAfter(int index) {
        return Optional.of(index + 1)
                .filter(next -> next < inFileOrder.size() && inFileOrder.get(index).part() == StoredPart.INT4_VALUES)
                .map(inFileOrder::get).filter(next -> next.part() == StoredPart.INT4_ZEROS
                        && next.weight().equals(inFileOrder.get(index).weight()));
    }

    private void write(int index, ExecutorService pool, Queue<Block> ahead, Output output)
            throws IOException, InterruptedException, ExecutionException {
        StoredTensor tensor = inFileOrder.get(index);
        Optional<StoredTensor> zeros = zerosAfter(index);
        int rows = tensor.weight().rows();
        int blockRows = Math.max(1, BLOCK_VALUES / tensor.weight().columns());
        for (int start = 0; start < rows; start += blockRows) {
            int first = start;
            int after = Math.min(rows, start + blockRows);
            ahead.add(new Block(pool.submit(() -> block(tensor, zeros, first, after)), tensor,
                    after == rows ? end(layout.entries().get(index)) : 0));
            if (ahead.size() > threads + BLOCKS_AHEAD) {
                output.append(ahead.remove());
            }
        }
    }

    /// The end of the file that is being written.
    private final class Output {
        private final FileChannel channel;
        private final MessageDigest digest;
        private final BuildJournal journal;
        private final DoubleConsumer progress;
        private final ByteArrayOutputStream zeros = new ByteArrayOutputStream();
        private long written;

        Output(FileChannel channel, MessageDigest digest, BuildJournal journal, DoubleConsumer progress, long written) {
            this.channel = channel;
            this.digest = digest;
            this.journal = journal;
            this.progress = progress;
            this.written = written;
        }

        void append(Block block) throws IOException, InterruptedException, ExecutionException {
            Made made = block.made.get();
            append(made.bytes);
            zeros.writeBytes(made.zeros);
            if (block.tensor.part() == StoredPart.INT4_ZEROS) {
                append(zeros.toByteArray());
                zeros.reset();
            }
            if (block.end > 0) {
                journal.mark(block.end, digest);
                source.release(block.tensor.weight());
            }
            progress.accept((double) written / layout.fileBytes());
        }

        void append(byte[] bytes) throws IOException, InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            digest.update(bytes);
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            written += bytes.length;
        }
    }

    private Made block(StoredTensor tensor, Optional<StoredTensor> zeros, int first, int end) {
        if (first == 0) {
            source.prepare(tensor.weight());
        }
        float[] row = new float[tensor.weight().columns()];
        byte[] made = new byte[(end - first) * tensor.rowBytes()];
        byte[] madeZeros = zeros.map(with -> new byte[(end - first) * with.rowBytes()]).orElse(NONE);
        ByteBuffer bytes = ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer zeroBytes = ByteBuffer.wrap(madeZeros);
        for (int index = first; index < end; index++) {
            try {
                if (source.stored(tensor, index, bytes)) {
                    if (zeros.isPresent()) {
                        source.stored(zeros.get(), index, zeroBytes);
                    }
                    continue;
                }
                source.row(tensor.weight(), index, row);
                if (zeros.isPresent()) {
                    Int4Quantiser.values(row, tensor.groupColumns(), bytes, zeroBytes);
                } else {
                    encode(tensor, row, bytes);
                }
            } catch (IllegalArgumentException notFinite) {
                throw new IllegalArgumentException(
                        tensor.weight().name() + ", row " + index + ": " + notFinite.getMessage(), notFinite);
            }
        }
        return new Made(made, madeZeros);
    }

    /// Appends one row of a weight in the form of one of its tensors.
    ///
    /// @param row `[columns]`
    /// @param destination little-endian
    /// @throws IllegalArgumentException if a value cannot be quantised
    static void encode(StoredTensor tensor, float[] row, ByteBuffer destination) {
        switch (tensor.part()) {
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
            case FP8_VALUES -> Fp8Quantiser.values(row, tensor.groupColumns(), destination);
            case FP8_SCALES -> Fp8Quantiser.scales(row, tensor.groupColumns(), destination);
            case INT8_VALUES -> Int8Quantiser.values(row, destination);
            case INT8_SCALES -> Int8Quantiser.scales(row, destination);
            case INT4_VALUES -> Int4Quantiser.values(row, tensor.groupColumns(), destination);
            case INT4_SCALES -> Int4Quantiser.scales(row, tensor.groupColumns(), destination);
            case INT4_ZEROS -> Int4Quantiser.zeros(row, tensor.groupColumns(), destination);
            case INPUT_ORDER -> throw new IllegalStateException("an order of inputs is no weight");
        }
    }
}
