package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.jspecify.annotations.Nullable;

/// The packed matrices of an engine in a file beside its weights, mapped and used in place.
///
/// The file is a cache that may be missing, old, damaged or forged. Every byte is checked against [PackHeader] and its
/// checksums before use. If the check fails the weights are packed again, in memory if the file cannot be written. The
/// checksums cost little more than the page faults of a first step.
///
/// Truncating a mapped file ends the process: replace such files, never change them.
public final class PackFile {
    // A piece bounds the time to a safepoint.
    private static final long CRC_PIECE_BYTES = 1 << 20;

    private final Path path;
    private final ModelWeights weights;
    private final List<WeightMatrix> sources;
    private final PackHeader header;
    private final int threads;

    /// @param threads for packing and checking
    public PackFile(Engine engine, int threads) {
        this.path = engine.packedFile("host");
        this.weights = engine.weights();
        this.sources = PackedModel.distinct(weights);
        this.header = new PackHeader(engine, sources);
        this.threads = threads;
    }

    /// The engine's matrices: mapped from a valid file, else packed and written to the file.
    ///
    /// @return closed by the caller before the engine
    /// @throws EngineFormatException when scales or zero points are impossible
    public static PackedModel load(Engine engine, int threads) throws EngineFormatException {
        PackFile file = new PackFile(engine, threads);
        PackedModel kept = file.open();
        if (kept != null) {
            return kept;
        }
        engine.checkValues();
        PackedModel fresh = PackedModel.inMemory(engine.weights(), threads);
        // The first run uses mapped memory like the later ones.
        PackedModel mapped = file.write(fresh, FreeSpace.DISK) ? file.open() : null;
        if (mapped == null) {
            return fresh;
        }
        fresh.close();
        return mapped;
    }

    /// Maps the file.
    ///
    /// @return null when it is missing or not exactly what would be written now
    @Nullable
    PackedModel open() {
        if (!Files.isRegularFile(path)) {
            return null;
        }
        Arena arena = Arena.ofShared();
        PackedModel model = null;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            PackHeader.Checks checks = checks(channel);
            model = checks == null ? null : mapped(channel, checks, arena);
            if (model == null) {
                log("is damaged, or was made from other weights or by another program or machine", null);
            }
        } catch (IOException unreadable) {
            log("cannot be read", unreadable);
        } finally {
            if (model == null) {
                arena.close();
            }
        }
        return model;
    }

    /// Whether the file is valid.
    public boolean fits() {
        PackedModel model = open();
        if (model != null) {
            model.close();
        }
        return model != null;
    }

    private PackHeader.@Nullable Checks checks(FileChannel channel) throws IOException {
        long fileBytes = channel.size();
        if (fileBytes < header.bytes()) {
            return null;
        }
        ByteBuffer read = ByteBuffer.allocate(header.bytes());
        while (read.hasRemaining()) {
            if (channel.read(read, read.position()) < 0) {
                return null;
            }
        }
        return header.matching(read.array(), fileBytes);
    }

    // A view with the class of allocated segments: compiled kernels expect one class of segment.
    @SuppressWarnings("restricted")
    private @Nullable PackedModel mapped(FileChannel channel, PackHeader.Checks checks, Arena arena)
            throws IOException {
        MemorySegment mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, header.fileBytes(checks), arena);
        MemorySegment all =
                MemorySegment.ofAddress(mapping.address()).reinterpret(mapping.byteSize(), arena, null).asReadOnly();
        PackedMatrix[] matrices = new PackedMatrix[sources.size()];
        AtomicBoolean damaged = new AtomicBoolean();
        try (WorkerGroup group = new WorkerGroup("inferometer-packing", threads)) {
            group.run((worker, item) -> {
                PackedMatrix matrix = damaged.get() ? null : matrix(item, all, checks);
                if (matrix == null) {
                    damaged.set(true);
                } else {
                    matrices[item] = matrix;
                }
            }, matrices.length);
        }
        return damaged.get() ? null : new PackedModel(weights, List.of(matrices), arena);
    }

    private @Nullable PackedMatrix matrix(int item, MemorySegment all, PackHeader.Checks checks) {
        WeightMatrix source = sources.get(item);
        MemorySegment lines = all.asSlice(header.offset(item), PackedMatrix.bytes(source));
        MemorySegment corrections = all.asSlice(header.correctionsOffset(item, checks),
                (long) Integer.BYTES * checks.correctionWords()[item]);
        if (crc(lines) != checks.linesCrc()[item] || crc(corrections) != checks.correctionsCrc()[item]) {
            return null;
        }
        if (!(source instanceof WeightMatrix.Fp8 fp8)) {
            return corrections.byteSize() == 0 ? new PackedMatrix(source, lines, new Fp8Corrections(0)) : null;
        }
        Fp8Corrections restored = Fp8Corrections.restored(corrections.toArray(LittleEndian.INT), lines, fp8);
        return restored == null ? null : new PackedMatrix(source, lines, restored);
    }

    /// Writes the file atomically.
    ///
    /// @return false, with the reason in the log, when it cannot be written
    boolean write(PackedModel model, FreeSpace freeSpace) {
        List<PackedMatrix> matrices = sources.stream().map(model::of).toList();
        byte[][] corrections = new byte[matrices.size()][];
        PackHeader.Checks checks = new PackHeader.Checks(corrections.length);
        try (WorkerGroup group = new WorkerGroup("inferometer-packing", threads)) {
            group.run((worker, item) -> {
                PackedMatrix matrix = matrices.get(item);
                int[] stored = matrix.corrections().stored();
                ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * stored.length).order(ByteOrder.LITTLE_ENDIAN);
                Arrays.stream(stored).forEach(bytes::putInt);
                corrections[item] = bytes.array();
                checks.linesCrc()[item] = crc(matrix.lines());
                checks.correctionWords()[item] = stored.length;
                checks.correctionsCrc()[item] = crc(MemorySegment.ofArray(corrections[item]));
            }, corrections.length);
        }
        try (PackWriter writer = PackWriter.begin(path, header.fileBytes(checks), freeSpace)) {
            for (int item = 0; item < corrections.length; item++) {
                writer.put(header.offset(item), matrices.get(item).lines());
                writer.put(header.correctionsOffset(item, checks), MemorySegment.ofArray(corrections[item]));
            }
            writer.put(0, MemorySegment.ofArray(header.encoded(checks)));
            writer.publish(header.fileBytes(checks));
            return true;
        } catch (IOException kept) {
            log("cannot be written, so the weights are packed in memory each time", kept);
            return false;
        }
    }

    private static int crc(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        for (long at = 0; at < bytes.byteSize(); at += CRC_PIECE_BYTES) {
            crc.update(bytes.asSlice(at, Math.min(CRC_PIECE_BYTES, bytes.byteSize() - at)).asByteBuffer());
        }
        return (int) crc.getValue();
    }

    private void log(String what, @Nullable IOException why) {
        String reason = why == null ? "" : " (" + why + ")";
        System.getLogger(PackFile.class.getName()).log(Level.DEBUG, path + " " + what + reason + ".");
    }
}
