package org.inferometer.engine.safetensors;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import org.inferometer.units.FileFault;

/// A safetensors file, mapped read-only until closed. Any thread may read.
public final class SafetensorsFile implements AutoCloseable {
    private static final long LARGEST_HEADER = 100_000_000;

    private final Path path;
    private final Arena arena;
    private final MemorySegment data;
    private final SafetensorsHeader header;
    private final Map<String, TensorEntry> byName;

    private SafetensorsFile(Path path, Arena arena, MemorySegment data, SafetensorsHeader header) {
        this.path = path;
        this.arena = arena;
        this.data = data;
        this.header = header;
        this.byName = new LinkedHashMap<>();
        header.entries().forEach(entry -> byName.put(entry.spec().name(), entry));
    }

    /// Maps a file after checking its header against its size. Memory use is proportional to the header.
    ///
    /// @throws EngineFormatException if the file is missing, unreadable or no valid safetensors file
    public static SafetensorsFile open(Path path) throws EngineFormatException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw SafetensorsHeader.damaged(path, "it is not a regular file", null);
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long fileBytes = channel.size();
            SafetensorsHeader header = header(path, channel, fileBytes);
            return mapped(path, channel, fileBytes, header);
        } catch (NoSuchFileException missing) {
            throw new EngineFormatException(path, "The file is missing.", "Build the engine again.", missing);
        } catch (IOException unreadable) {
            throw new EngineFormatException(path, "Cannot be read (" + FileFault.reason(unreadable) + ").",
                    "Check the disk and the file's permissions.", unreadable);
        }
    }

    private static SafetensorsFile mapped(Path path, FileChannel channel, long fileBytes, SafetensorsHeader header)
            throws IOException {
        long dataBytes = header.entries().isEmpty() ? 0 : header.entries().getLast().end();
        Arena arena = Arena.ofShared();
        try {
            MemorySegment data = channel.map(FileChannel.MapMode.READ_ONLY, fileBytes - dataBytes, dataBytes, arena);
            return new SafetensorsFile(path, arena, data, header);
        } catch (IOException unmapped) {
            arena.close();
            throw unmapped;
        }
    }

    private static SafetensorsHeader header(Path path, FileChannel channel, long fileBytes)
            throws IOException, EngineFormatException {
        if (fileBytes < Long.BYTES) {
            throw SafetensorsHeader.damaged(path, "it has " + fileBytes + " bytes, too few for a header", null);
        }
        long length = ByteBuffer.wrap(read(channel, 0, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 0 || length > LARGEST_HEADER) {
            throw SafetensorsHeader.damaged(path,
                    "its header claims " + Long.toUnsignedString(length) + " bytes, more than " + LARGEST_HEADER, null);
        }
        if (length > fileBytes - Long.BYTES) {
            throw SafetensorsHeader.damaged(path, "its header claims " + length + " bytes, the file has " + fileBytes,
                    null);
        }
        return SafetensorsHeader.parse(path, read(channel, Long.BYTES, (int) length), fileBytes - Long.BYTES - length);
    }

    private static byte[] read(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new IOException("the file shrank while it was read");
            }
        }
        return buffer.array();
    }

    /// The file's path.
    public Path path() {
        return path;
    }

    /// The tensors in file order.
    public List<TensorEntry> entries() {
        return header.entries();
    }

    /// The strings under `__metadata__`.
    public Map<String, String> metadata() {
        return header.metadata();
    }

    /// The tensor of that name.
    public Optional<TensorEntry> entry(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// The bytes of a tensor, valid until the file is closed. Use unaligned little-endian layouts.
    public MemorySegment bytes(TensorEntry entry) {
        return data.asSlice(entry.begin(), entry.bytes());
    }

    @Override
    public void close() {
        arena.close();
    }
}
