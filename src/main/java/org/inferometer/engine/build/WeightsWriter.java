package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import java.util.zip.CRC32C;
import org.inferometer.engine.build.WeightsPlan.Block;
import org.inferometer.engine.build.WeightsPlan.Part;

/// Writes `weights.safetensors` from a source of rows; quantises while reading and hashes while writing.
///
/// A small pool takes the blocks of the plan in their order. It reads each row once and writes values, scales and zero points
/// to their places; each thread holds one block. The calling thread notes complete blocks, flushes, and hashes
/// the file as far as it is written. A weight is released when it is written. The result does not depend on the
/// thread count, nor on whether the build was interrupted.
final class WeightsWriter {
    /// Written between two flushes, which then take little time each and none at the end.
    private static final long FLUSH_BYTES = 64L << 20;
    /// Writing counts as much as so many times hashing, in the progress.
    private static final long HASHES_A_WRITE = 9;

    private final WeightsPlan plan;
    private final WeightSource source;
    private final int threads;

    WeightsWriter(WeightsPlan plan, WeightSource source, int threads) {
        this.plan = plan;
        this.source = source;
        this.threads = threads;
    }

    /// Writes the whole file, or what an earlier build left to write, and syncs it to disk.
    ///
    /// @param journal of the file
    /// @param progress receives the written fraction, from 0 to 1
    /// @return the hex SHA-256 of the file
    /// @throws WeightValueException if a weight cannot be stored
    String write(Path file, BuildJournal journal, DoubleConsumer progress) throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                ExecutorService pool = Executors.newFixedThreadPool(threads,
                        Thread.ofPlatform().name("engine-build-", 0).daemon().factory())) {
            try {
                int kept = journal.resume(block -> checksum(channel, plan.blocks().get(block)));
                channel.truncate(plan.fileBytes());
                write(channel, ByteBuffer.wrap(plan.prefix()), 0);
                return write(channel, pool, kept, journal, progress);
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof IOException known ? known
                        : new IOException("a block of weights failed: " + failed.getCause(), failed);
            } finally {
                pool.shutdownNow();
            }
        }
    }

    private String write(FileChannel channel, ExecutorService pool, int kept, BuildJournal journal,
            DoubleConsumer progress) throws IOException, InterruptedException, ExecutionException {
        List<Block> blocks = plan.blocks();
        List<Future<Integer>> checksums = new ArrayList<>();
        for (Block block : blocks.subList(kept, blocks.size())) {
            checksums.add(pool.submit(() -> made(block, channel)));
        }
        FileHash hash = new FileHash(channel);
        long flushed = 0;
        for (int done = kept; done < blocks.size(); done++) {
            journal.mark(checksums.get(done - kept).get());
            if (blocks.get(done).isLast()) {
                source.release(blocks.get(done).weight());
            }
            long written = plan.writtenBytes().get(done);
            if (written - flushed >= FLUSH_BYTES) {
                channel.force(false);
                flushed = written;
            }
            hash.advance(plan.wholeBytes().get(done));
            tell(progress, written, hash.position());
        }
        Future<?> flush = pool.submit(() -> {
            channel.force(true);
            return null;
        });
        while (hash.position() < plan.fileBytes()) {
            hash.advance(Math.min(plan.fileBytes(), hash.position() + FLUSH_BYTES));
            tell(progress, plan.fileBytes(), hash.position());
        }
        flush.get();
        return hash.hex();
    }

    private void tell(DoubleConsumer progress, long written, long hashed) throws InterruptedException {
        progress.accept((double) (written * HASHES_A_WRITE + hashed) / (plan.fileBytes() * (HASHES_A_WRITE + 1)));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /// Makes and writes a block.
    ///
    /// @return its checksum
    private int made(Block block, FileChannel channel) throws IOException {
        List<ByteBuffer> parts = block.buffers();
        RowEncoder encoder = RowEncoder.of(block.values());
        float[] row = new float[block.weight().columns()];
        if (block.first() == 0) {
            source.prepare(block.weight());
        }
        for (int index = block.first(); index < block.end(); index++) {
            try {
                if (!stored(block, index, parts)) {
                    source.row(block.weight(), index, row);
                    encoder.encode(row, parts);
                }
            } catch (IllegalArgumentException wrong) {
                throw new WeightValueException(block.weight().name() + ", row " + index + ": " + wrong.getMessage(),
                        wrong);
            }
        }
        CRC32C checksum = new CRC32C();
        for (int part = 0; part < parts.size(); part++) {
            checksum.update(parts.get(part).flip());
            write(channel, parts.get(part).rewind(), block.begin(part));
        }
        return (int) checksum.getValue();
    }

    private boolean stored(Block block, int row, List<ByteBuffer> parts) {
        List<Part> wanted = block.parts();
        for (int part = 0; part < wanted.size(); part++) {
            if (!source.stored(wanted.get(part).tensor(), row, parts.get(part))) {
                return false;
            }
        }
        return true;
    }

    /// The checksum of a block as the file has it.
    private static int checksum(FileChannel channel, Block block) throws IOException {
        List<ByteBuffer> parts = block.buffers();
        CRC32C checksum = new CRC32C();
        for (int part = 0; part < parts.size(); part++) {
            ByteBuffer bytes = parts.get(part);
            while (bytes.hasRemaining() && channel.read(bytes, block.begin(part) + bytes.position()) >= 0) {
                // The next read goes on where this one ended.
            }
            checksum.update(bytes.flip());
        }
        return (int) checksum.getValue();
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long begin = position - bytes.position();
        while (bytes.hasRemaining()) {
            channel.write(bytes, begin + bytes.position());
        }
    }

    /// A weight cannot be stored; the message names it and its row.
    static final class WeightValueException extends IOException {
        private static final long serialVersionUID = 1L;

        WeightValueException(String problem, Throwable cause) {
            super(problem, cause);
        }
    }
}
