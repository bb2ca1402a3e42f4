package org.inferometer.engine.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Sizes;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;

/// Writes a tiny checkpoint whose projections are quantised at random, straight from the published layouts.
///
/// @param config the value of `quantization_config`
/// @param method "fp8", "fp8-channel", "fp8-block" (64 outputs), "fp8-square", "awq", "gptq", "gptq-v2", "gptq-order",
///     "gptq-mixed" (k_proj has another act-order than q_proj), "gptq-uneven" (groups of unequal sizes), "gptq-wide" (a zero
///     point of 16, which is stored as 15), "packed", "packed-zero", "packed-order", "packed-unset" (an order
///     that was never set, -1 throughout)
/// @param group inputs with a common scale; 0 for a whole row
public record PublishedQuantisation(String method, String config, int group, String scaleType) {
    static final Sizes SIZES = new Sizes(2, 128, 256, 4, 2, 32, 304, false, 10_000, false);
    private static final Sizes GPT2_SIZES = new Sizes(2, 128, 256, 4, 4, 32, 304, true, 0, false);

    private static final int[] AWQ_ORDER = {0, 2, 4, 6, 1, 3, 5, 7};

    /// The values of the same model in doubles, and the tensors of the file.
    public record Written(PublishedCheckpoint values, Path folder) {}

    private record Raw(String dtype, List<Integer> shape, byte[] bytes) {}

    public static PublishedQuantisation of(String method, int group, String scaleType) {
        String size = group == 0 ? "-1" : String.valueOf(group);
        String config = switch (method) {
            case "fp8" -> "{\"quant_method\":\"fp8\",\"activation_scheme\":\"dynamic\"}";
            case "fp8-block" ->
                "{\"quant_method\":\"fp8\",\"fmt\":\"e4m3\",\"weight_block_size\":[64,%s]}".formatted(size);
            case "fp8-square" ->
                "{\"quant_method\":\"fp8\",\"fmt\":\"e4m3\",\"activation_scheme\":\"dynamic\",\"weight_block_size\":[%1$s,%1$s]}"
                        .formatted(size);
            case "fp8-channel" ->
                compressed("float-quantized", "\"num_bits\":8,\"type\":\"float\",\"strategy\":\"channel\"");
            case "awq" ->
                "{\"quant_method\":\"awq\",\"bits\":4,\"group_size\":%s,\"zero_point\":true,\"version\":\"gemm\"}"
                        .formatted(size);
            case "gptq", "gptq-wide" ->
                "{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":%s,\"desc_act\":false}".formatted(size);
            case "gptq-order", "gptq-mixed", "gptq-uneven" ->
                "{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":%s,\"desc_act\":true}".formatted(size);
            case "gptq-v2" ->
                "{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":%s,\"checkpoint_format\":\"gptq_v2\"}"
                        .formatted(size);
            default -> compressed("pack-quantized", "\"num_bits\":4,\"type\":\"int\",\"group_size\":" + size);
        };
        return new PublishedQuantisation(method, config, group, scaleType);
    }

    private static String compressed(String format, String weights) {
        return "{\"quant_method\":\"compressed-tensors\",\"format\":\"%s\",\"config_groups\":{\"group_0\":{\"targets\":[\"Linear\"],\"weights\":{%s}}}}"
                .formatted(format, weights);
    }

    public Written write(Path folder, long seed) throws IOException {
        return write(folder, PublishedCheckpoint.of("llama", SIZES, seed), seed, name -> name.endsWith("_proj.weight"));
    }

    /// With a quantised output head beside an embedding in BF16.
    Written writeWithHead(Path folder, long seed) throws IOException {
        return write(folder, PublishedCheckpoint.of("llama", SIZES, seed), seed,
                name -> name.endsWith("_proj.weight") || name.equals("lm_head.weight"));
    }

    /// Of GPT-2, whose projections are `[inputs, outputs]`, also where they are quantised.
    Written writeGpt2(Path folder, long seed) throws IOException {
        return write(folder, PublishedCheckpoint.of("gpt2", GPT2_SIZES, seed), seed,
                name -> name.matches("h\\..*c_(attn|proj|fc)\\.weight"));
    }

    private Written write(Path folder, PublishedCheckpoint plain, long seed, Predicate<String> isQuantised)
            throws IOException {
        boolean turned = plain.type().equals("gpt2");
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Tensor> values = new LinkedHashMap<>();
        Map<String, Raw> file = new LinkedHashMap<>();
        plain.tensors().forEach((name, tensor) -> {
            if (isQuantised.test(name)) {
                String base = name.replaceFirst("\\.weight$", "");
                int[] shape = tensor.shape();
                values.put(name, turned ? turned(quantised(base, new int[]{shape[1], shape[0]}, random, file))
                        : quantised(base, shape, random, file));
            } else {
                values.put(name, tensor);
                ByteBuffer bytes = buffer(2 * tensor.values().length);
                for (double value : tensor.values()) {
                    bytes.putShort((short) (Float.floatToRawIntBits((float) value) >>> 16));
                }
                List<Integer> shape = tensor.shape().length == 1 ? List.of(tensor.shape()[0])
                        : List.of(tensor.shape()[0], tensor.shape()[1]);
                file.put(name, new Raw("BF16", shape, bytes.array()));
            }
        });
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("config.json"),
                plain.config().replaceFirst("}$", ",\"quantization_config\":" + config + "}"));
        Files.write(folder.resolve("model.safetensors"), safetensors(file));
        return new Written(new PublishedCheckpoint(plain.type(), plain.sizes(), values), folder);
    }

    private static Tensor turned(Tensor tensor) {
        int rows = tensor.shape()[0];
        int columns = tensor.shape()[1];
        double[] values = new double[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = tensor.at(i % rows, i / rows);
        }
        return new Tensor(new int[]{columns, rows}, values);
    }

    private Tensor quantised(String base, int[] shape, SplittableRandom random, Map<String, Raw> file) {
        int rows = shape[0];
        int columns = shape[1];
        return method.startsWith("fp8") ? fp8(base, rows, columns, random, file)
                : int4(base, rows, columns, random, file);
    }

    private Tensor fp8(String base, int rows, int columns, SplittableRandom random, Map<String, Raw> file) {
        byte[] codes = new byte[rows * columns];
        boolean blocks = method.equals("fp8-block") || method.equals("fp8-square");
        int blockRows = method.equals("fp8-block") ? 64 : blocks ? group : method.equals("fp8") ? rows : 1;
        int blockColumns = blocks ? group : columns;
        int across = Math.ceilDiv(columns, blockColumns);
        float[] scales = new float[Math.ceilDiv(rows, blockRows) * across];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = scale((float) (0.002 * (0.5 + random.nextDouble())));
        }
        double[] values = new double[codes.length];
        for (int i = 0; i < codes.length; i++) {
            int code = random.nextInt(0x7F) | random.nextInt(2) << 7;
            codes[i] = (byte) code;
            values[i] = (float) (e4m3(code) * scales[i / columns / blockRows * across + i % columns / blockColumns]);
        }
        file.put(base + ".weight", new Raw("F8_E4M3", List.of(rows, columns), codes));
        file.put(base + (blocks ? ".weight_scale_inv" : ".weight_scale"), new Raw(scaleType, switch (method) {
            case "fp8" -> List.of();
            case "fp8-channel" -> List.of(rows, 1);
            default -> List.of(Math.ceilDiv(rows, blockRows), across);
        }, scales(scales)));
        file.put(base + ".input_scale", new Raw("F32", List.of(), buffer(4).putFloat(1).array()));
        return new Tensor(new int[]{rows, columns}, values);
    }

    /// Sign, four bits of exponent with bias 7, three of mantissa.
    private static double e4m3(int code) {
        int exponent = code >> 3 & 15;
        int mantissa = code & 7;
        double size = exponent == 0 ? mantissa * Math.pow(2, -9) : (8 + mantissa) * Math.pow(2, exponent - 10);
        return (code & 0x80) == 0 ? size : -size;
    }

    private Tensor int4(String base, int rows, int columns, SplittableRandom random, Map<String, Raw> file) {
        int size = group == 0 ? columns : group;
        int groups = columns / size;
        boolean symmetric = method.equals("packed");
        int[][] q = new int[rows][columns];
        int[][] zeros = new int[rows][groups];
        float[][] scales = new float[rows][groups];
        int[] groupOf = groupOf(base, columns);
        double[] values = new double[rows * columns];
        for (int row = 0; row < rows; row++) {
            for (int g = 0; g < groups; g++) {
                zeros[row][g] = symmetric ? 8 : method.equals("gptq-wide") && row == 0 ? 16 : random.nextInt(1, 16);
                scales[row][g] = scale((float) (0.2 / Math.sqrt(columns) * (0.5 + random.nextDouble())));
            }
            for (int column = 0; column < columns; column++) {
                q[row][column] = random.nextInt(16);
                int g = groupOf[column];
                values[row * columns + column] = (q[row][column] - zeros[row][g]) * (double) scales[row][g];
            }
        }
        put(base, new Values(q, zeros, scales, groupOf), symmetric, file);
        return new Tensor(new int[]{rows, columns}, values);
    }

    /// The group of each input.
    int[] groupOf(String base, int columns) {
        int size = group == 0 ? columns : group;
        int[] groupOf = new int[columns];
        for (int column = 0; column < columns; column++) {
            groupOf[column] = switch (method) {
                case "gptq-order", "gptq-uneven", "packed-order" -> (column * 7 + 3) % columns / size;
                case "gptq-mixed" -> (column * (base.endsWith("k_proj") ? 5 : 7) + 3) % columns / size;
                default -> column / size;
            };
        }
        if (method.equals("gptq-uneven")) {
            groupOf[0] = (groupOf[0] + 1) % (columns / size);
        }
        return groupOf;
    }

    private static Raw integers(int[] numbers) {
        ByteBuffer bytes = buffer(4 * numbers.length);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return new Raw("I32", List.of(numbers.length), bytes.array());
    }

    private record Values(int[][] q, int[][] zeros, float[][] scales, int[] groupOf) {}

    private void put(String base, Values held, boolean symmetric, Map<String, Raw> file) {
        int[][] q = held.q;
        int[][] zeros = held.zeros;
        float[][] scales = held.scales;
        int[] groupOf = held.groupOf;
        int rows = q.length;
        int columns = q[0].length;
        int groups = zeros[0].length;
        switch (method) {
            case "awq" -> {
                file.put(base + ".qweight",
                        words(columns, rows / 8, (line, word, nibble) -> q[8 * word + AWQ_ORDER[nibble]][line]));
                file.put(base + ".qzeros",
                        words(groups, rows / 8, (g, word, nibble) -> zeros[8 * word + AWQ_ORDER[nibble]][g]));
                file.put(base + ".scales",
                        new Raw(scaleType, List.of(groups, rows), scales(turned(scales, groups, rows))));
            }
            case "gptq", "gptq-v2", "gptq-order", "gptq-mixed", "gptq-uneven", "gptq-wide" -> {
                int less = method.equals("gptq-v2") ? 0 : 1;
                file.put(base + ".qweight", words(columns / 8, rows, (line, row, nibble) -> q[row][8 * line + nibble]));
                file.put(base + ".qzeros",
                        words(groups, rows / 8, (g, word, nibble) -> zeros[8 * word + nibble][g] - less));
                file.put(base + ".scales",
                        new Raw(scaleType, List.of(groups, rows), scales(turned(scales, groups, rows))));
                file.put(base + ".g_idx", integers(groupOf));
            }
            default -> {
                file.put(base + ".weight_packed",
                        words(rows, columns / 8, (row, word, nibble) -> q[row][8 * word + nibble]));
                float[] flat = new float[rows * groups];
                for (int row = 0; row < rows; row++) {
                    System.arraycopy(scales[row], 0, flat, row * groups, groups);
                }
                file.put(base + ".weight_scale", new Raw(scaleType, List.of(rows, groups), scales(flat)));
                file.put(base + ".weight_shape",
                        new Raw("I64", List.of(2), buffer(16).putLong(rows).putLong(columns).array()));
                if (method.equals("packed-order")) {
                    file.put(base + ".weight_g_idx", integers(groupOf));
                } else if (method.equals("packed-unset")) {
                    file.put(base + ".weight_g_idx", integers(Arrays.stream(groupOf).map(_ -> -1).toArray()));
                }
                if (!symmetric) {
                    file.put(base + ".weight_zero_point",
                            words(rows / 8, groups, (word, g, nibble) -> zeros[8 * word + nibble][g]));
                }
            }
        }
    }

    private interface Nibble {
        int at(int line, int word, int nibble);
    }

    private static Raw words(int lines, int wordsOfLine, Nibble nibbles) {
        ByteBuffer bytes = buffer(4 * lines * wordsOfLine);
        for (int line = 0; line < lines; line++) {
            for (int word = 0; word < wordsOfLine; word++) {
                int packed = 0;
                for (int nibble = 0; nibble < 8; nibble++) {
                    packed |= nibbles.at(line, word, nibble) << 4 * nibble;
                }
                bytes.putInt(packed);
            }
        }
        return new Raw("I32", List.of(lines, wordsOfLine), bytes.array());
    }

    private static float[] turned(float[][] scales, int groups, int rows) {
        float[] turned = new float[groups * rows];
        for (int g = 0; g < groups; g++) {
            for (int row = 0; row < rows; row++) {
                turned[g * rows + row] = scales[row][g];
            }
        }
        return turned;
    }

    /// The nearest value of the type of scales.
    private float scale(float wanted) {
        return switch (scaleType) {
            case "F16" -> Float.float16ToFloat(Float.floatToFloat16(wanted));
            case "BF16" -> Float.intBitsToFloat(Float.floatToRawIntBits(wanted) & 0xFFFF0000);
            default -> wanted;
        };
    }

    private byte[] scales(float[] scales) {
        ByteBuffer bytes = buffer(scales.length * (scaleType.equals("F32") ? 4 : 2));
        for (float scale : scales) {
            switch (scaleType) {
                case "F16" -> bytes.putShort(Float.floatToFloat16(scale));
                case "BF16" -> bytes.putShort((short) (Float.floatToRawIntBits(scale) >>> 16));
                default -> bytes.putFloat(scale);
            }
        }
        return bytes.array();
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] safetensors(Map<String, Raw> tensors) throws IOException {
        StringBuilder header = new StringBuilder("{\"__metadata__\":{\"format\":\"pt\"}");
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (Map.Entry<String, Raw> entry : tensors.entrySet()) {
            Raw raw = entry.getValue();
            int begin = data.size();
            data.write(raw.bytes());
            header.append(",\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}".formatted(entry.getKey(),
                    raw.dtype(), raw.shape(), begin, data.size()));
        }
        byte[] json = header.append('}').toString().getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(buffer(8).putLong(json.length).array());
        file.write(json);
        file.write(data.toByteArray());
        return file.toByteArray();
    }
}
