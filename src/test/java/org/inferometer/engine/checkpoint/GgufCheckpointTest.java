package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Sizes;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A model makes the same engine, whether it comes as GGUF or as a checkpoint of transformers.
@Execution(ExecutionMode.CONCURRENT)
class GgufCheckpointTest {
    @TempDir
    Path folder;

    private static PublishedCheckpoint checkpoint(String type, boolean tied) {
        Sizes s = PublishedCheckpoint.SIZES;
        return PublishedCheckpoint.of(type,
                type.equals("gpt2") ? new Sizes(2, 24, 96, 4, 4, 6, 300, tied, 0, false)
                        : new Sizes(s.layers(), s.hidden(), s.intermediate(), s.heads(), s.kvHeads(), s.headDim(),
                                s.vocabulary(), tied, s.theta(), false),
                12);
    }

    private byte[] weights(Path place, String name) throws Exception {
        try (Checkpoint opened = Checkpoint.open(place)) {
            new EngineBuilder().build(folder.resolve(name), opened.material("m", Precision.BF16), fraction -> {});
        }
        return Files.readAllBytes(folder.resolve(name).resolve(DescriptorFile.WEIGHTS));
    }

    @ParameterizedTest
    @CsvSource({"llama, false, F16", "llama, true, BF16", "mistral, false, F32", "qwen2, true, F16",
            "qwen3, false, BF16", "gpt2, true, F16", "gpt2, false, BF16"})
    void ggufAndTransformersGiveTheSameEngine(String type, boolean tied, String dtype) throws Exception {
        PublishedCheckpoint checkpoint = checkpoint(type, tied);
        Path gguf =
                PublishedGguf.of(checkpoint).write(folder.resolve("m.gguf"), PublishedGguf.tensors(checkpoint), dtype);
        assertThat(weights(gguf, "a")).isEqualTo(weights(checkpoint.write(folder.resolve("c"), "F32", 1), "b"));
        assertThat(Engine.descriptor(folder.resolve("a")).shape()).usingRecursiveComparison()
                .withComparatorForType((x, y) -> Math.abs(x - y) < 1e-9 ? 0 : 1, Double.class)
                .isEqualTo(Engine.descriptor(folder.resolve("b")).shape());
        assertThat(Engine.descriptor(folder.resolve("a")).origin().checkpoint()).isEqualTo("m.gguf");
    }

    @ParameterizedTest
    @CsvSource({"9, 9", "256, 0"})
    void slidingWindowsOfAllLayersAreRead(int window, int ofShape) throws Exception {
        PublishedCheckpoint mistral = checkpoint("mistral", false);
        Path gguf = PublishedGguf.of(mistral).whole("llama.attention.sliding_window", window)
                .write(folder.resolve("m.gguf"), PublishedGguf.tensors(mistral), "F32");
        try (Checkpoint opened = Checkpoint.open(gguf)) {
            assertThat(opened.shape().slidingWindow()).isEqualTo(ofShape);
        }
    }

    /// Published files of GPT-2 have the embedding a second time, as the head.
    @Test
    void aHeadThatIsTheEmbeddingIsStoredOnce() throws Exception {
        PublishedCheckpoint checkpoint = checkpoint("gpt2", true);
        Map<String, Tensor> tensors = PublishedGguf.tensors(checkpoint);
        tensors.put("output.weight", tensors.get("token_embd.weight"));
        Path gguf = PublishedGguf.of(checkpoint).write(folder.resolve("m.gguf"), tensors, "F16");
        assertThat(weights(gguf, "a")).isEqualTo(weights(checkpoint.write(folder.resolve("c"), "F32", 1), "b"));
    }

    private Path part(int number, int count, Map<String, Tensor> tensors) throws IOException {
        PublishedGguf header = number == 1 ? PublishedGguf.of(checkpoint("llama", false)) : new PublishedGguf();
        return header.whole("split.count", count).whole("split.no", number - 1)
                .write(folder.resolve("m-0000%d-of-0000%d.gguf".formatted(number, count)), tensors, "F16");
    }

    @Test
    void modelsInPartsAreReadTogether() throws Exception {
        Map<String, Tensor> all = PublishedGguf.tensors(checkpoint("llama", false));
        Map<String, Tensor> first = new LinkedHashMap<>();
        Map<String, Tensor> second = new LinkedHashMap<>();
        all.forEach((name, tensor) -> (first.size() < 5 ? first : second).put(name, tensor));
        Path begin = part(1, 2, first);
        assertThatThrownBy(() -> Checkpoint.open(begin)).hasMessageContaining("m-00002-of-00002.gguf")
                .hasMessageContaining("The file is missing.");
        Path end = part(2, 2, second);
        Path whole = PublishedGguf.of(checkpoint("llama", false)).write(folder.resolve("whole.gguf"), all, "F16");
        assertThat(weights(begin, "a")).isEqualTo(weights(whole, "b"));
        assertThatThrownBy(() -> Checkpoint.open(end)).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining("Give the first part");
    }

    @Test
    void publishedScalingsOfRopeAreRecognised() throws Exception {
        PublishedCheckpoint plain = checkpoint("llama", false);
        Map<String, Tensor> tensors = PublishedGguf.tensors(plain);
        double[] factors = new double[3];
        for (int i = 0; i < 3; i++) {
            double wave = 2 * Math.PI * Math.pow(10_000, 2.0 * i / 6);
            double smooth = (8192 / wave - 1) / 3;
            factors[i] = wave < 8192.0 / 4 ? 1 : wave > 8192 ? 32 : 1 / ((1 - smooth) / 32 + smooth);
        }
        tensors.put("rope_freqs.weight", new Tensor(new int[]{3}, factors));
        try (Checkpoint opened =
                Checkpoint.open(PublishedGguf.of(plain).write(folder.resolve("m.gguf"), tensors, "F32"))) {
            assertThat(opened.shape().ropeScaling()).isEqualTo(new RopeScaling(32, 1, 4, 8192));
        }
        factors[2] = 3;
        assertThatThrownBy(
                () -> Checkpoint.open(PublishedGguf.of(plain).write(folder.resolve("m.gguf"), tensors, "F32")))
                .hasMessageContaining("The RoPE factors are none of Llama 3.1 and 3.2.");
    }

    private void assertRefused(PublishedGguf header, Map<String, Tensor> tensors, String sentence) throws IOException {
        Path file = header.write(folder.resolve("bad.gguf"), tensors, "F16");
        assertThatThrownBy(() -> Checkpoint.open(file)).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void whatIsNotSupportedIsNamed() throws IOException {
        PublishedCheckpoint llama = checkpoint("llama", false);
        Map<String, Tensor> tensors = PublishedGguf.tensors(llama);
        assertRefused(new PublishedGguf().text("general.architecture", "gemma3"), tensors,
                "The architecture \"gemma3\" is not supported: it needs a scaled embedding, (1 + w) norms and windows. Supported: llama, qwen2,");
        assertRefused(PublishedGguf.of(llama).whole("llama.expert_count", 8), tensors, "Models with experts");
        assertRefused(
                PublishedGguf.of(llama).whole("llama.attention.sliding_window", 8)
                        .whole("llama.attention.sliding_window_pattern", 2),
                tensors, "A sliding window in some layers only, or in GPT-2, is not supported.");
        assertRefused(PublishedGguf.of(llama).text("llama.rope.scaling.type", "yarn"), tensors,
                "RoPE scaling \"yarn\" is not supported.");
        Map<String, Tensor> lacking = new LinkedHashMap<>(tensors);
        lacking.remove("blk.1.ffn_up.weight");
        lacking.put("blk.0.ffn_up.weight", tensors.get("blk.0.ffn_down.weight"));
        assertRefused(PublishedGguf.of(llama), lacking, "blk.1.ffn_up.weight is missing.");
        assertRefused(PublishedGguf.of(llama), lacking, "blk.0.ffn_up.weight has 24 rows of 40, not 40 of 24.");
    }

    @Test
    void damagedHeadersAreRefusedInOneMessage() throws IOException {
        PublishedCheckpoint llama = checkpoint("llama", true);
        Path file = PublishedGguf.of(llama).texts("tokenizer.ggml.tokens", List.of("a", "b"))
                .write(folder.resolve("m.gguf"), PublishedGguf.tensors(llama), "F16");
        byte[] whole = Files.readAllBytes(file);
        RandomGenerator random = new SplittableRandom(5);
        int refused = 0;
        for (int i = 0; i < 1500; i++) {
            byte[] damaged =
                    random.nextInt(4) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            for (int change = 0; change < 1 + random.nextInt(3) && damaged.length > 0; change++) {
                damaged[random.nextInt(Math.min(damaged.length, 1500))] =
                        (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextBoolean() ? 255 : 127);
            }
            Files.write(file, damaged);
            try (Checkpoint opened = Checkpoint.open(file)) {
                assertThat(opened.shape().layers()).isPositive();
            } catch (EngineFormatException told) {
                assertThat(told.getMessage()).isNotBlank().hasSizeLessThan(3000);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void bytePairsOfTheHeaderBecomeTheTokenizer() throws Exception {
        PublishedTokenizer published = new PublishedTokenizer();
        List<Integer> types = new ArrayList<>();
        for (int i = 0; i < published.size(); i++) {
            types.add(i >= published.begin() ? 3 : 1);
        }
        PublishedCheckpoint llama = checkpoint("llama", false);
        Path file = PublishedGguf.of(llama).text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2")
                .texts("tokenizer.ggml.tokens", published.tokens()).wholes("tokenizer.ggml.token_type", types)
                .texts("tokenizer.ggml.merges",
                        PublishedTokenizer.MERGES.stream().map(merge -> merge[0] + " " + merge[1]).toList())
                .whole("tokenizer.ggml.bos_token_id", published.begin()).flag("tokenizer.ggml.add_bos_token", true)
                .whole("tokenizer.ggml.eos_token_id", published.end()).text("tokenizer.chat_template", "{{ 1 }}")
                .write(folder.resolve("m.gguf"), PublishedGguf.tensors(llama), "F16");
        weights(file, "e");
        try (Engine engine = Engine.open(folder.resolve("e"))) {
            assertThat(engine.descriptor().text().endTokens()).containsExactly(published.end());
            List<String> tokens = published.tokens();
            assertThat(ChatFormat.FILE.read(engine.folder()))
                    .contains(new ChatFormat("{{ 1 }}", tokens.get(published.begin()), tokens.get(published.end())));
            assertThat(engine.tokenizer().encodeRendered(tokens.get(published.begin()) + "in"))
                    .startsWith(published.begin()).isNotEqualTo(engine.tokenizer().encodeRendered("in"));
            String text = "the other in the inn";
            assertThat(engine.tokenizer().encodeRendered(text)).isEqualTo(published.encode(text));
            assertThat(engine.tokenizer().encode(text)).startsWith(published.begin());
            assertThat(engine.tokenizer().decode(published.encode(text))).isEqualTo(text);
        }
    }

    @Test
    void unknownTokenizersLeaveDrawnPrompts() throws Exception {
        PublishedCheckpoint llama = checkpoint("llama", false);
        Path file = PublishedGguf.of(llama).text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "falcon")
                .texts("tokenizer.ggml.tokens", List.of("a", "b"))
                .write(folder.resolve("m.gguf"), PublishedGguf.tensors(llama), "F16");
        try (Checkpoint opened = Checkpoint.open(file)) {
            assertThat(opened.text().tokenizer()).isEqualTo("none");
            assertThat(opened.textFault()).contains("Its tokenizer (gpt2, falcon) is none of those that are read. "
                    + "Its engines take drawn prompts, no texts.");
        }
    }

    /// SentencePiece by its definition: of all neighbours whose whole is a piece, those with the best score merge first, the left ones first.
    private static List<Integer> pieces(List<String> tokens, List<Float> scores, String text) {
        List<String> parts = new ArrayList<>();
        ("\u2581" + text.replace(' ', '\u2581')).codePoints().forEach(point -> parts.add(Character.toString(point)));
        while (true) {
            int best = -1;
            for (int i = 0; i + 1 < parts.size(); i++) {
                int whole = tokens.indexOf(parts.get(i) + parts.get(i + 1));
                if (whole >= 0 && (best < 0
                        || scores.get(whole) > scores.get(tokens.indexOf(parts.get(best) + parts.get(best + 1))))) {
                    best = i;
                }
            }
            if (best < 0) {
                return parts.stream().map(tokens::indexOf).toList();
            }
            parts.set(best, parts.get(best) + parts.remove(best + 1));
        }
    }

    /// All words of two letters: each place of a word divides it into two pieces.
    private static List<String> words(int longest) {
        List<String> words = new ArrayList<>(List.of("a", "b"));
        for (int i = 0; words.size() < (2 << longest) - 2; i++) {
            words.add(words.get(i) + "a");
            words.add(words.get(i) + "b");
        }
        return words;
    }

    /// All bytes ever allocated count, so that the result does not depend on the collector.
    @Test
    void tooManyPairsOfPiecesAreRefusedEarly() throws Exception {
        List<String> words = words(16);
        Map<String, Tensor> tensors = new LinkedHashMap<>(PublishedGguf.tensors(checkpoint("llama", false)));
        tensors.replaceAll((name, tensor) -> tensor.shape()[0] == PublishedCheckpoint.SIZES.vocabulary()
                ? new Tensor(new int[]{words.size(), tensor.shape()[1]}, new double[words.size() * tensor.shape()[1]])
                : tensor);
        Path file = PublishedGguf.of(checkpoint("llama", false)).text("tokenizer.ggml.model", "llama")
                .texts("tokenizer.ggml.tokens", words)
                .numbers("tokenizer.ggml.scores", Collections.nCopies(words.size(), 0f))
                .write(folder.resolve("m.gguf"), tensors, "F16");
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> Checkpoint.open(file)).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining("Its tokenizer has more than 1000000 pairs of pieces, or 16777216 characters");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(384L << 20);
    }

    /// Other tokenizers do not divide their tokens.
    @Test
    void tokensTooLongToDivideAreRefused() throws Exception {
        PublishedCheckpoint llama = checkpoint("llama", false);
        List<String> tokens = List.of("a".repeat(12_000));
        assertRefused(
                PublishedGguf.of(llama).text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens),
                PublishedGguf.tensors(llama),
                "The tokens of its tokenizer are too long to be divided into pairs. Give another model.");
        Path file = PublishedGguf.of(llama).text("tokenizer.ggml.model", "gpt2").texts("tokenizer.ggml.tokens", tokens)
                .write(folder.resolve("m.gguf"), PublishedGguf.tensors(llama), "F16");
        Checkpoint.open(file).close();
    }

    @Test
    void aTextBeyondTheMemoryOfTheHeaderIsRefused() throws Exception {
        PublishedCheckpoint llama = checkpoint("llama", false);
        PublishedGguf header = PublishedGguf.of(llama);
        String text = "a".repeat(16_000_000);
        for (String key : List.of("a", "b", "c", "d")) {
            header.text(key, text);
        }
        assertRefused(header, PublishedGguf.tensors(llama),
                "bad.gguf: The values of its header take more than 96 MiB. Give another model.");
    }

    @Test
    void piecesWithScoresBecomeTheTokenizer() throws Exception {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        for (int i = 0; i < 256; i++) {
            tokens.add("<0x%02X>".formatted(i));
        }
        tokens.addAll(List.of("\u2581", "a", "b", "c", "ab", "bc", "abc", "\u2581a", "\u2581ab", "ca", "cab",
                "\u2581\u2581", "aa"));
        List<Float> scores = new ArrayList<>();
        List<Integer> types = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            scores.add(i < 260 ? 0f : -((i * 7) % 13) - 1f);
            types.add(i == 0 ? 2 : i < 3 ? 3 : i < 259 ? 6 : 1);
        }
        PublishedCheckpoint llama = checkpoint("llama", false);
        Path file = PublishedGguf.of(llama).text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens)
                .numbers("tokenizer.ggml.scores", scores).wholes("tokenizer.ggml.token_type", types)
                .whole("tokenizer.ggml.bos_token_id", 1).whole("tokenizer.ggml.eos_token_id", 2)
                .whole("tokenizer.ggml.unknown_token_id", 0)
                .write(folder.resolve("m.gguf"), PublishedGguf.tensors(llama), "F16");
        weights(file, "e");
        try (Engine engine = Engine.open(folder.resolve("e"))) {
            RandomGenerator random = new SplittableRandom(21);
            for (int i = 0; i < 400; i++) {
                StringBuilder text = new StringBuilder("a");
                for (int letter = random.nextInt(12); letter > 0; letter--) {
                    text.append("abc ".charAt(random.nextInt(4)));
                }
                int[] ids = engine.tokenizer().encodeRendered(text.toString());
                assertThat(Arrays.stream(ids).boxed().toList()).as("%s", text)
                        .isEqualTo(pieces(tokens, scores, text.toString()));
                assertThat(engine.tokenizer().decode(ids)).isEqualTo(text.toString());
            }
            assertThat(engine.tokenizer().encode("a")).startsWith(1);
            assertThat(engine.tokenizer().encodeRendered("é")).endsWith(3 + 0xC3, 3 + 0xA9);
        }
    }
}
