package org.inferometer.engine.build;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.safetensors.SafetensorsLayout;

/// The order in which the weights of an engine are made, and the places of their tensors in its file.
///
/// Weights follow the order of their values in the file. A block is some rows of a weight, with all its tensors.
final class WeightsPlan {
    private static final int BLOCK_VALUES = 1 << 19;

    private final SafetensorsLayout layout;
    private final byte[] prefix;
    private final List<Block> blocks;
    private final List<Long> writtenBytes;
    private final List<Long> wholeBytes;

    /// A tensor and the position of its first byte in the file.
    record Part(StoredTensor tensor, long begin) {}

    /// Rows of a weight.
    ///
    /// @param parts of the weight: values, then scales and zero points if its format has them
    /// @param first row
    /// @param end after the last row
    record Block(List<Part> parts, int first, int end) {
        StoredTensor values() {
            return parts.getFirst().tensor;
        }

        WeightSpec weight() {
            return values().weight();
        }

        /// Whether it has the last row of its weight.
        boolean isLast() {
            return end == weight().rows();
        }

        /// The position of its rows of a part.
        long begin(int part) {
            return parts.get(part).begin + (long) first * parts.get(part).tensor.rowBytes();
        }

        /// Empty, for its rows of each part.
        List<ByteBuffer> buffers() {
            return parts.stream().map(
                    part -> ByteBuffer.allocate((end - first) * part.tensor.rowBytes()).order(ByteOrder.LITTLE_ENDIAN))
                    .toList();
        }

        long bytes() {
            return parts.stream().mapToLong(part -> (long) (end - first) * part.tensor.rowBytes()).sum();
        }
    }

    private WeightsPlan(SafetensorsLayout layout, byte[] prefix, List<Block> blocks, List<Long> writtenBytes,
            List<Long> wholeBytes) {
        this.layout = layout;
        this.prefix = prefix;
        this.blocks = blocks;
        this.writtenBytes = writtenBytes;
        this.wholeBytes = wholeBytes;
    }

    /// @param tensors those of a weight follow each other, its values first
    static WeightsPlan of(List<StoredTensor> tensors) {
        SafetensorsLayout layout = StoredTensor.layout(tensors);
        byte[] prefix = layout.prefix();
        Map<String, Long> begins = layout.entries().stream()
                .collect(Collectors.toMap(entry -> entry.spec().name(), entry -> prefix.length + entry.begin()));
        Map<String, List<Part>> byWeight = new LinkedHashMap<>();
        for (StoredTensor tensor : tensors) {
            byWeight.computeIfAbsent(tensor.weight().name(), name -> new ArrayList<>())
                    .add(new Part(tensor, Objects.requireNonNull(begins.get(tensor.tensor().name()))));
        }
        List<Block> blocks = new ArrayList<>();
        Map<String, Integer> blocksUntilWhole = new HashMap<>();
        byWeight.values().stream().sorted(Comparator.comparingLong(parts -> parts.getFirst().begin)).forEach(parts -> {
            blocks.addAll(blocks(List.copyOf(parts)));
            parts.forEach(part -> blocksUntilWhole.put(part.tensor.tensor().name(), blocks.size()));
        });
        List<Long> writtenBytes = new ArrayList<>();
        List<Long> wholeBytes = new ArrayList<>();
        long written = 0;
        int whole = 0;
        for (int done = 1; done <= blocks.size(); done++) {
            while (whole < tensors.size()
                    && blocksUntilWhole.getOrDefault(layout.entries().get(whole).spec().name(), 0) <= done) {
                whole++;
            }
            written += blocks.get(done - 1).bytes();
            writtenBytes.add(written);
            wholeBytes.add(prefix.length + (whole == 0 ? 0 : layout.entries().get(whole - 1).end()));
        }
        return new WeightsPlan(layout, prefix, List.copyOf(blocks), List.copyOf(writtenBytes), List.copyOf(wholeBytes));
    }

    private static List<Block> blocks(List<Part> parts) {
        WeightSpec weight = parts.getFirst().tensor.weight();
        int rows = Math.max(1, BLOCK_VALUES / weight.columns());
        List<Block> blocks = new ArrayList<>();
        for (int first = 0; first < weight.rows(); first += rows) {
            blocks.add(new Block(parts, first, Math.min(weight.rows(), first + rows)));
        }
        return blocks;
    }

    /// The blocks in the order in which they are made.
    List<Block> blocks() {
        return blocks;
    }

    /// The bytes before the first tensor.
    byte[] prefix() {
        return prefix.clone();
    }

    /// Bytes of the whole file.
    long fileBytes() {
        return layout.fileBytes();
    }

    /// For each block, the bytes of weights once it and those before it are written.
    List<Long> writtenBytes() {
        return writtenBytes;
    }

    /// For each block, the bytes of the file from its begin that are written once it and those before it are.
    List<Long> wholeBytes() {
        return wholeBytes;
    }
}
