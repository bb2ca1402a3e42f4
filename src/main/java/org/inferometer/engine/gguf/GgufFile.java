package org.inferometer.engine.gguf;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;
import org.inferometer.units.SizeProduct;

/// An open GGUF model, in one file or in parts, mapped until it is closed. Any thread may read.
///
/// Source of the layout: the published specification of GGUF, versions 2 and 3, little-endian.
public final class GgufFile implements AutoCloseable {
    /// The end of its name.
    public static final String ENDING = ".gguf";

    private static final int MAGIC = 0x46554747; // "GGUF"
    private static final Pattern PART = Pattern.compile("(.*)-(\\d{5})-of-(\\d{5})\\.gguf");
    private static final int MOST_PARTS = 1_000;
    private static final int MOST_TENSORS = 1_000_000;
    private static final int MOST_DIMENSIONS = 2;
    private static final int LEAST_TENSOR_BYTES = 32;
    private static final long STANDARD_ALIGNMENT = 32;
    private static final long LEAST_ALIGNMENT = 8;
    private static final long MOST_ALIGNMENT = 1 << 20;

    private final Path path;
    private final List<Arena> arenas;
    private final GgufMetadata metadata;
    private final Map<String, GgufTensor> tensors;

    private GgufFile(Path path, List<Arena> arenas, GgufMetadata metadata, Map<String, GgufTensor> tensors) {
        this.path = path;
        this.arenas = arenas;
        this.metadata = metadata;
        this.tensors = tensors;
    }

    /// Maps a model and checks its headers. The caller closes it.
    ///
    /// @param path the file, or the first of its parts
    /// @throws EngineFormatException if a file is missing or damaged, or has a type that is not read
    public static GgufFile open(Path path) throws EngineFormatException {
        List<Arena> arenas = new ArrayList<>();
        Map<String, GgufTensor> tensors = new LinkedHashMap<>();
        boolean opened = false;
        try {
            GgufMetadata metadata = part(path, arenas, tensors);
            for (Path next : others(path, metadata)) {
                part(next, arenas, tensors);
            }
            opened = true;
            return new GgufFile(path, arenas, metadata, tensors);
        } catch (IOException e) {
            throw new EngineFormatException(path, "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the file and its permissions.", e);
        } finally {
            if (!opened) {
                arenas.forEach(Arena::close);
            }
        }
    }

    /// The other parts of a model in parts; the file's own name is the pattern, so that it names no other place.
    private static List<Path> others(Path path, GgufMetadata metadata) throws EngineFormatException {
        long parts = metadata.whole("split.count").orElse(1);
        if (parts <= 1) {
            return List.of();
        }
        Matcher name = PART.matcher(String.valueOf(path.getFileName()));
        if (!name.matches() || parts > MOST_PARTS || Long.parseLong(name.group(3)) != parts
                || !name.group(2).equals("00001")) {
            throw new EngineFormatException(path, "It is a part of " + parts + " of a model.",
                    "Give the first part, named NAME-00001-of-" + "%05d".formatted(parts) + ".gguf.");
        }
        List<Path> others = new ArrayList<>();
        for (int i = 2; i <= parts; i++) {
            Path next = path.resolveSibling(name.group(1) + "-%05d-of-%05d.gguf".formatted(i, parts));
            if (!Files.isRegularFile(next)) {
                throw new EngineFormatException(next, "The file is missing.", "Copy all parts of the model.");
            }
            others.add(next);
        }
        return others;
    }

    private static GgufMetadata part(Path path, List<Arena> arenas, Map<String, GgufTensor> tensors)
            throws IOException, EngineFormatException {
        if (!Files.isRegularFile(path)) {
            throw new EngineFormatException(path, "The file is missing.", "Give the path of a GGUF file.");
        }
        Arena arena = Arena.ofShared();
        arenas.add(arena);
        MemorySegment bytes;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        GgufCursor in = new GgufCursor(path, bytes);
        if (in.remaining() < Integer.BYTES || in.int32() != MAGIC) {
            throw in.damaged("it does not begin with \"GGUF\"");
        }
        int version = in.int32();
        if (version != 2 && version != 3) {
            throw in.damaged("it has version " + version + "; versions 2 and 3 are read, little-endian");
        }
        int count = in.count("tensors", MOST_TENSORS, LEAST_TENSOR_BYTES);
        int keys = in.count("values", Integer.MAX_VALUE, GgufMetadata.leastEntryBytes());
        GgufMetadata metadata = GgufMetadata.read(in, keys);
        List<Described> described = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            described.add(described(path, in));
        }
        OptionalLong alignment = metadata.whole("general.alignment");
        long step = alignment.orElse(STANDARD_ALIGNMENT);
        if (step < LEAST_ALIGNMENT || step % LEAST_ALIGNMENT != 0 || step > MOST_ALIGNMENT) {
            throw in.damaged("it aligns tensors to " + step + " bytes");
        }
        long data = Math.ceilDiv(in.position(), step) * step;
        for (Described tensor : described) {
            if (tensors.put(tensor.name, tensor.in(path, bytes, data, in)) != null) {
                throw in.damaged("the tensor \"" + OneLine.of(tensor.name) + "\" stands twice");
            }
        }
        return metadata;
    }

    private record Described(String name, GgufType type, long columns, long rows, long offset) {
        GgufTensor in(Path path, MemorySegment file, long data, GgufCursor at) throws EngineFormatException {
            long size = SizeProduct.of(type.bytes(columns), rows).orElse(Long.MAX_VALUE);
            if (offset < 0 || size > file.byteSize() || data > file.byteSize() - size
                    || offset > file.byteSize() - size - data) {
                throw at.damaged("the tensor \"" + OneLine.of(name) + "\" ends after the file");
            }
            return new GgufTensor(path, name, type, columns, rows, file.asSlice(data + offset, size));
        }
    }

    private static Described described(Path path, GgufCursor in) throws EngineFormatException {
        String name = in.text();
        int dimensions = in.int32();
        if (dimensions < 1 || dimensions > MOST_DIMENSIONS) {
            throw new EngineFormatException(path,
                    "The tensor \"" + OneLine.of(name) + "\" has " + dimensions + " dimensions; 1 and 2 are read.",
                    "Give a model of a supported architecture.");
        }
        long columns = in.int64();
        long rows = dimensions == 1 ? 1 : in.int64();
        int code = in.int32();
        GgufType type = GgufType.of(code)
                .orElseThrow(() -> new EngineFormatException(path,
                        "The tensor \"" + OneLine.of(name) + "\" has the type " + GgufType.named(code)
                                + ", which is not read.",
                        "Read are F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K and Q6_K."));
        if (columns < 1 || rows < 1 || columns > Integer.MAX_VALUE || rows > Integer.MAX_VALUE
                || columns % type.blockValues() != 0) {
            throw in.damaged("the tensor \"" + OneLine.of(name) + "\" has the sizes " + columns + " and " + rows);
        }
        return new Described(name, type, columns, rows, in.int64());
    }

    /// The file, or the first of its parts.
    public Path path() {
        return path;
    }

    /// The values of its header; those of the first part.
    public GgufMetadata metadata() {
        return metadata;
    }

    /// A tensor by its name.
    public Optional<GgufTensor> find(String name) {
        return Optional.ofNullable(tensors.get(name));
    }

    @Override
    public void close() {
        arenas.forEach(Arena::close);
    }

    /// A tensor of a file, valid until the file is closed. Any thread may read.
    ///
    /// @param file that holds it
    /// @param columns values of a row
    /// @param rows 1 for vectors
    public record GgufTensor(Path file, String name, GgufType type, long columns, long rows, MemorySegment bytes) {
        /// Widens a row to FP32.
        ///
        /// @param to `[columns]`
        public void row(long row, float[] to) {
            long rowBytes = type.bytes(columns);
            GgufBlocks.widen(type, bytes.asSlice(row * rowBytes, rowBytes), to);
        }

        /// Widens values of a vector, from a first one on.
        public void values(int first, float[] to) {
            float[] all = new float[(int) columns];
            row(0, all);
            System.arraycopy(all, first, to, 0, to.length);
        }
    }
}
