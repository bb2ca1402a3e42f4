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

/// Writes a tiny Llama as GGUF with random matrices in Q4_0, straight from the published layout: blocks of an FP16 scale and
/// sixteen bytes, whose low halves are the first sixteen codes.
///
/// @param values the same model in doubles
/// @param blocks of the tensors in Q4_0, by the names of transformers
record PublishedQ4(Path file, PublishedCheckpoint values, Map<String, Blocks> blocks) {
    private static final int BLOCK = 32;
    private static final short MINUS_ZERO = (short) 0x8000;

    /// Rows in the order of transformers.
    ///
    /// @param scales FP16 `[rows][columns / 32]`
    /// @param codes `[rows][columns]`
    record Blocks(short[][] scales, int[][] codes) {
        double value(int row, int column) {
            return Float.float16ToFloat(scales[row][column / BLOCK]) * (codes[row][column] - 8.0);
        }
    }

    /// @param quantised names of GGUF whose tensors are in Q4_0; other matrices are F16
    static PublishedQ4 write(Path file, Predicate<String> quantised, long seed) throws IOException {
        PublishedCheckpoint plain = PublishedCheckpoint.of("llama", PublishedQuantisation.SIZES, seed);
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
            Blocks made = random(tensor.shape()[0], tensor.shape()[1], random);
            blocks.put(name, made);
            values.put(name, widened(made));
            data.put(stored, bytes(made, stored.matches(".*attn_[qk]\\.weight") ? plain.sizes().headDim() : 0));
        });
        PublishedCheckpoint model = new PublishedCheckpoint("llama", plain.sizes(), values);
        PublishedGguf.of(model).write(file, PublishedGguf.tensors(model), "F16", data);
        return new PublishedQ4(file, model, blocks);
    }

    private static Blocks random(int rows, int columns, SplittableRandom random) {
        short[][] scales = new short[rows][columns / BLOCK];
        int[][] codes = new int[rows][columns];
        for (int row = 0; row < rows; row++) {
            for (int block = 0; block < columns / BLOCK; block++) {
                double size = (0.5 + random.nextDouble()) / 5 / Math.sqrt(columns);
                scales[row][block] = Float.floatToFloat16((float) (random.nextBoolean() ? size : -size));
            }
            for (int column = 0; column < columns; column++) {
                codes[row][column] = random.nextInt(16);
            }
        }
        scales[0][0] = MINUS_ZERO;
        return new Blocks(scales, codes);
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
        ByteBuffer bytes = ByteBuffer.allocate(rows * groups * 18).order(ByteOrder.LITTLE_ENDIAN);
        for (int stored = 0; stored < rows; stored++) {
            int row = head == 0 ? stored : PublishedGguf.unpaired(stored, head);
            for (int block = 0; block < groups; block++) {
                bytes.putShort(blocks.scales[row][block]);
                for (int i = 0; i < BLOCK / 2; i++) {
                    int first = blocks.codes[row][block * BLOCK + i];
                    int second = blocks.codes[row][block * BLOCK + BLOCK / 2 + i];
                    bytes.put((byte) (first | second << 4));
                }
            }
        }
        return bytes.array();
    }
}
