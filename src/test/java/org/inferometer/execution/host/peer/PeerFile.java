package org.inferometer.execution.host.peer;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.checkpoint.PublishedGguf;

/// A GGUF file of a Llama shape with random blocks, so that both runtimes read as many weights.
final class PeerFile {
    /// Weights of a block of every format here.
    private static final int BLOCK = 32;
    private static final float DEVIATION = 0.02f;

    /// Formats of llama.cpp with their number and the bytes of a block.
    enum Format {
        Q4_0(2, 18, 4), Q8_0(8, 34, 64);

        private final int type;
        private final int bytes;
        private final int spread;

        Format(int type, int bytes, int spread) {
            this.type = type;
            this.bytes = bytes;
            this.spread = spread;
        }
    }

    private PeerFile() {}

    /// Writes the file unless it is there.
    static Path write(Path folder, String name, ModelShape shape, Format format) throws IOException {
        Path file = folder.resolve(name + "-" + format + ".gguf");
        if (Files.exists(file)) {
            return file;
        }
        Files.createDirectories(folder);
        Map<String, int[]> shapes = shapes(shape);
        ByteArrayOutputStream infos = new ByteArrayOutputStream();
        long offset = 0;
        for (Map.Entry<String, int[]> tensor : shapes.entrySet()) {
            boolean vector = tensor.getValue().length == 1;
            PublishedGguf.info(infos, tensor.getKey(), tensor.getValue(), vector ? 0 : format.type, offset);
            offset += Math.ceilDiv(bytes(tensor.getValue(), format), 32) * 32;
        }
        Path unfinished = folder.resolve(file.getFileName() + ".part");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished), 1 << 20)) {
            out.write(header(name, shape).header(shapes.size(), infos.toByteArray()));
            SplittableRandom random = new SplittableRandom(7);
            for (int[] each : shapes.values()) {
                write(out, each, format, random);
            }
        }
        return Files.move(unfinished, file);
    }

    private static Map<String, int[]> shapes(ModelShape shape) {
        Map<String, int[]> shapes = new LinkedHashMap<>();
        shapes.put("token_embd.weight", new int[]{shape.vocabulary(), shape.hidden()});
        for (int layer = 0; layer < shape.layers(); layer++) {
            String name = "blk." + layer + ".";
            shapes.put(name + "attn_norm.weight", new int[]{shape.hidden()});
            shapes.put(name + "attn_q.weight", new int[]{shape.queryWidth(), shape.hidden()});
            shapes.put(name + "attn_k.weight", new int[]{shape.kvWidth(), shape.hidden()});
            shapes.put(name + "attn_v.weight", new int[]{shape.kvWidth(), shape.hidden()});
            shapes.put(name + "attn_output.weight", new int[]{shape.hidden(), shape.queryWidth()});
            shapes.put(name + "ffn_norm.weight", new int[]{shape.hidden()});
            shapes.put(name + "ffn_gate.weight", new int[]{shape.intermediate(), shape.hidden()});
            shapes.put(name + "ffn_up.weight", new int[]{shape.intermediate(), shape.hidden()});
            shapes.put(name + "ffn_down.weight", new int[]{shape.hidden(), shape.intermediate()});
        }
        shapes.put("output_norm.weight", new int[]{shape.hidden()});
        if (!shape.tiedHead()) {
            shapes.put("output.weight", new int[]{shape.vocabulary(), shape.hidden()});
        }
        return shapes;
    }

    private static long bytes(int[] shape, Format format) {
        return shape.length == 1 ? 4L * shape[0] : (long) shape[0] * shape[1] / BLOCK * format.bytes;
    }

    private static void write(OutputStream out, int[] shape, Format format, SplittableRandom random)
            throws IOException {
        long bytes = bytes(shape, format);
        if (shape.length == 1) {
            ByteBuffer ones = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (ones.hasRemaining()) {
                ones.putFloat(1);
            }
            out.write(ones.array());
        } else {
            byte[] row = new byte[shape[1] / BLOCK * format.bytes];
            short scale = Float.floatToFloat16(DEVIATION / format.spread);
            for (int i = 0; i < shape[0]; i++) {
                random.nextBytes(row);
                for (int at = 0; at < row.length; at += format.bytes) {
                    row[at] = (byte) scale;
                    row[at + 1] = (byte) (scale >> 8);
                }
                out.write(row);
            }
        }
        out.write(new byte[(int) (Math.ceilDiv(bytes, 32) * 32 - bytes)]);
    }

    private static PublishedGguf header(String name, ModelShape shape) {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        for (int i = 0; i < 256; i++) {
            tokens.add("<0x%02X>".formatted(i));
        }
        tokens.add("▁a");
        while (tokens.size() < shape.vocabulary()) {
            tokens.add("▁b" + tokens.size());
        }
        List<Float> scores = new ArrayList<>();
        List<Integer> types = new ArrayList<>();
        for (int id = 0; id < tokens.size(); id++) {
            scores.add(-(float) id);
            types.add(id == 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1);
        }
        return new PublishedGguf().text("general.architecture", "llama").text("general.name", name)
                .whole("llama.context_length", shape.maxPositions()).whole("llama.embedding_length", shape.hidden())
                .whole("llama.block_count", shape.layers()).whole("llama.feed_forward_length", shape.intermediate())
                .whole("llama.attention.head_count", shape.heads())
                .whole("llama.attention.head_count_kv", shape.kvHeads())
                .whole("llama.rope.dimension_count", shape.headDim())
                .number("llama.attention.layer_norm_rms_epsilon", 1e-5f).text("tokenizer.ggml.model", "llama")
                .texts("tokenizer.ggml.tokens", tokens).numbers("tokenizer.ggml.scores", scores)
                .wholes("tokenizer.ggml.token_type", types).whole("tokenizer.ggml.bos_token_id", 1)
                .whole("tokenizer.ggml.eos_token_id", 2).whole("tokenizer.ggml.unknown_token_id", 0);
    }
}
