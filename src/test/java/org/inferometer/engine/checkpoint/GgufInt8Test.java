package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// GGUF files in Q8_0 become INT8 engines without being quantised again.
class GgufInt8Test {
    @TempDir
    Path folder;

    private PublishedBlocks written;

    @BeforeEach
    void write() throws IOException {
        written = write(name -> true, 3);
    }

    private PublishedBlocks write(java.util.function.Predicate<String> quantised, long seed) throws IOException {
        return PublishedBlocks.write(folder.resolve("m.gguf"), PublishedBlocks.Format.Q8_0, quantised, seed);
    }

    private void assertSameBlocks(WeightMatrix matrix, String name) {
        WeightMatrix.Int8 int8 = (WeightMatrix.Int8) matrix;
        int[][] codes = new int[int8.rows()][int8.columns()];
        short[][] scales = new short[int8.rows()][int8.groups()];
        for (int row = 0; row < int8.rows(); row++) {
            for (int column = 0; column < int8.columns(); column++) {
                codes[row][column] = int8.values().get(ValueLayout.JAVA_BYTE, (long) row * int8.columns() + column);
            }
            for (int group = 0; group < int8.groups(); group++) {
                scales[row][group] = int8.half(row, group);
            }
        }
        assertThat(codes).as(name).isDeepEqualTo(written.blocks().get(name).codes());
        assertThat(scales).as(name).isDeepEqualTo(written.blocks().get(name).scales());
        KeptValues.assertSameValues(matrix, written.values().tensors().get(name));
    }

    private void assertSameProjections(ModelWeights weights) {
        for (int layer = 0; layer < 2; layer++) {
            String at = "model.layers." + layer + ".";
            ModelWeights.LayerWeights found = weights.layers().get(layer);
            assertSameBlocks(found.query().weight(), at + "self_attn.q_proj.weight");
            assertSameBlocks(found.key().weight(), at + "self_attn.k_proj.weight");
            assertSameBlocks(found.value().weight(), at + "self_attn.v_proj.weight");
            assertSameBlocks(found.output().weight(), at + "self_attn.o_proj.weight");
            ModelWeights.FeedForward.SwiGlu mlp = (ModelWeights.FeedForward.SwiGlu) found.feedForward();
            assertSameBlocks(mlp.gate().weight(), at + "mlp.gate_proj.weight");
            assertSameBlocks(mlp.up().weight(), at + "mlp.up_proj.weight");
            assertSameBlocks(mlp.down().weight(), at + "mlp.down_proj.weight");
        }
    }

    @Test
    void blocksAreKeptBitForBit() throws Exception {
        assertThat(KeptValues.treatment(written.file(), Precision.INT8)).isEqualTo(
                "Tensors: 5 in F32, 16 in Q8_0. All projections are kept exactly, in groups of 32 inputs. Embedding "
                        + "and output head are kept too.");
        try (Engine engine = KeptValues.built(folder, written.file(), Precision.INT8)) {
            assertThat(engine.descriptor().formats()).isEqualTo(WeightFormats.all(Precision.INT8));
            assertSameProjections(engine.weights());
            assertSameBlocks(engine.weights().embedding(), "model.embed_tokens.weight");
            assertSameBlocks(engine.weights().head(), "lm_head.weight");
            KeptValues.assertComputes(engine, written.values(), 1e-3);
            assertThat(ReferenceContinuation.of(engine, KeptValues.PROMPT, KeptValues.CONTINUED).tokens())
                    .isEqualTo(new PublishedFormulas(written.values()).greedy(KeptValues.PROMPT, KeptValues.CONTINUED));
            assertThat(EngineInspection.of(engine).bitsPerWeight()).isBetween(8.5, 8.6);
        }
    }

    @Test
    void tablesInOtherFormatsBecomeBf16() throws Exception {
        written = write(name -> name.startsWith("blk.") && !name.endsWith("ffn_down.weight"), 5);
        assertThat(KeptValues.treatment(written.file(), Precision.INT8)).isEqualTo(
                "Tensors: 4 in F16, 5 in F32, 12 in Q8_0. 12 of 14 projections are kept exactly, in groups of 32 "
                        + "inputs; the others are widened exactly, then quantised to int8. Embedding and output head "
                        + "are widened exactly, then rounded to bf16.");
        try (Engine engine = KeptValues.built(folder, written.file(), Precision.INT8)) {
            assertThat(engine.descriptor().formats()).isEqualTo(new WeightFormats(Precision.INT8, Precision.BF16, 32));
            assertSameBlocks(engine.weights().layers().getFirst().query().weight(),
                    "model.layers.0.self_attn.q_proj.weight");
            KeptValues.assertComputes(engine, written.values(), 0.02);
        }
    }

    @Test
    void otherPrecisionsQuantiseAgain() throws Exception {
        assertThat(KeptValues.treatment(written.file(), Precision.INT4))
                .endsWith("They are widened exactly, then quantised to int4.");
        try (Engine engine = KeptValues.built(folder, written.file(), Precision.BF16)) {
            KeptValues.assertComputes(engine, written.values(), 2e-2);
        }
    }

    @Test
    void scalesThatAreNoNumbersAreRefused() throws Exception {
        byte[] bytes = Files.readAllBytes(written.file());
        // The last tensor's last block.
        bytes[bytes.length - 34] = 0;
        bytes[bytes.length - 33] = (byte) 0xFC;
        Files.write(written.file(), bytes);
        assertThatThrownBy(() -> KeptValues.built(folder, written.file(), Precision.INT8))
                .hasMessageContaining("a scale of Q8_0 is not finite");
    }
}
