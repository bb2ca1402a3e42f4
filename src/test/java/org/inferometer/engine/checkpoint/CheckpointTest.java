package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Sizes;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Engines of checkpoints compute what the published formulas say.
@Execution(ExecutionMode.CONCURRENT)
class CheckpointTest {
    private static final int[] PROMPT = {7, 299, 0, 41, 41, 128, 3, 250};
    private static final int CONTINUED = 64;

    @TempDir
    Path folder;

    private static Sizes sizes(boolean tied, boolean scaled) {
        Sizes s = PublishedCheckpoint.SIZES;
        return new Sizes(s.layers(), s.hidden(), s.intermediate(), s.heads(), s.kvHeads(), s.headDim(), s.vocabulary(),
                tied, s.theta(), scaled);
    }

    private Path built(Path checkpoint, Precision precision) throws EngineFormatException {
        Path engine = folder.resolve("engines").resolve("m-" + precision.id());
        try (Checkpoint opened = Checkpoint.open(checkpoint)) {
            new EngineBuilder().build(engine, opened.material("m", precision), fraction -> {});
        }
        return engine;
    }

    @ParameterizedTest
    @CsvSource({"llama, false, false, BF16, 1", "llama, true, true, F16, 3", "mistral, false, false, F32, 1",
            "qwen2, true, false, BF16, 2", "qwen3, false, false, BF16, 1", "qwen3, true, true, F32, 4",
            "gpt2, true, false, F32, 1", "gpt2, true, false, F16, 2", "gpt2, false, false, BF16, 1"})
    void everyFamilyComputesThePublishedFormulas(String type, boolean tied, boolean scaled, String dtype, int shards)
            throws Exception {
        Sizes sizes = type.equals("gpt2") ? new Sizes(2, 24, 96, 4, 4, 6, 300, tied, 0, false) : sizes(tied, scaled);
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of(type, sizes, 5);
        PublishedFormulas formulas = new PublishedFormulas(checkpoint);
        double[] expected = formulas.logits(PROMPT);
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        try (Engine engine =
                Engine.open(built(checkpoint.write(folder.resolve("Tiny"), dtype, shards), Precision.BF16))) {
            ReferenceContinuation actual = ReferenceContinuation.of(engine, PROMPT, CONTINUED);
            for (int i = 0; i < expected.length; i++) {
                assertThat(Math.abs(actual.logits()[i] - expected[i]) / largest).as("logit %d", i).isLessThan(1e-3);
            }
            assertThat(actual.tokens()).isEqualTo(formulas.greedy(PROMPT, CONTINUED));
            assertThat(engine.descriptor().origin()).isEqualTo(new WeightOrigin(null, "Tiny"));
        }
    }

    /// The window is shorter than the prompt, ends within the continuation, or is longer than both; the last is no window.
    @ParameterizedTest
    @CsvSource({"mistral, 1, 1", "mistral, 5, 5", "mistral, 40, 40", "mistral, 255, 255", "mistral, 256, 0",
            "qwen2, 6, 6", "qwen3, 7, 7"})
    void slidingWindowsComputeThePublishedFormulas(String type, int window, int ofShape) throws Exception {
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of(type, sizes(false, false), 5);
        PublishedFormulas formulas = new PublishedFormulas(checkpoint, window);
        double[] expected = formulas.logits(PROMPT);
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        Path place = checkpoint.write(folder.resolve("Tiny"), "BF16", 1);
        Files.writeString(place.resolve("config.json"), checkpoint.config().replace("\"sliding_window\":null",
                "\"use_sliding_window\":true,\"max_window_layers\":0,\"sliding_window\":" + window));
        try (Engine engine = Engine.open(built(place, Precision.BF16))) {
            assertThat(engine.descriptor().shape().slidingWindow()).isEqualTo(ofShape);
            assertThat(engine.descriptor().formatVersion()).isEqualTo(ofShape == 0 ? 1 : 3);
            ReferenceContinuation actual = ReferenceContinuation.of(engine, PROMPT, CONTINUED);
            for (int i = 0; i < expected.length; i++) {
                assertThat(Math.abs(actual.logits()[i] - expected[i]) / largest).as("logit %d", i).isLessThan(1e-3);
            }
            assertThat(actual.tokens()).isEqualTo(formulas.greedy(PROMPT, CONTINUED));
            assertThat(Arrays.equals(actual.tokens(), new PublishedFormulas(checkpoint).greedy(PROMPT, CONTINUED)))
                    .isEqualTo(window > PROMPT.length + CONTINUED);
        }
    }

    /// Qwen models have their window from a layer on; without the flag they have none.
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"'sliding_window':9;0", "'sliding_window':9,'use_sliding_window':false;0",
            "'sliding_window':9,'use_sliding_window':true;0",
            "'sliding_window':9,'use_sliding_window':true,'max_window_layers':2;0",
            "'sliding_window':256,'use_sliding_window':true,'max_window_layers':1;0",
            "'sliding_window':9,'use_sliding_window':true,'max_window_layers':0;9",
            "'sliding_window':9,'use_sliding_window':true,'layer_types':['sliding_attention','sliding_attention'];9",
            "'sliding_window':9,'use_sliding_window':true,'max_window_layers':0,'layer_types':['full_attention','full_attention'];0"})
    void windowsOfQwenAreThoseOfAllLayers(String fields, int window) throws Exception {
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of("qwen2", sizes(false, false), 1);
        Path place = checkpoint.write(folder.resolve("c"), "BF16", 1);
        Files.writeString(place.resolve("config.json"),
                checkpoint.config().replace("\"sliding_window\":null", fields.replace('\'', '"')));
        try (Checkpoint opened = Checkpoint.open(place)) {
            assertThat(opened.shape().slidingWindow()).isEqualTo(window);
        }
    }

    @ParameterizedTest
    @CsvSource({"FP8, 0.1", "INT4, 0.5"})
    void quantisedEnginesStayNearTheCheckpoint(Precision precision, double most) throws Exception {
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of("llama", sizes(false, false), 6);
        double[] expected = new PublishedFormulas(checkpoint).logits(PROMPT);
        Path built = built(checkpoint.write(folder.resolve("c"), "BF16", 1), precision);
        try (Engine engine = Engine.open(built)) {
            double[] actual = ReferenceContinuation.of(engine, PROMPT, 0).logits();
            double difference = 0;
            double whole = 0;
            for (int i = 0; i < expected.length; i++) {
                difference += Math.pow(actual[i] - expected[i], 2);
                whole += Math.pow(expected[i], 2);
            }
            assertThat(Math.sqrt(difference / whole)).isPositive().isLessThan(most);
        }
        assertThat(EngineVerifier.verify(built, fraction -> {}).intact()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"language_model.model., language_model.lm_head.", "model.language_model., lm_head."})
    void nestedAndPrefixedModelsAreRead(String model, String head) throws Exception {
        PublishedCheckpoint plain = PublishedCheckpoint.of("qwen2", sizes(false, false), 7);
        PublishedCheckpoint prefixed = new PublishedCheckpoint("qwen2", plain.sizes(), new LinkedHashMap<>());
        plain.tensors().forEach((name, tensor) -> prefixed.tensors()
                .put(name.replaceFirst("^model\\.", model).replaceFirst("^lm_head\\.", head), tensor));
        Path place = prefixed.write(folder.resolve("nested"), "BF16", 1);
        Files.writeString(place.resolve("config.json"),
                "{\"model_type\":\"some_vision_model\",\"text_config\":" + plain.config() + "}");
        try (Engine engine = Engine.open(built(place, Precision.BF16))) {
            assertThat(ReferenceContinuation.of(engine, PROMPT, CONTINUED).tokens())
                    .isEqualTo(new PublishedFormulas(plain).greedy(PROMPT, CONTINUED));
        }
    }

    @Test
    void theRootOfANestedModelMayTieTheHead() throws Exception {
        PublishedCheckpoint plain = PublishedCheckpoint.of("llama", sizes(true, false), 7);
        Path place = plain.write(folder.resolve("nested"), "BF16", 1);
        Files.writeString(place.resolve("config.json"),
                "{\"model_type\":\"x\",\"tie_word_embeddings\":true,\"text_config\":"
                        + plain.config().replace("\"tie_word_embeddings\":true,", "") + "}");
        try (Checkpoint opened = Checkpoint.open(place)) {
            assertThat(opened.shape().tiedHead()).isTrue();
        }
    }

    @Test
    void textOfAModelBecomesItsTokens() throws Exception {
        PublishedTokenizer published = new PublishedTokenizer();
        Path place = PublishedCheckpoint.of("llama", sizes(false, false), 1).write(folder.resolve("c"), "BF16", 1);
        Files.writeString(place.resolve("tokenizer.json"), published.json());
        Files.writeString(place.resolve("generation_config.json"), "{\"eos_token_id\":[264,263]}");
        Path built = built(place, Precision.INT4);
        try (Engine engine = Engine.open(built)) {
            EngineText text = engine.descriptor().text();
            assertThat(text.tokenizer()).isEqualTo("huggingface");
            assertThat(text.endTokens()).containsExactly(263, 264);
            assertThat(engine.tokenizer().encodeRendered("in the inn")).isEqualTo(published.encode("in the inn"));
            assertThat(engine.tokenizer().vocabulary()).isEqualTo(300);
        }
        Files.delete(place.resolve("tokenizer.json"));
        Path again = built(place, Precision.INT4);
        assertThat(again.resolve("tokenizer.json")).doesNotExist();
        assertThat(Engine.descriptor(again).text()).isEqualTo(new EngineText("none", "", List.of(263, 264)));
    }

    @Test
    void chatFormatsComeFromTheFileThatHasOne() throws Exception {
        Path place = PublishedCheckpoint.of("llama", sizes(false, false), 1).write(folder.resolve("c"), "BF16", 1);
        assertThat(chat(place)).isEmpty();
        Path config = place.resolve("tokenizer_config.json");
        Files.writeString(config, """
                {"bos_token": {"content": "<s>", "lstrip": false}, "eos_token": "</s>",
                 "chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]}""");
        assertThat(chat(place)).contains(new ChatFormat("d", "<s>", "</s>"));
        Files.writeString(config, "{\"bos_token\": null, \"chat_template\": \"one\"}");
        assertThat(chat(place)).contains(new ChatFormat("one", "", ""));
        Files.writeString(place.resolve("chat_template.jinja"), "own\n");
        assertThat(chat(place)).contains(new ChatFormat("own\n", "", ""));
        Path engine = built(place, Precision.INT4);
        assertThat(ChatFormat.FILE.read(engine)).contains(new ChatFormat("own\n", "", ""));
        Files.writeString(place.resolve("chat_template.jinja"), "x".repeat(ChatFormat.MOST_CHARACTERS + 1));
        assertThatThrownBy(() -> Checkpoint.open(place))
                .hasMessageContaining("The chat template has more than 1048576 characters.");
        Files.write(place.resolve("chat_template.jinja"), new byte[]{(byte) 0xC3, 0x28});
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageContaining("It is no UTF-8 text.");
        Files.delete(place.resolve("chat_template.jinja"));
        Files.delete(config);
        assertThat(ChatFormat.FILE.read(built(place, Precision.INT4))).isEmpty();
    }

    private static Optional<ChatFormat> chat(Path place) throws EngineFormatException {
        try (Checkpoint checkpoint = Checkpoint.open(place)) {
            return checkpoint.chat();
        }
    }

    @Test
    void tokenizersThatDoNotFitAreRefused() throws Exception {
        Path place = PublishedCheckpoint.of("llama", sizes(false, false), 1).write(folder.resolve("c"), "BF16", 1);
        String json = new PublishedTokenizer().json();
        Files.writeString(place.resolve("tokenizer.json"), json.replace("\"id\":264", "\"id\":300"));
        assertThatThrownBy(() -> Checkpoint.open(place))
                .hasMessageContaining("It has 301 tokens, the model has 300: it belongs to another model.");
        Files.writeString(place.resolve("tokenizer.json"), json.substring(1));
        assertThatThrownBy(() -> Checkpoint.open(place)).isInstanceOf(EngineFormatException.class);
        Files.writeString(place.resolve("tokenizer.json"), json);
        Files.writeString(place.resolve("generation_config.json"), "{\"eos_token_id\":300}");
        assertThatThrownBy(() -> Checkpoint.open(place))
                .hasMessageContaining("\"eos_token_id\" must be a token from 0 to 299");
    }

    private void assertRefused(String config, String sentence) throws IOException {
        Path place = PublishedCheckpoint.of("llama", sizes(false, false), 1).write(folder.resolve("bad"), "BF16", 1);
        Files.writeString(place.resolve("config.json"), config);
        assertThatThrownBy(() -> Checkpoint.open(place)).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void whatIsNotSupportedIsNamed() throws IOException {
        String right = PublishedCheckpoint.of("llama", sizes(false, false), 1).config();
        assertRefused(right.replace("\"llama\"", "\"gemma\""),
                "The architecture \"gemma\" is not supported: it needs a scaled embedding and (1 + w) norms.");
        assertRefused(right.replace("\"llama\"", "\"gpt_neo\""), "it needs local attention");
        assertRefused(right.replace("\"llama\"", "\"mamba\""),
                "The architecture \"mamba\" is not supported. Supported: llama,");
        String windowed = right.replace("\"sliding_window\":null", "\"sliding_window\":9,\"use_sliding_window\":true");
        assertRefused(windowed, "\"sliding_window\" is not supported with model_type \"llama\"; it is with mistral.");
        assertRefused(windowed.replace("\"llama\"", "\"qwen2\"").replace("true,", "true,\"max_window_layers\":1,"),
                "A sliding window in 1 of 2 layers (sliding_window, max_window_layers, layer_types) is not supported; "
                        + "one in all layers is.");
        assertRefused(windowed.replace("\"llama\"", "\"mistral\"").replace(":9,", ":-1,"),
                "\"sliding_window\" is no count from 1 to");
        assertRefused(right.replace("\"rope_scaling\":null", "\"rope_scaling\":{\"rope_type\":\"yarn\"}"),
                "RoPE scaling \"yarn\" is not supported; llama3 is.");
        assertRefused(right.replace("\"silu\"", "\"relu\",\"mlp_bias\":true"),
                "\"hidden_act\" \"relu\" is not supported; silu is. \"mlp_bias\" is not supported.");
        assertRefused(right.replace("\"num_hidden_layers\":2", "\"num_hidden_layers\":1"),
                "It has 2 layers, config.json names 1.");
        assertRefused(
                right.replace("\"hidden_act\"", "\"quantization_config\":{\"quant_method\":\"hqq\"},\"hidden_act\""),
                "The checkpoint is quantised with \"hqq\", which is not supported. Supported: FP8");
    }

    @Test
    void brokenConfigurationsAreOneSentence() throws IOException {
        String right = PublishedCheckpoint.of("llama", sizes(false, false), 1).config();
        assertRefused("[1]", "It is no JSON object.");
        assertRefused("{\"model_type\":", "It is no JSON: ");
        assertRefused(right.replace("\"vocab_size\":300,", ""), "\"vocab_size\" is missing.");
        assertRefused(right.replace("\"num_attention_heads\":4", "\"num_attention_heads\":-4"),
                "\"num_attention_heads\" is no count from 1 to 1024: -4.");
        assertRefused(right.replace("\"num_key_value_heads\":2", "\"num_key_value_heads\":3"),
                "\"num_attention_heads\" (4) is no multiple of \"num_key_value_heads\" (3).");
        assertRefused(right.replace("\"intermediate_size\":40", "\"intermediate_size\":48"),
                "model.layers.0.mlp.gate_proj.weight has the shape [40, 24], not [48, 24].");
        assertRefused(right.replace("\"num_hidden_layers\":2", "\"num_hidden_layers\":1000000000"),
                "num_hidden_layers");
    }

    @Test
    void missingShardsAndLinksOutOfTheFolderAreRefused() throws Exception {
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of("llama", sizes(false, false), 1);
        Path place = checkpoint.write(folder.resolve("sharded"), "BF16", 2);
        Path second = place.resolve("model-00002-of-00002.safetensors");
        Path outside = Files.move(second, folder.resolve("outside.safetensors"));
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageContaining("The file is missing.");
        Files.createSymbolicLink(second, outside);
        assertThatThrownBy(() -> Checkpoint.open(place))
                .hasMessageContaining("It is a link out of the checkpoint's folder.");
        Files.delete(second);
        Files.copy(place.resolve("model-00001-of-00002.safetensors"), second);
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageContaining("is in two files.");
        Path index = place.resolve("model.safetensors.index.json");
        Files.writeString(index, Files.readString(index).replace("model-00002-of-00002", "../outside"));
        assertThatThrownBy(() -> Checkpoint.open(place))
                .hasMessageContaining("It names a shard that is no file of the folder: \"../outside.safetensors\".");
    }

    @ParameterizedTest
    @CsvSource({"config.json", "model.safetensors.index.json", "tokenizer.json"})
    void linksOutOfTheFolderAndToNothingAreRefused(String name) throws Exception {
        Path place = PublishedCheckpoint.of("llama", sizes(false, false), 1).write(folder.resolve("c"), "BF16", 2);
        Path file = place.resolve(name);
        Files.deleteIfExists(file);
        Path outside = folder.resolve("outside.json");
        Files.createSymbolicLink(file, outside);
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageStartingWith(file + ": It is no file, or a link");
        Files.writeString(outside, "{}");
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageStartingWith(file + ": It is a link out of the");
    }

    @Test
    void filesThatHoldNoCheckpointAreNamed() throws Exception {
        Path place = PublishedCheckpoint.of("llama", sizes(false, false), 1).write(folder.resolve("c"), "BF16", 1);
        Files.move(place.resolve("model.safetensors"), place.resolve("pytorch_model.bin"));
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageContaining("Save the model in safetensors");
        assertThatThrownBy(() -> Checkpoint.open(folder.resolve("none")))
                .hasMessageContaining("no such folder or file");
        assertThatThrownBy(() -> Checkpoint.open(place.resolve("config.json"))).hasMessageContaining("It is no folder");
        Files.writeString(place.resolve("tokenizer_config.json"), "{");
        assertThatThrownBy(() -> Checkpoint.open(place)).hasMessageNotContaining("REDACTED");
    }

    @Test
    void theCacheOfAHubLinksToItsOwnBlobs() throws Exception {
        Path snapshot = PublishedCheckpoint.of("llama", sizes(false, false), 1)
                .write(folder.resolve("models--x/snapshots/abc"), "BF16", 1);
        Path blob = Files.createDirectories(folder.resolve("models--x/blobs")).resolve("0123");
        Files.move(snapshot.resolve("model.safetensors"), blob);
        Files.createSymbolicLink(snapshot.resolve("model.safetensors"), Path.of("../../blobs/0123"));
        try (Checkpoint opened = Checkpoint.open(snapshot)) {
            assertThat(opened.shape().layers()).isEqualTo(2);
        }
    }

    @Test
    void valuesThatAreNotFiniteStopTheBuildAndLeaveNothing() throws Exception {
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of("llama", sizes(false, false), 1);
        checkpoint.tensors().get("model.layers.1.mlp.up_proj.weight").values()[5] = Double.NEGATIVE_INFINITY;
        for (String dtype : List.of("F32", "F16", "BF16")) {
            Path place = checkpoint.write(folder.resolve("nan-" + dtype), dtype, 1);
            assertThatThrownBy(() -> built(place, Precision.INT4))
                    .hasMessageContaining("layers.1.ffn.up.weight, row 0: "
                            + "model.layers.1.mlp.up_proj.weight of model.safetensors has a NaN or infinite value; "
                            + "the build's files were removed.");
        }
        try (var left = Files.list(folder.resolve("engines"))) {
            assertThat(left).isEmpty();
        }
    }
}
