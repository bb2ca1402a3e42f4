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
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Sizes;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;

/// Writes a tiny checkpoint as GGUF, straight from the published layout and from the names and row orders of llama.cpp's conversion.
///
/// Matrices of Llama's queries and keys have their rows in pairs: row 2i of a head is row i of transformers, row 2i+1 is row i + d/2.
public final class PublishedGguf {

    private final ByteArrayOutputStream values = new ByteArrayOutputStream();
    private int keys;

    public PublishedGguf text(String key, String value) {
        key(key, 8);
        string(values, value);
        return this;
    }

    public PublishedGguf whole(String key, int value) {
        key(key, 4);
        int32(values, value);
        return this;
    }

    public PublishedGguf number(String key, float value) {
        key(key, 6);
        int32(values, Float.floatToIntBits(value));
        return this;
    }

    public PublishedGguf flag(String key, boolean value) {
        key(key, 7);
        values.write(value ? 1 : 0);
        return this;
    }

    public PublishedGguf texts(String key, List<String> items) {
        list(key, 8, items.size());
        items.forEach(item -> string(values, item));
        return this;
    }

    public PublishedGguf numbers(String key, List<Float> items) {
        list(key, 6, items.size());
        items.forEach(item -> int32(values, Float.floatToIntBits(item)));
        return this;
    }

    public PublishedGguf wholes(String key, List<Integer> items) {
        list(key, 5, items.size());
        items.forEach(item -> int32(values, item));
        return this;
    }

    private void key(String key, int type) {
        string(values, key);
        int32(values, type);
        keys++;
    }

    private void list(String key, int type, int count) {
        key(key, 9);
        int32(values, type);
        int64(values, count);
    }

    /// The header of a checkpoint's model.
    public static PublishedGguf of(PublishedCheckpoint checkpoint) {
        Sizes s = checkpoint.sizes();
        String arch = checkpoint.type().equals("mistral") ? "llama" : checkpoint.type();
        boolean gpt2 = arch.equals("gpt2");
        PublishedGguf gguf = new PublishedGguf().text("general.architecture", arch)
                .whole(arch + ".context_length", gpt2 ? 128 : 256).whole(arch + ".embedding_length", s.hidden())
                .whole(arch + ".block_count", s.layers()).whole(arch + ".feed_forward_length", s.intermediate())
                .whole(arch + ".attention.head_count", s.heads());
        if (gpt2) {
            return gguf.number("gpt2.attention.layer_norm_epsilon", 1e-5f);
        }
        return gguf.whole(arch + ".attention.head_count_kv", s.kvHeads())
                .whole(arch + ".attention.key_length", s.headDim()).whole(arch + ".attention.value_length", s.headDim())
                .whole(arch + ".rope.dimension_count", s.headDim()).number(arch + ".rope.freq_base", (float) s.theta())
                .number(arch + ".attention.layer_norm_rms_epsilon", 1e-6f);
    }

    /// The tensors of a checkpoint by the names of GGUF.
    public static Map<String, Tensor> tensors(PublishedCheckpoint checkpoint) {
        Map<String, Tensor> renamed = new LinkedHashMap<>();
        boolean gpt2 = checkpoint.type().equals("gpt2");
        boolean paired = checkpoint.type().equals("llama") || checkpoint.type().equals("mistral");
        checkpoint.tensors().forEach((name, tensor) -> {
            // A mask that is no weight.
            if (name.endsWith(".attn.bias")) {
                return;
            }
            String to = gpt2 ? gpt2(name) : rotary(name);
            boolean turned = gpt2 && tensor.shape().length == 2 && name.startsWith("h.");
            Tensor stored = turned ? transposed(tensor) : tensor;
            renamed.put(to, paired && to.matches(".*attn_[qk]\\.weight") ? paired(stored, checkpoint.sizes().headDim())
                    : stored);
        });
        return renamed;
    }

    private static String rotary(String name) {
        return name.replace("model.embed_tokens", "token_embd").replace("model.norm", "output_norm")
                .replace("lm_head", "output").replace("model.layers.", "blk.").replace("input_layernorm", "attn_norm")
                .replace("post_attention_layernorm", "ffn_norm").replaceAll("self_attn\\.([qkv])_proj", "attn_$1")
                .replaceAll("self_attn\\.([qk])_norm", "attn_$1_norm").replace("self_attn.o_proj", "attn_output")
                .replaceAll("mlp\\.(gate|up|down)_proj", "ffn_$1");
    }

    private static String gpt2(String name) {
        return name.replace("wte", "token_embd").replace("lm_head", "output").replace("wpe", "position_embd")
                .replace("ln_f", "output_norm").replace("h.", "blk.").replace("ln_1", "attn_norm")
                .replace("ln_2", "ffn_norm").replace("attn.c_attn", "attn_qkv").replace("attn.c_proj", "attn_output")
                .replace("mlp.c_fc", "ffn_up").replace("mlp.c_proj", "ffn_down");
    }

    private static Tensor transposed(Tensor tensor) {
        int rows = tensor.shape()[0];
        int columns = tensor.shape()[1];
        double[] turned = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                turned[j * rows + i] = tensor.values()[i * columns + j];
            }
        }
        return new Tensor(new int[]{columns, rows}, turned);
    }

    /// The row of transformers that a row of Llama's queries or keys is.
    static int unpaired(int row, int head) {
        int inHead = row % head;
        return row - inHead + (inHead % 2) * (head / 2) + inHead / 2;
    }

    private static Tensor paired(Tensor tensor, int head) {
        int columns = tensor.shape()[1];
        double[] values = new double[tensor.values().length];
        for (int row = 0; row < tensor.shape()[0]; row++) {
            System.arraycopy(tensor.values(), unpaired(row, head) * columns, values, row * columns, columns);
        }
        return new Tensor(tensor.shape(), values);
    }

    /// Writes the file; matrices have the type, vectors are F32.
    ///
    /// @param type F32, F16 or BF16
    public Path write(Path file, Map<String, Tensor> tensors, String type) throws IOException {
        return write(file, tensors, type, 0, Map.of());
    }

    /// As the other.
    ///
    /// @param format number of the format of blocks
    /// @param inBlocks the data of tensors in this format
    Path write(Path file, Map<String, Tensor> tensors, String type, int format, Map<String, byte[]> inBlocks)
            throws IOException {
        ByteArrayOutputStream infos = new ByteArrayOutputStream();
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        List<String> names = new ArrayList<>(tensors.keySet());
        for (String name : names) {
            Tensor tensor = tensors.get(name);
            boolean vector = tensor.shape().length == 1;
            String stored = vector ? "F32" : type;
            pad(data, 0);
            byte[] blocks = inBlocks.get(name);
            if (blocks != null) {
                info(infos, name, tensor.shape(), format, data.size());
                data.writeBytes(blocks);
                continue;
            }
            info(infos, name, tensor.shape(), stored.equals("F32") ? 0 : stored.equals("F16") ? 1 : 30, data.size());
            for (double value : tensor.values()) {
                switch (stored) {
                    case "F32" -> int32(data, Float.floatToIntBits((float) value));
                    case "F16" -> int16(data, Float.floatToFloat16((float) value));
                    default -> int16(data, (short) (Float.floatToRawIntBits((float) value) >>> 16));
                }
            }
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(header(names.size(), infos.toByteArray()));
        all.writeBytes(data.toByteArray());
        return Files.write(file, all.toByteArray());
    }

    /// All that stands before the data of the tensors, padded.
    ///
    /// @param infos of the tensors, as [#info] writes them
    public byte[] header(int tensors, byte[] infos) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        int32(all, 3);
        int64(all, tensors);
        int64(all, keys);
        all.writeBytes(values.toByteArray());
        all.writeBytes(infos);
        pad(all, 0);
        return all.toByteArray();
    }

    /// The info of one tensor.
    ///
    /// @param type number of the format
    /// @param offset of its data behind the header, a multiple of 32
    public static void info(ByteArrayOutputStream to, String name, int[] shape, int type, long offset) {
        string(to, name);
        int32(to, shape.length);
        for (int i = shape.length - 1; i >= 0; i--) {
            int64(to, shape[i]);
        }
        int32(to, type);
        int64(to, offset);
    }

    private static void pad(ByteArrayOutputStream to, int from) {
        while ((to.size() - from) % 32 != 0) {
            to.write(0);
        }
    }

    private static void string(ByteArrayOutputStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int64(to, bytes.length);
        to.writeBytes(bytes);
    }

    private static void int16(ByteArrayOutputStream to, short value) {
        to.writeBytes(ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN).putShort(value).array());
    }

    private static void int32(ByteArrayOutputStream to, int value) {
        to.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array());
    }

    private static void int64(ByteArrayOutputStream to, long value) {
        to.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
    }
}
