package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.engine.checkpoint.KeptValues.assertComputes;
import static org.inferometer.engine.checkpoint.KeptValues.assertSameValues;
import static org.inferometer.engine.checkpoint.KeptValues.treatment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineInspection.TensorView;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.ModelWeights.FeedForward;
import org.inferometer.engine.ModelWeights.LayerWeights;
import org.inferometer.engine.ModelWeights.Linear;
import org.inferometer.engine.Precision;
import org.inferometer.engine.TensorStatistics;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.checkpoint.PublishedCheckpoint.Tensor;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.steps.HostRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checkpoints with act-order, written from the published layouts of GPTQ and compressed-tensors.
class ActOrderCheckpointTest {
    private static final int HIDDEN = PublishedQuantisation.SIZES.hidden();
    private static final int INTERMEDIATE = PublishedQuantisation.SIZES.intermediate();

    @TempDir
    Path folder;

    private PublishedQuantisation.Written written(String method, int group) throws IOException {
        return PublishedQuantisation.of(method, group, "F16").write(folder.resolve("c"), 3);
    }

    private Engine built(PublishedQuantisation.Written written, Precision precision) throws EngineFormatException {
        return KeptValues.built(folder.resolve("engines"), written.folder(), precision);
    }

    /// The inputs group by group.
    private static int[] sorted(String method, int group, int columns) {
        int[] groupOf = PublishedQuantisation.of(method, group, "F16").groupOf("", columns);
        return IntStream.range(0, columns).boxed().sorted(Comparator.comparingInt(column -> groupOf[column]))
                .mapToInt(Integer::intValue).toArray();
    }

    private static int[] own(int count) {
        return IntStream.range(0, count).toArray();
    }

    private static Tensor reordered(Tensor tensor, int[] rows, int[] columns) {
        double[] values = new double[tensor.values().length];
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < columns.length; column++) {
                values[row * columns.length + column] = tensor.at(rows[row], columns[column]);
            }
        }
        return new Tensor(tensor.shape(), values);
    }

    @ParameterizedTest
    @CsvSource({"gptq-order, 32, GPTQ", "gptq-order, 64, GPTQ", "packed-order, 32, compressed-tensors INT4"})
    void valuesAreKeptExactlyInTheOrderOfTheirGroups(String method, int group, String named) throws Exception {
        var written = written(method, group);
        assertThat(treatment(written.folder(), Precision.INT4))
                .isEqualTo("The " + named + " values of 14 matrices are kept exactly in groups of " + group
                        + " inputs. Inputs are sorted by group (act-order).");
        int[] hidden = sorted(method, group, HIDDEN);
        int[] intermediate = sorted(method, group, INTERMEDIATE);
        try (Engine engine = built(written, Precision.INT4)) {
            assertThat(engine.descriptor().formatVersion()).isEqualTo(2);
            assertThat(engine.descriptor().formats())
                    .isEqualTo(new WeightFormats(Precision.INT4, Precision.BF16, group).withActOrder());
            for (int index = 0; index < 2; index++) {
                LayerWeights layer = engine.weights().layers().get(index);
                FeedForward.SwiGlu mlp = (FeedForward.SwiGlu) layer.feedForward();
                Layer of = new Layer(written.values(), "model.layers." + index + ".");
                of.assertKept("self_attn.q_proj", layer.query(), own(HIDDEN), hidden);
                of.assertKept("self_attn.k_proj", layer.key(), own(HIDDEN / 2), hidden);
                of.assertKept("self_attn.v_proj", layer.value(), own(HIDDEN / 2), hidden);
                of.assertKept("self_attn.o_proj", layer.output(), own(HIDDEN), hidden);
                of.assertKept("mlp.gate_proj", mlp.gate(), intermediate, hidden);
                of.assertKept("mlp.up_proj", mlp.up(), intermediate, hidden);
                assertSameValues(mlp.down().weight(), reordered(of.tensor("mlp.down_proj"), own(HIDDEN), intermediate));
                assertThat(mlp.down().order()).isEmpty();
            }
            assertComputes(engine, written.values(), 1e-3);
            assertThat(ReferenceContinuation.of(engine, KeptValues.PROMPT, KeptValues.CONTINUED).tokens())
                    .isEqualTo(new PublishedFormulas(written.values()).greedy(KeptValues.PROMPT, KeptValues.CONTINUED));
        }
    }

    private record Layer(PublishedCheckpoint values, String prefix) {
        Tensor tensor(String name) {
            return values.tensors().get(prefix + name + ".weight");
        }

        void assertKept(String name, Linear linear, int[] rows, int[] columns) {
            assertThat(linear.order()).as(name).isEqualTo(columns);
            assertSameValues(linear.weight(), reordered(tensor(name), rows, columns));
        }
    }

    /// Groups of 128 are whole rows of all but the down projections, whose order gate and up take up.
    @Test
    void anOrderThatRowsTakeUpIsNotStored() throws Exception {
        var written = written("gptq-order", 128);
        assertThat(treatment(written.folder(), Precision.INT4))
                .isEqualTo("The GPTQ values of 14 matrices are kept exactly. Inputs are sorted by group (act-order).");
        try (Engine engine = built(written, Precision.INT4)) {
            assertThat(engine.descriptor().formatVersion()).isEqualTo(1);
            assertThat(engine.descriptor().formats()).isEqualTo(new WeightFormats(Precision.INT4, Precision.BF16));
            assertThat(engine.weights().hasOrders()).isFalse();
            assertComputes(engine, written.values(), 1e-3);
        }
    }

    @ParameterizedTest
    @CsvSource({"FP32, 0.001", "INT8, 0.05"})
    void theHostBackendComputesThePublishedFormulas(HostOptions.Activations activations, double most) throws Exception {
        var written = written("gptq-order", 32);
        double[] expected = new PublishedFormulas(written.values()).logits(KeptValues.PROMPT);
        double largest = IntStream.range(0, expected.length).mapToDouble(i -> Math.abs(expected[i])).max().orElse(0);
        try (Engine engine = built(written, Precision.INT4);
                HostRun run = new HostRun(new RandomModel(engine.descriptor().shape(), engine.weights()),
                        HostRun.options(2, 1, 16, HostOptions.KvDtype.FP32, activations))) {
            for (int chunk : new int[]{1, 5}) {
                float[] logits = run.feed(chunk, KeptValues.PROMPT, chunk).getLast();
                for (int i = 0; i < expected.length; i++) {
                    assertThat((double) logits[i]).as("logit %d", i).isCloseTo(expected[i],
                            Offset.offset(most * largest));
                }
            }
        }
    }

    @Test
    void otherPrecisionsHaveTheirInputsInTheirOwnOrder() throws Exception {
        var written = written("gptq-order", 32);
        try (Engine engine = built(written, Precision.BF16)) {
            assertThat(engine.descriptor().formatVersion()).isEqualTo(1);
            assertThat(engine.weights().hasOrders()).isFalse();
            assertComputes(engine, written.values(), 1e-2);
        }
    }

    @Test
    void aMatrixWithAnotherOrderThanItsNeighboursIsQuantisedAgain() throws Exception {
        var written = written("gptq-mixed", 32);
        assertThat(treatment(written.folder(), Precision.INT4)).isEqualTo("The GPTQ values of 14 matrices: 12 are kept "
                + "exactly in groups of 32 inputs, 2 quantised again (their act-order is not that of all projections "
                + "with these inputs). Inputs are sorted by group (act-order).");
        try (Engine engine = built(written, Precision.INT4)) {
            Layer of = new Layer(written.values(), "model.layers.0.");
            int[] hidden = sorted("gptq-mixed", 32, HIDDEN);
            Linear key = engine.weights().layers().getFirst().key();
            of.assertKept("self_attn.q_proj", engine.weights().layers().getFirst().query(), own(HIDDEN), hidden);
            float[] row = new float[HIDDEN];
            key.weight().row(5, row, 0);
            Tensor wanted = reordered(of.tensor("self_attn.k_proj"), own(HIDDEN / 2), hidden);
            for (int column = 0; column < HIDDEN; column++) {
                assertThat((double) row[column]).isCloseTo(wanted.at(5, column), Offset.offset(0.03));
            }
        }
    }

    @Test
    void groupsOfUnequalSizesAreQuantisedAgain() throws Exception {
        var written = written("gptq-uneven", 32);
        assertThat(treatment(written.folder(), Precision.INT4))
                .isEqualTo("The GPTQ values of 14 matrices are quantised "
                        + "again: their act-order has groups of unequal sizes.");
        try (Engine engine = built(written, Precision.INT4)) {
            assertThat(engine.weights().hasOrders()).isFalse();
            assertComputes(engine, written.values(), 0.8);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, has the group -1 of 4.", "4, has the group 4 of 4.", "2147483647, has the group 2147483647 of 4."})
    void groupsThatAreNotThereAreRefused(int group, String sentence) throws Exception {
        var written = written("gptq-order", 32);
        overwrite(written.folder().resolve("model.safetensors"), "model.layers.1.self_attn.o_proj.g_idx", 5, group);
        assertThatThrownBy(() -> Checkpoint.open(written.folder())).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining("model.layers.1.self_attn.o_proj.g_idx " + sentence);
    }

    @ParameterizedTest
    @CsvSource({"-1, it has the input -1 at 5.", "128, it has the input 128 at 5.",
            "-2147483648, it has the input -2147483648 at 5.", "first, and before."})
    void anOrderThatIsNoPermutationIsRefused(String input, String sentence) throws Exception {
        Engine engine = built(written("gptq-order", 32), Precision.INT4);
        int first = engine.weights().layers().get(1).output().order()[0];
        engine.close();
        overwrite(engine.folder().resolve("weights.safetensors"), "layers.1.attn.o.input_order", 5,
                input.equals("first") ? first : Integer.parseInt(input));
        assertThatThrownBy(() -> Engine.open(engine.folder())).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining("Tensor layers.1.attn.o.input_order is no order of 128 inputs: it has the input ")
                .hasMessageContaining(sentence);
        Path json = engine.folder().resolve("engine.json");
        EngineVerifier.Verification found = EngineVerifier.verify(engine.folder(), done -> {});
        Files.writeString(json, Files.readString(json).replace(found.expectedSha256(), found.actualSha256()));
        assertThatThrownBy(() -> EngineVerifier.verify(engine.folder(), done -> {}))
                .hasMessageContaining("layers.1.attn.o.input_order is no order");
    }

    @Test
    void anInspectionNamesTheOrders() throws Exception {
        try (Engine engine = built(written("gptq-order", 32), Precision.INT4)) {
            EngineInspection inspection = EngineInspection.of(engine);
            assertThat(inspection.layout())
                    .contains(" Inputs are sorted by group (act-order); w[i] meets input order[i].");
            assertThat(inspection.tensors().stream().filter(view -> view.name().startsWith("layers.1."))
                    .filter(view -> view.name().endsWith("input_order")).map(TensorView::meaning))
                    .containsExactlyInAnyOrder("order of the inputs of the query, key and value projections of layer 1",
                            "order of the inputs of the attention output projection of layer 1",
                            "order of the inputs of the feed-forward gate and up projections of layer 1");
            TensorStatistics places = TensorStatistics.of(engine, "layers.1.ffn.input_order").orElseThrow();
            assertThat(List.of(places.count(), (long) places.min(), (long) places.max())).containsExactly(128L, 0L,
                    127L);
        }
    }

    /// Overwrites one number of a tensor of 32-bit numbers.
    private static void overwrite(Path file, String tensor, int index, int number) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int header = (int) buffer.getLong(0);
        String text = new String(bytes, 8, header, StandardCharsets.UTF_8);
        int found = text.indexOf("\"" + tensor + "\"");
        assertThat(found).isPositive();
        String offsets = text.substring(text.indexOf("data_offsets", found));
        int begin = Integer.parseInt(offsets.replaceFirst("(?s)^data_offsets\"\\s*:\\s*\\[\\s*(\\d+).*", "$1"));
        buffer.putInt(8 + header + begin + 4 * index, number);
        Files.write(file, bytes);
    }
}
