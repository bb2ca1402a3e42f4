package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.quantising.EngineKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// GGUF files in Q4_0 become INT4 engines in groups of 32 without being quantised again.
class GgufInt4Test {
    private static final Predicate<String> PROJECTIONS = name -> name.startsWith("blk.");

    @TempDir
    Path folder;

    private PublishedBlocks written;

    @BeforeEach
    void write() throws IOException {
        written = PublishedBlocks.write(folder.resolve("m.gguf"), PublishedBlocks.Format.Q4_0, PROJECTIONS, 3);
    }

    private Engine built(Precision precision) throws EngineFormatException {
        return KeptValues.built(folder, written.file(), precision);
    }

    private String treatment(Precision precision) throws EngineFormatException {
        return KeptValues.treatment(written.file(), precision);
    }

    /// Scales are magnitudes; a negative one mirrors its codes.
    private void assertSameCodes(WeightMatrix matrix, String name) {
        PublishedBlocks.Blocks blocks = written.blocks().get(name);
        WeightMatrix.Int4 int4 = (WeightMatrix.Int4) matrix;
        int[][] codes = new int[int4.rows()][int4.columns()];
        short[][] scales = new short[int4.rows()][int4.groups()];
        for (int row = 0; row < int4.rows(); row++) {
            for (int group = 0; group < int4.groups(); group++) {
                boolean mirrored = blocks.scales()[row][group] < 0;
                short size = Float.floatToFloat16(int4.scale(row, group));
                scales[row][group] = (short) (mirrored ? size | 0x8000 : size);
                assertThat(int4.zero(row, group)).isEqualTo(mirrored ? 7 : 8);
                for (int column = 32 * group; column < 32 * group + 32; column++) {
                    long pair = (long) row * int4.rowBytes() + column / 2;
                    int code = int4.nibbles().get(ValueLayout.JAVA_BYTE, pair) >> (4 * (column % 2)) & 15;
                    codes[row][column] = mirrored ? 15 - code : code;
                }
            }
        }
        assertThat(scales).as(name).isDeepEqualTo(blocks.scales());
        assertThat(codes).as(name).isDeepEqualTo(blocks.codes());
        KeptValues.assertSameValues(matrix, written.values().tensors().get(name));
    }

    private void assertSameProjections(ModelWeights weights) {
        for (int layer = 0; layer < 2; layer++) {
            String at = "model.layers." + layer + ".";
            ModelWeights.LayerWeights found = weights.layers().get(layer);
            assertSameCodes(found.query().weight(), at + "self_attn.q_proj.weight");
            assertSameCodes(found.key().weight(), at + "self_attn.k_proj.weight");
            assertSameCodes(found.value().weight(), at + "self_attn.v_proj.weight");
            assertSameCodes(found.output().weight(), at + "self_attn.o_proj.weight");
            ModelWeights.FeedForward.SwiGlu mlp = (ModelWeights.FeedForward.SwiGlu) found.feedForward();
            assertSameCodes(mlp.gate().weight(), at + "mlp.gate_proj.weight");
            assertSameCodes(mlp.up().weight(), at + "mlp.up_proj.weight");
            assertSameCodes(mlp.down().weight(), at + "mlp.down_proj.weight");
        }
    }

    @Test
    void q4ProjectionsAreKeptExactly() throws Exception {
        assertThat(treatment(Precision.INT4))
                .isEqualTo("Tensors: 2 in F16, 5 in F32, 14 in Q4_0. All projections are kept "
                        + "exactly, in groups of 32 inputs. Embedding and output head are widened exactly, then rounded to bf16.");
        try (Engine engine = built(Precision.INT4)) {
            assertThat(engine.descriptor().formats()).isEqualTo(new WeightFormats(Precision.INT4, Precision.BF16, 32));
            assertSameProjections(engine.weights());
            KeptValues.assertComputes(engine, written.values(), 1e-3);
            assertThat(ReferenceContinuation.of(engine, KeptValues.PROMPT, KeptValues.CONTINUED).tokens())
                    .isEqualTo(new PublishedFormulas(written.values()).greedy(KeptValues.PROMPT, KeptValues.CONTINUED));
            assertThat(EngineInspection.of(engine).layout()).contains("in groups of 32 inputs").contains("4.75 bits");
        }
    }

    @Test
    void q4TablesAreKeptTooIfAllAreQ4() throws Exception {
        written = PublishedBlocks.write(folder.resolve("m.gguf"), PublishedBlocks.Format.Q4_0, name -> true, 4);
        assertThat(treatment(Precision.INT4)).endsWith(" Embedding and output head are kept too.");
        try (Engine engine = built(Precision.INT4)) {
            assertThat(engine.descriptor().formats()).isEqualTo(new WeightFormats(Precision.INT4, Precision.INT4, 32));
            assertSameProjections(engine.weights());
            assertSameCodes(engine.weights().embedding(), "model.embed_tokens.weight");
            assertSameCodes(engine.weights().head(), "lm_head.weight");
        }
    }

    @Test
    void otherProjectionsAreQuantisedInGroupsOf32() throws Exception {
        written = PublishedBlocks.write(folder.resolve("m.gguf"), PublishedBlocks.Format.Q4_0,
                name -> PROJECTIONS.test(name) && !name.endsWith("ffn_down.weight"), 5);
        assertThat(treatment(Precision.INT4)).contains("12 of 14 projections are kept exactly, in groups of 32 inputs; "
                + "the others are widened exactly, then quantised to int4.");
        try (Engine engine = built(Precision.INT4)) {
            ModelWeights.LayerWeights layer = engine.weights().layers().getFirst();
            assertSameCodes(layer.query().weight(), "model.layers.0.self_attn.q_proj.weight");
            ModelWeights.FeedForward.SwiGlu mlp = (ModelWeights.FeedForward.SwiGlu) layer.feedForward();
            assertThat(((WeightMatrix.Int4) mlp.down().weight()).groups()).isEqualTo(8);
            KeptValues.assertComputes(engine, written.values(), 0.8);
        }
    }

    @Test
    void otherPrecisionsAndAwqWidenTheValues() throws Exception {
        assertThat(treatment(Precision.BF16)).endsWith("They are widened exactly, then rounded to bf16.");
        try (Checkpoint opened = Checkpoint.open(written.file())) {
            assertThat(opened.ownPrecision()).isEqualTo(Precision.INT4);
            WeightFormats awq = EngineKind.INT4_AWQ.material(opened, "m").formats();
            assertThat(opened.treatment(awq).orElseThrow())
                    .endsWith("They are widened exactly, then quantised to int4.");
        }
        try (Engine engine = built(Precision.BF16)) {
            KeptValues.assertComputes(engine, written.values(), 1e-2);
        }
    }

    @Test
    void scalesThatAreNoNumbersAreRefused() throws Exception {
        written = PublishedBlocks.write(folder.resolve("m.gguf"), PublishedBlocks.Format.Q4_0, name -> true, 6);
        byte[] bytes = Files.readAllBytes(written.file());
        // The last tensor's last block.
        bytes[bytes.length - 18] = 0;
        bytes[bytes.length - 17] = (byte) 0xFC;
        Files.write(written.file(), bytes);
        assertThatThrownBy(() -> built(Precision.INT4)).hasMessageContaining("a scale of Q4_0 is not finite");
    }
}
