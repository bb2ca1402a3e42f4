package org.inferometer.prompting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.checkpoint.PublishedBlocks;
import org.inferometer.engine.checkpoint.PublishedCheckpoint;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Sizes;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;
import org.inferometer.engine.checkpoint.PublishedGguf;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.inferometer.execution.host.HostBackend;
import org.inferometer.options.Selection;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An engine of a GGUF file does what llama.cpp does with the file: the same tokens of texts, the same continuations.
class LlamaCppTest {
    private static final int CONTINUED = 64;
    private static final String PROMPT = "the inn in the other";

    @TempDir
    Path folder;

    /// A vocabulary as GGUF has it.
    ///
    /// @param texts what each token is as text; empty if it is none on its own
    private record Vocabulary(PublishedGguf header, List<String> texts) {}

    private static Vocabulary bytePairs(PublishedGguf header, String splitting) {
        PublishedTokenizer published = new PublishedTokenizer();
        List<Integer> types = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int id = 0; id < published.size(); id++) {
            boolean special = id >= published.begin();
            types.add(special ? 3 : 1);
            texts.add(special || id >= 128 && id < 256 ? "" : id < 128 ? String.valueOf((char) id)
                    : published.tokens().get(id).replace('Ġ', ' '));
        }
        // The pair of two bytes of a Chinese letter.
        texts.set(published.tokens().indexOf("ä¸"), "");
        header.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", splitting)
                .texts("tokenizer.ggml.tokens", published.tokens()).wholes("tokenizer.ggml.token_type", types)
                .texts("tokenizer.ggml.merges",
                        PublishedTokenizer.MERGES.stream().map(merge -> merge[0] + " " + merge[1]).toList())
                .whole("tokenizer.ggml.bos_token_id", published.begin()).flag("tokenizer.ggml.add_bos_token", true)
                .whole("tokenizer.ggml.eos_token_id", published.end());
        return new Vocabulary(header, texts);
    }

    private static Vocabulary sentencePiece(PublishedGguf header) {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        for (int i = 0; i < 256; i++) {
            tokens.add("<0x%02X>".formatted(i));
        }
        int first = tokens.size();
        tokens.addAll(List.of("▁", "e", "t", "h", "n", "i", "o", "r", "th", "he", "the", "▁t", "▁the", "in", "inn",
                "er", "▁in", "▁▁", "ot", "u", "ou"));
        List<Float> scores = new ArrayList<>();
        List<Integer> types = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int id = 0; id < tokens.size(); id++) {
            scores.add(id < first ? 0f : -((id * 7) % 29) - 1f);
            types.add(id == 0 ? 2 : id < 3 ? 3 : id < first ? 6 : 1);
            texts.add(id < first ? "" : tokens.get(id).replace('▁', ' '));
        }
        header.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens)
                .numbers("tokenizer.ggml.scores", scores).wholes("tokenizer.ggml.token_type", types)
                .whole("tokenizer.ggml.bos_token_id", 1).whole("tokenizer.ggml.eos_token_id", 2)
                .whole("tokenizer.ggml.unknown_token_id", 0);
        return new Vocabulary(header, texts);
    }

    private static PublishedCheckpoint model(int vocabulary) {
        return PublishedCheckpoint.of("llama", new Sizes(3, 64, 160, 4, 2, 16, vocabulary, false, 10_000, false), 19);
    }

    private static String drawn(RandomGenerator random, String letters) {
        StringBuilder text = new StringBuilder("t");
        for (int i = random.nextInt(24); i > 0; i--) {
            int[] points = letters.codePoints().toArray();
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    /// Tokens that are no text on their own never win, because the other runtime tells texts and not ids.
    private static void silence(PublishedCheckpoint model, Vocabulary vocabulary) {
        Tensor head = model.tensors().get("lm_head.weight");
        int columns = head.shape()[1];
        IntStream.range(0, vocabulary.texts().size()).filter(id -> vocabulary.texts().get(id).isEmpty())
                .forEach(id -> Arrays.fill(head.values(), id * columns, (id + 1) * columns, 0));
    }

    private Engine built(Path file, Precision precision) throws Exception {
        try (Checkpoint opened = Checkpoint.open(file)) {
            new EngineBuilder().build(folder.resolve("e"), opened.material("m", precision), fraction -> {});
        }
        return Engine.open(folder.resolve("e"));
    }

    private static void assertContinues(Engine engine, LlamaCpp other, Vocabulary vocabulary, int count)
            throws Exception {
        List<Integer> tokens = answer(engine).subList(0, count);
        assertThat(tokens).isEqualTo(other.greedy(PROMPT, count).stream().map(vocabulary.texts()::indexOf).toList());
        assertThat(Set.copyOf(tokens)).hasSizeGreaterThan(4);
    }

    private void assertAgreement(Vocabulary vocabulary, PublishedCheckpoint model, String letters) throws Exception {
        silence(model, vocabulary);
        Path file = vocabulary.header().write(folder.resolve("m.gguf"), PublishedGguf.tensors(model), "F32");
        try (Engine engine = built(file, Precision.BF16); LlamaCpp other = LlamaCpp.open(file, folder)) {
            RandomGenerator random = new SplittableRandom(4);
            for (int i = 0; i < 200; i++) {
                String text = drawn(random, letters);
                assertThat(engine.tokenizer().encodeRendered(text)).as(text).isEqualTo(other.encode(text));
            }
            assertContinues(engine, other, vocabulary, CONTINUED);
        }
    }

    private static List<Integer> answer(Engine engine) throws Exception {
        // The comparison is of weights and formulas: likely tokens of random models are too near to survive rounding.
        try (SingleLane lane = SingleLane.open(engine, new HostBackend(1L << 30, 1),
                Selection.parse("host:threads=1,float_activations=fp32"), 200, 1, new SystemClock())) {
            return new PromptAnswer(lane, engine.tokenizer(), Sampling.GREEDY,
                    new AnswerLimits(CONTINUED, Set.of(), List.of()), shown -> {})
                    .to(engine.tokenizer().encode(PROMPT), () -> false).tokens();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-2", "llama-bpe"})
    void bytePairModelsAgreeWithLlamaCpp(String splitting) throws Exception {
        PublishedCheckpoint model = model(new PublishedTokenizer().size());
        assertAgreement(bytePairs(PublishedGguf.of(model), splitting), model, "  theinou7.!ü中\n'");
    }

    /// Its projections are in Q8_0. Both round activations to 8 bits in groups of 32, llama.cpp also their scales to
    /// FP16: the 45th token differs.
    @Test
    void int8EnginesOfQ8FilesAgreeWithLlamaCpp() throws Exception {
        PublishedCheckpoint model = model(280);
        Vocabulary vocabulary = sentencePiece(PublishedGguf.of(model));
        silence(model, vocabulary);
        Path file = PublishedBlocks.write(folder.resolve("m.gguf"), vocabulary.header(), model,
                PublishedBlocks.Format.Q8_0, name -> name.startsWith("blk."), 4).file();
        try (Engine engine = built(file, Precision.INT8); LlamaCpp other = LlamaCpp.open(file, folder)) {
            assertThat(engine.descriptor().formats()).isEqualTo(new WeightFormats(Precision.INT8, Precision.BF16));
            assertContinues(engine, other, vocabulary, CONTINUED / 2);
        }
    }

    @Test
    void sentencePieceModelsAgreeWithLlamaCpp() throws Exception {
        PublishedCheckpoint model = model(280);
        assertAgreement(sentencePiece(PublishedGguf.of(model)), model, "  theinour.ü中");
    }
}
