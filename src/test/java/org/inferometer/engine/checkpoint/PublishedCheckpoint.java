package org.inferometer.engine.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A tiny checkpoint with random weights, written straight from the published layouts of safetensors and of the transformers library.
///
/// Values have at most 8 significant bits, so that BF16, F16 and F32 hold them alike.
public record PublishedCheckpoint(String type, Sizes sizes, Map<String, Tensor> tensors) {
    /// @param theta 0 for learned positions
    public record Sizes(int layers, int hidden, int intermediate, int heads, int kvHeads, int headDim, int vocabulary,
            boolean tied, double theta, boolean scaled) {}

    /// @param values row by row
    public record Tensor(int[] shape, double[] values) {
        double at(int row, int column) {
            return values[row * shape[1] + column];
        }
    }

    public static final Sizes SIZES = new Sizes(2, 24, 40, 4, 2, 6, 300, false, 10_000, false);

    public static PublishedCheckpoint of(String type, Sizes sizes, long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        if (type.equals("gpt2")) {
            gpt2(sizes, random, tensors);
        } else {
            rotary(type, sizes, random, tensors);
        }
        return new PublishedCheckpoint(type, sizes, tensors);
    }

    private static void rotary(String type, Sizes s, RandomGenerator random, Map<String, Tensor> to) {
        matrix(to, random, "model.embed_tokens.weight", s.vocabulary, s.hidden, 1);
        for (int layer = 0; layer < s.layers; layer++) {
            String at = "model.layers." + layer + ".";
            vector(to, random, at + "input_layernorm.weight", s.hidden, 1);
            for (String part : List.of("q", "k", "v")) {
                int rows = (part.equals("q") ? s.heads : s.kvHeads) * s.headDim;
                matrix(to, random, at + "self_attn." + part + "_proj.weight", rows, s.hidden, 1);
                if (type.equals("qwen2")) {
                    vector(to, random, at + "self_attn." + part + "_proj.bias", rows, 0);
                }
            }
            if (type.equals("qwen3")) {
                vector(to, random, at + "self_attn.q_norm.weight", s.headDim, 1);
                vector(to, random, at + "self_attn.k_norm.weight", s.headDim, 1);
            }
            matrix(to, random, at + "self_attn.o_proj.weight", s.hidden, s.heads * s.headDim, 1);
            vector(to, random, at + "post_attention_layernorm.weight", s.hidden, 1);
            matrix(to, random, at + "mlp.gate_proj.weight", s.intermediate, s.hidden, 1);
            matrix(to, random, at + "mlp.up_proj.weight", s.intermediate, s.hidden, 1);
            matrix(to, random, at + "mlp.down_proj.weight", s.hidden, s.intermediate, 1);
        }
        vector(to, random, "model.norm.weight", s.hidden, 1);
        if (!s.tied) {
            matrix(to, random, "lm_head.weight", s.vocabulary, s.hidden, 2);
        }
    }

    private static void gpt2(Sizes s, RandomGenerator random, Map<String, Tensor> to) {
        matrix(to, random, "wte.weight", s.vocabulary, s.hidden, 1);
        matrix(to, random, "wpe.weight", 128, s.hidden, 1);
        for (int layer = 0; layer < s.layers; layer++) {
            String at = "h." + layer + ".";
            for (String norm : List.of("ln_1", "ln_2")) {
                vector(to, random, at + norm + ".weight", s.hidden, 1);
                vector(to, random, at + norm + ".bias", s.hidden, 0);
            }
            conv(to, random, at + "attn.c_attn", s.hidden, 3 * s.hidden);
            conv(to, random, at + "attn.c_proj", s.hidden, s.hidden);
            conv(to, random, at + "mlp.c_fc", s.hidden, s.intermediate);
            conv(to, random, at + "mlp.c_proj", s.intermediate, s.hidden);
            // A mask that is no weight.
            vector(to, random, at + "attn.bias", 4, 0);
        }
        vector(to, random, "ln_f.weight", s.hidden, 1);
        vector(to, random, "ln_f.bias", s.hidden, 0);
        if (!s.tied) {
            matrix(to, random, "lm_head.weight", s.vocabulary, s.hidden, 2);
        }
    }

    private static void conv(Map<String, Tensor> to, RandomGenerator random, String name, int in, int out) {
        matrix(to, random, name + ".weight", in, out, Math.sqrt((double) out / in));
        vector(to, random, name + ".bias", out, 0);
    }

    private static void matrix(Map<String, Tensor> to, RandomGenerator random, String name, int rows, int columns,
            double size) {
        double[] values = new double[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = eightBits(random.nextGaussian() * size / Math.sqrt(columns));
        }
        to.put(name, new Tensor(new int[]{rows, columns}, values));
    }

    private static void vector(Map<String, Tensor> to, RandomGenerator random, String name, int length, double mean) {
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = eightBits(mean + 0.1 * random.nextGaussian());
        }
        to.put(name, new Tensor(new int[]{length}, values));
    }

    private static double eightBits(double value) {
        return Float.intBitsToFloat(Float.floatToRawIntBits((float) value) & 0xFFFF0000);
    }

    /// The text of `config.json`.
    String config() {
        if (type.equals("gpt2")) {
            return "{\"model_type\":\"gpt2\",\"n_embd\":%d,\"n_layer\":%d,\"n_head\":%d,\"n_positions\":128,\"n_inner\":%d,\"vocab_size\":%d,\"activation_function\":\"gelu_new\",\"layer_norm_epsilon\":1e-5%s}"
                    .formatted(sizes.hidden, sizes.layers, sizes.heads, sizes.intermediate, sizes.vocabulary,
                            sizes.tied ? "" : ",\"tie_word_embeddings\":false");
        }
        String rope = sizes.scaled
                ? "{\"rope_type\":\"llama3\",\"factor\":8.0,\"low_freq_factor\":1.0,\"high_freq_factor\":4.0,\"original_max_position_embeddings\":16}"
                : "null";
        return ("{\"architectures\":[\"X\"],\"model_type\":\"%s\",\"hidden_size\":%d,\"intermediate_size\":%d,\"num_hidden_layers\":%d,\"num_attention_heads\":%d,"
                + "\"num_key_value_heads\":%d,\"head_dim\":%d,\"vocab_size\":%d,\"max_position_embeddings\":256,\"rms_norm_eps\":1e-6,\"rope_theta\":%s,"
                + "\"rope_scaling\":%s,\"hidden_act\":\"silu\",\"tie_word_embeddings\":%s,\"sliding_window\":null,\"torch_dtype\":\"bfloat16\"}")
                .formatted(type, sizes.hidden, sizes.intermediate, sizes.layers, sizes.heads, sizes.kvHeads,
                        sizes.headDim, sizes.vocabulary, sizes.theta, rope, sizes.tied);
    }

    /// Writes the checkpoint.
    ///
    /// @param dtype BF16, F16 or F32
    /// @param shards 1 for a single file
    public Path write(Path folder, String dtype, int shards) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("config.json"), config());
        List<String> names = new ArrayList<>(tensors.keySet());
        if (shards == 1) {
            Files.write(folder.resolve("model.safetensors"), file(names, dtype));
            return folder;
        }
        StringBuilder index = new StringBuilder("{\"metadata\":{},\"weight_map\":{");
        for (int shard = 0; shard < shards; shard++) {
            List<String> part = new ArrayList<>();
            for (int i = shard; i < names.size(); i += shards) {
                part.add(names.get(i));
            }
            String name = "model-%05d-of-%05d.safetensors".formatted(shard + 1, shards);
            Files.write(folder.resolve(name), file(part, dtype));
            part.forEach(tensor -> index.append(index.charAt(index.length() - 1) == '{' ? "" : ",").append('"')
                    .append(tensor).append("\":\"").append(name).append('"'));
        }
        Files.writeString(folder.resolve("model.safetensors.index.json"), index.append("}}").toString());
        return folder;
    }

    private byte[] file(List<String> names, String dtype) throws IOException {
        StringBuilder header = new StringBuilder("{\"__metadata__\":{\"format\":\"pt\"}");
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (String name : names) {
            Tensor tensor = tensors.get(name);
            int begin = data.size();
            for (double value : tensor.values) {
                ByteBuffer bytes = ByteBuffer.allocate(dtype.equals("F32") ? 4 : 2).order(ByteOrder.LITTLE_ENDIAN);
                switch (dtype) {
                    case "F32" -> bytes.putFloat((float) value);
                    case "F16" -> bytes.putShort(Float.floatToFloat16((float) value));
                    default -> bytes.putShort((short) (Float.floatToRawIntBits((float) value) >>> 16));
                }
                data.write(bytes.array());
            }
            StringBuilder shape = new StringBuilder();
            for (int size : tensor.shape) {
                shape.append(shape.isEmpty() ? "" : ",").append(size);
            }
            header.append(",\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%d,%d]}".formatted(name, dtype,
                    shape, begin, data.size()));
        }
        byte[] json = header.append('}').toString().getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).array());
        file.write(json);
        file.write(data.toByteArray());
        return file.toByteArray();
    }
}
