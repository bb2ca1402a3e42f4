package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.engine.checkpoint.KeptValues.assertComputes;
import static org.inferometer.engine.checkpoint.KeptValues.assertSameValues;
import static org.inferometer.engine.checkpoint.KeptValues.treatment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checkpoints that are quantised already, written from the published layouts.
@Execution(ExecutionMode.CONCURRENT)
class QuantisedCheckpointTest {
    @TempDir
    Path folder;

    private Engine built(Path checkpoint, Precision precision) throws EngineFormatException {
        return KeptValues.built(folder.resolve("engines"), checkpoint, precision);
    }

    @ParameterizedTest
    @CsvSource({"fp8, 0, F32, FP8, FP8", "fp8, 0, BF16, FP8, FP8", "fp8-channel, 0, F32, FP8, FP8",
            "fp8-channel, 0, BF16, FP8, FP8", "awq, 128, F16, INT4, AWQ", "awq, 0, F16, INT4, AWQ",
            "gptq, 128, F16, INT4, GPTQ", "gptq-v2, 128, F16, INT4, GPTQ",
            "packed, 128, BF16, INT4, compressed-tensors INT4", "packed-zero, 128, F16, INT4, compressed-tensors INT4",
            "packed, 0, F16, INT4, compressed-tensors INT4", "awq, 32, F16, INT4, AWQ", "awq, 64, F16, INT4, AWQ",
            "gptq, 64, F16, INT4, GPTQ", "gptq-v2, 32, F16, INT4, GPTQ",
            "packed, 64, BF16, INT4, compressed-tensors INT4", "packed-unset, 32, F16, INT4, compressed-tensors INT4",
            "packed-zero, 32, F16, INT4, compressed-tensors INT4", "fp8-square, 128, F32, FP8, FP8 in blocks",
            "fp8-square, 128, BF16, FP8, FP8 in blocks", "fp8-block, 128, F32, FP8, FP8 in blocks",
            "fp8-square, 256, F32, FP8, FP8 in blocks"})
    void quantisedValuesAreKeptExactly(String method, int group, String scales, Precision precision, String named)
            throws Exception {
        var written = PublishedQuantisation.of(method, group, scales).write(folder.resolve("c"), 3);
        boolean blocks = precision == Precision.FP8 && group > 0;
        int width = blocks ? 128 : group;
        boolean narrow = blocks || group == 32 || group == 64;
        assertThat(treatment(written.folder(), precision)).isEqualTo("The " + named
                + " values of 14 matrices are kept exactly" + (narrow ? " in groups of " + width + " inputs." : "."));
        try (Engine engine = built(written.folder(), precision)) {
            assertThat(engine.descriptor().formats())
                    .isEqualTo(narrow ? new WeightFormats(precision, Precision.BF16, width)
                            : new WeightFormats(precision, Precision.BF16));
            ModelWeights weights = engine.weights();
            for (int layer = 0; layer < 2; layer++) {
                String at = "model.layers." + layer + ".";
                assertSameValues(weights.layers().get(layer).query().weight(),
                        written.values().tensors().get(at + "self_attn.q_proj.weight"));
                assertSameValues(weights.layers().get(layer).key().weight(),
                        written.values().tensors().get(at + "self_attn.k_proj.weight"));
                ModelWeights.FeedForward.SwiGlu mlp =
                        (ModelWeights.FeedForward.SwiGlu) weights.layers().get(layer).feedForward();
                assertSameValues(mlp.down().weight(), written.values().tensors().get(at + "mlp.down_proj.weight"));
            }
            assertSameValues(weights.embedding(), written.values().tensors().get("model.embed_tokens.weight"));
            assertSameValues(weights.head(), written.values().tensors().get("lm_head.weight"));
            assertComputes(engine, written.values(), 1e-3);
            assertThat(ReferenceContinuation.of(engine, KeptValues.PROMPT, KeptValues.CONTINUED).tokens())
                    .isEqualTo(new PublishedFormulas(written.values()).greedy(KeptValues.PROMPT, KeptValues.CONTINUED));
            assertThat(EngineInspection.of(engine).layout()).endsWith(" Embedding and output head: bf16.");
        }
    }

    @ParameterizedTest
    @CsvSource({"gptq, 64, GPTQ", "gptq-v2, 32, GPTQ", "gptq-order, 64, GPTQ", "awq, 64, AWQ"})
    void projectionsOfGpt2AreKeptExactly(String method, int group, String named) throws Exception {
        var written = PublishedQuantisation.of(method, group, "F16").writeGpt2(folder.resolve("c"), 5);
        assertThat(treatment(written.folder(), Precision.INT4))
                .isEqualTo("The " + named + " values of 12 matrices are kept exactly in groups of " + group + " inputs."
                        + (method.equals("gptq-order") ? " Inputs are sorted by group (act-order)." : ""));
        try (Engine engine = built(written.folder(), Precision.INT4)) {
            assertComputes(engine, written.values(), 1e-3);
            assertThat(ReferenceContinuation.of(engine, KeptValues.PROMPT, KeptValues.CONTINUED).tokens())
                    .isEqualTo(new PublishedFormulas(written.values()).greedy(KeptValues.PROMPT, KeptValues.CONTINUED));
        }
    }

    @ParameterizedTest
    @CsvSource({"gptq, 128, INT4, GPTQ, ''", "gptq-order, 128, INT4, GPTQ, ' Inputs are sorted by group (act-order).'",
            "fp8-channel, 0, FP8, FP8, ''"})
    void anEmbeddingBesideAQuantisedHeadIsKept(String method, int group, Precision precision, String named,
            String sorted) throws Exception {
        var written = PublishedQuantisation.of(method, group, precision == Precision.FP8 ? "F32" : "F16")
                .writeWithHead(folder.resolve("c"), 6);
        assertThat(treatment(written.folder(), precision))
                .isEqualTo("The " + named + " values of 14 matrices are kept exactly." + sorted
                        + " Embedding and output head become bf16, because the checkpoint quantised only one of them.");
        try (Engine engine = built(written.folder(), precision)) {
            assertThat(engine.descriptor().formats().tables()).isEqualTo(Precision.BF16);
            assertSameValues(engine.weights().embedding(), written.values().tensors().get("model.embed_tokens.weight"));
            assertComputes(engine, written.values(), 1e-2);
        }
    }

    @ParameterizedTest
    @CsvSource({"fp8-block, 64, F32, FP8, FP8 in blocks", "awq, 16, F16, INT4, AWQ", "gptq-mixed, 32, F16, INT4, GPTQ",
            "gptq-uneven, 32, F16, INT4, GPTQ", "gptq-wide, 128, F16, INT4, GPTQ",
            "packed, 16, BF16, INT4, compressed-tensors INT4", "packed, 128, F32, INT4, compressed-tensors INT4"})
    void valuesThatDoNotFitAreWidenedAndQuantisedAgain(String method, int group, String scales, Precision precision,
            String named) throws Exception {
        var written = PublishedQuantisation.of(method, group, scales).write(folder.resolve("c"), 4);
        String said = treatment(written.folder(), precision);
        assertThat(said).startsWith("The " + named + " values of 14 matrices").contains("quantised again");
        assertThat(treatment(written.folder(), Precision.BF16))
                .isEqualTo("The " + named + " values of 14 matrices are widened and rounded to bf16.");
        try (Checkpoint opened = Checkpoint.open(written.folder())) {
            assertThat(opened.ownPrecision()).isEqualTo(said.contains("kept") ? precision : Precision.BF16);
        }
        try (Engine engine = built(written.folder(), Precision.BF16)) {
            assertThat(engine.descriptor().formats()).isEqualTo(WeightFormats.all(Precision.BF16));
            assertComputes(engine, written.values(), 1e-2);
        }
        try (Engine engine = built(written.folder(), precision)) {
            assertComputes(engine, written.values(), precision == Precision.FP8 ? 0.2 : 0.8);
        }
    }

    @ParameterizedTest
    @CsvSource({"64, '64 × 64'", "96, '96 × 96'"})
    void blocksThatDoNotFitAreNamed(int block, String named) throws Exception {
        var written = PublishedQuantisation.of("fp8-square", block, "F32").write(folder.resolve("c"), 9);
        assertThat(treatment(written.folder(), Precision.FP8)).isEqualTo("The FP8 in blocks values of 14 matrices are "
                + "quantised again: an engine has scales of 128 inputs or of outputs, not of blocks of " + named + ".");
    }

    @Test
    void blockScalesOfAnotherShapeAreNamed() throws Exception {
        var written = PublishedQuantisation.of("fp8-square", 128, "F32").write(folder.resolve("c"), 9);
        Path config = written.folder().resolve("config.json");
        String text = Files.readString(config);
        Files.writeString(config, text.replace("[128,128]", "[64,128]"));
        assertThatThrownBy(() -> Checkpoint.open(written.folder()))
                .hasMessageContaining("down_proj.weight_scale_inv has the shape [1, 2], not [2, 2].");
        for (String wrong : new String[]{"[128]", "[128,128,128]", "[0,128]", "[128,-128]", "[128,1.5]"}) {
            Files.writeString(config, text.replace("[128,128]", wrong));
            assertThatThrownBy(() -> Checkpoint.open(written.folder())).hasMessageContaining("which is not supported");
        }
    }

    private void assertRefused(String from, String to, String sentence) throws IOException {
        var written = PublishedQuantisation.of("awq", 128, "F16").write(folder.resolve("bad"), 5);
        Path config = written.folder().resolve("config.json");
        String text = Files.readString(config);
        assertThat(text).contains(from);
        Files.writeString(config, text.replace(from, to));
        assertThatThrownBy(() -> Checkpoint.open(written.folder())).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void methodsThatAreNotSupportedAreNamed() throws IOException {
        assertRefused("\"awq\"", "\"bitsandbytes\"",
                "The checkpoint is quantised with \"bitsandbytes\", which is not supported.");
        assertRefused("\"bits\":4", "\"bits\":8", "8-bit AWQ");
        assertRefused("\"gemm\"", "\"gemv\"", "AWQ in the layout \"gemv\"");
        assertRefused("\"quant_method\":\"awq\",\"bits\":4", "\"quant_method\":\"gptq\",\"bits\":3", "3-bit GPTQ");
        assertRefused("\"quant_method\":\"awq\"", "\"quant_method\":\"gptq\",\"checkpoint_format\":\"marlin\"",
                "GPTQ in the layout \"marlin\"");
        assertRefused("\"quant_method\":\"awq\"", "\"quant_method\":\"modelopt\",\"quant_algo\":\"NVFP4\"",
                "ModelOpt's \"NVFP4\"");
        assertRefused("\"quant_method\":\"awq\"",
                "\"quant_method\":\"compressed-tensors\",\"format\":\"int-quantized\",\"config_groups\":{\"a\":{\"weights\":{\"num_bits\":8}}}",
                "compressed-tensors' \"int-quantized\" with 8 bits");
        assertRefused("\"group_size\":128", "\"group_size\":0", "a group or block of 0");
    }

    @Test
    void tensorsThatDoNotFitAreNamed() throws IOException {
        assertRefused("\"group_size\":128", "\"group_size\":64",
                "self_attn.q_proj.qzeros has the shape [1, 16], not [2, 16].");
        assertRefused("\"quant_method\":\"awq\"", "\"quant_method\":\"gptq\"",
                "self_attn.q_proj.qweight has the shape [128, 16], not [16, 128].");
        assertRefused("\"quant_method\":\"awq\"", "\"quant_method\":\"fp8\"", "q_proj.weight is missing.");
        assertRefused("\"quantization_config\"", "\"other\"", "q_proj.weight is missing.");
    }

    @Test
    void modelOptKeepsItsOwnConfiguration() throws Exception {
        var written = PublishedQuantisation.of("fp8", 0, "F32").write(folder.resolve("c"), 6);
        Path config = written.folder().resolve("config.json");
        Files.writeString(config, Files.readString(config).replaceFirst(",\"quantization_config\".*", "}"));
        Files.writeString(written.folder().resolve("hf_quant_config.json"),
                "{\"producer\":{\"name\":\"modelopt\"},\"quantization\":{\"quant_algo\":\"FP8\",\"exclude_modules\":[\"lm_head\"]}}");
        assertThat(treatment(written.folder(), Precision.FP8))
                .isEqualTo("The FP8 values of 14 matrices are kept exactly.");
        assertThat(treatment(written.folder(), Precision.INT4))
                .isEqualTo("The FP8 values of 14 matrices are widened and quantised again to int4.");
    }

    @ParameterizedTest
    @CsvSource({"fp8, 0, weight_scale, FFFF", "fp8-square, 128, weight_scale_inv, 7FC0",
            "fp8-square, 128, weight_scale_inv, 7F80", "fp8-square, 128, weight_scale_inv, BF80"})
    void scalesThatAreNoNumbersAreRefused(String method, int group, String tensor, String bits) throws Exception {
        var written = PublishedQuantisation.of(method, group, "F32").write(folder.resolve("c"), 7);
        Path file = written.folder().resolve("model.safetensors");
        byte[] bytes = Files.readAllBytes(file);
        String header = new String(bytes, 8, 20_000, java.nio.charset.StandardCharsets.ISO_8859_1);
        int found = header.indexOf("q_proj.weight_scale");
        int at = Integer.parseInt(header.substring(header.indexOf("offsets\":[", found) + 10).split(",", 2)[0]);
        int data = bytes.length - (int) Files.size(file) + 8
                + (int) java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong();
        int upper = Integer.parseInt(bits, 16);
        bytes[data + at + 3] = (byte) (upper >> 8);
        bytes[data + at + 2] = (byte) upper;
        Files.write(file, bytes);
        assertThatThrownBy(() -> Checkpoint.open(written.folder()))
                .hasMessageContaining("q_proj." + tensor + " has a scale that is negative or not finite.");
    }
}
