package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;

/// Writes a tiny Llama as GGUF with random matrices in Q4_0 or Q8_0, straight from the published layouts: blocks of an FP16 scale
/// and 32 codes. Q4_0 has sixteen bytes, whose low halves are the first sixteen codes; Q8_0 a signed byte a code.
///
/// @param values the same model in doubles
/// @param blocks of the tensors in the format, by the names of transformers
public record PublishedBlocks(Path file, PublishedCheckpoint values, Map<String, Blocks> blocks) {
    private static final int BLOCK = 32;
    private static final short MINUS_ZERO = (short) 0x8000;

    /// A format of blocks.
    public enum Format {
        Q4_0(2, 8, 0, 16, 5), Q8_0(8, 0, -128, 128, 74);

        private final int number;
        private final int zero;
        private final int least;
        private final int end;
        private final double size;

        Format(int number, int zero, int least, int end, double size) {
            this.number = number;
            this.zero = zero;
            this.least = least;
            this.end = end;
            this.size = size;
        }

        int bytes() {
            return 2 + (this == Q4_0 ? BLOCK / 2 : BLOCK);
        }
    }

    /// Rows in the order of transformers.
    ///
    /// @param scales FP16 `[rows][columns / 32]`
    /// @param codes `[rows][columns]`
    public record Blocks(Format format, short[][] scales, int[][] codes) {
        double value(int row, int column) {
            return Float.float16ToFloat(scales[row][column / BLOCK]) * (double) (codes[row][column] - format.zero);
        }
    }

    /// @param quantised names of GGUF whose tensors are in the format; other matrices are F16
    static PublishedBlocks write(Path file, Format format, Predicate<String> quantised, long seed) throws IOException {
        PublishedCheckpoint plain = PublishedCheckpoint.of("llama", PublishedQuantisation.SIZES, seed);
        return write(file, PublishedGguf.of(plain), plain, format, quantised, seed);
    }

    /// As the other, with a header that has a tokenizer too.
    ///
    /// @param plain a Llama whose matrices become random blocks
    public static PublishedBlocks write(Path file, PublishedGguf header, PublishedCheckpoint plain, Format format,
            Predicate<String> quantised, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Tensor> values = new LinkedHashMap<>();
        Map<String, Blocks> blocks = new LinkedHashMap<>();
        Map<String, byte[]> data = new LinkedHashMap<>();
        plain.tensors().forEach((name, tensor) -> {
            PublishedCheckpoint alone = new PublishedCheckpoint("llama", plain.sizes(), Map.of(name, tensor));
            String stored = PublishedGguf.tensors(alone).keySet().iterator().next();
            if (tensor.shape().length == 1 || !quantised.test(stored)) {
                values.put(name, tensor);
                return;
            }
            Blocks made = random(format, tensor.shape()[0], tensor.shape()[1], random);
            blocks.put(name, made);
            values.put(name, widened(made));
            data.put(stored, bytes(made, stored.matches(".*attn_[qk]\\.weight") ? plain.sizes().headDim() : 0));
        });
        PublishedCheckpoint model = new PublishedCheckpoint("llama", plain.sizes(), values);
        header.write(file, PublishedGguf.tensors(model), "F16", format.number, data);
        return new PublishedBlocks(file, model, blocks);
    }

    private static Blocks random(Format format, int rows, int columns, SplittableRandom random) {
        short[][] scales = new short[rows][columns / BLOCK];
        int[][] codes = new int[rows][columns];
        for (int row = 0; row < rows; row++) {
            for (int block = 0; block < columns / BLOCK; block++) {
                double size = (0.5 + random.nextDouble()) / format.size / Math.sqrt(columns);
                scales[row][block] = Float.floatToFloat16((float) (random.nextBoolean() ? size : -size));
            }
            for (int column = 0; column < columns; column++) {
                codes[row][column] = random.nextInt(format.least, format.end);
            }
        }
        scales[0][0] = MINUS_ZERO;
        return new Blocks(format, scales, codes);
    }

    private static Tensor widened(Blocks blocks) {
        int rows = blocks.codes.length;
        int columns = blocks.codes[0].length;
        double[] values = new double[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = blocks.value(i / columns, i % columns);
        }
        return new Tensor(new int[]{rows, columns}, values);
    }

    /// @param head whose rows are in pairs; 0 for none
    private static byte[] bytes(Blocks blocks, int head) {
        int rows = blocks.codes.length;
        int groups = blocks.scales[0].length;
        ByteBuffer bytes = ByteBuffer.allocate(rows * groups * blocks.format.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int stored = 0; stored < rows; stored++) {
            int row = head == 0 ? stored : PublishedGguf.unpaired(stored, head);
            for (int block = 0; block < groups; block++) {
                bytes.putShort(blocks.scales[row][block]);
                put(blocks, row, block * BLOCK, bytes);
            }
        }
        return bytes.array();
    }

    private static void put(Blocks blocks, int row, int from, ByteBuffer bytes) {
        int[] codes = blocks.codes[row];
        switch (blocks.format) {
            case Q4_0 -> {
                for (int i = from; i < from + BLOCK / 2; i++) {
                    bytes.put((byte) (codes[i] | codes[i + BLOCK / 2] << 4));
                }
            }
            case Q8_0 -> {
                for (int i = from; i < from + BLOCK; i++) {
                    bytes.put((byte) codes[i]);
                }
            }
        }
    }
}
