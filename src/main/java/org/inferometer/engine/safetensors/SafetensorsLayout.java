package org.inferometer.engine.safetensors;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The positions of the tensors in a new file.
///
/// Like the reference writer: tensors by descending element type, then by name. The header is padded with spaces to a
/// multiple of 8 bytes, which aligns every tensor to its element size.
public final class SafetensorsLayout {
    private static final int ALIGNMENT = 8;
    private static final String METADATA = "__metadata__";

    private final List<TensorEntry> entries;
    private final byte[] prefix;

    private SafetensorsLayout(List<TensorEntry> entries, byte[] prefix) {
        this.entries = entries;
        this.prefix = prefix;
    }

    /// The layout of these tensors.
    ///
    /// @param metadata strings for `__metadata__`; none is written when empty
    /// @throws IllegalArgumentException if a name is duplicate or a size overflows
    public static SafetensorsLayout of(Collection<TensorSpec> tensors, Map<String, String> metadata) {
        List<TensorSpec> sorted = new ArrayList<>(tensors);
        sorted.sort(Comparator.comparing(TensorSpec::dtype).reversed().thenComparing(TensorSpec::name));
        List<TensorEntry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>(metadata.isEmpty() ? Set.of() : Set.of(METADATA));
        long offset = 0;
        for (TensorSpec tensor : sorted) {
            long bytes = tensor.bytes().orElseThrow(() -> new IllegalArgumentException("No size for " + tensor));
            if (!names.add(tensor.name())) {
                throw new IllegalArgumentException("Two tensors are named " + tensor.name());
            }
            long end = Math.addExact(offset, bytes);
            entries.add(new TensorEntry(tensor, offset, end));
            offset = end;
        }
        return new SafetensorsLayout(List.copyOf(entries), padded(json(entries, new TreeMap<>(metadata))));
    }

    /// Opening each engine needs this; a generator takes a tenth of a mapper's time to create.
    private static byte[] json(List<TensorEntry> entries, Map<String, String> metadata) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator header = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), bytes)) {
            header.writeStartObject();
            if (!metadata.isEmpty()) {
                header.writeObjectPropertyStart(METADATA);
                metadata.forEach(header::writeStringProperty);
                header.writeEndObject();
            }
            for (TensorEntry entry : entries) {
                header.writeObjectPropertyStart(entry.spec().name());
                header.writeStringProperty("dtype", entry.spec().dtype().name());
                header.writeArrayPropertyStart("shape");
                entry.spec().shape().forEach(header::writeNumber);
                header.writeEndArray();
                header.writeArrayPropertyStart("data_offsets");
                header.writeNumber(entry.begin()).writeNumber(entry.end());
                header.writeEndArray().writeEndObject();
            }
            header.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static byte[] padded(byte[] json) {
        int length = (json.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer prefix = ByteBuffer.allocate(Long.BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
        prefix.putLong(length).put(json).put(" ".repeat(length - json.length).getBytes(StandardCharsets.US_ASCII));
        return prefix.array();
    }

    /// The tensors in file order.
    public List<TensorEntry> entries() {
        return entries;
    }

    /// The bytes before the first tensor: header length and header.
    public byte[] prefix() {
        return prefix.clone();
    }

    /// Size of the whole file.
    public long fileBytes() {
        return prefix.length + (entries.isEmpty() ? 0 : entries.getLast().end());
    }
}
