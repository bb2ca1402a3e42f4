package org.inferometer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.EngineInspection.TensorView;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.engine.safetensors.TensorSpec;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineInspectionTest {
    @TempDir
    Path engines;

    private Recipe shipped(String name) throws Exception {
        Recipe recipe = new EngineCatalog(Path.of("engines")).find(name).recipe();
        assertThat(recipe).isNotNull();
        return recipe;
    }

    @Test
    void anInspectionTellsSizesAndOrigin() throws Exception {
        EngineInspection inspection = shipped("llama-3.1-8b-int4").inspection();
        assertThat(inspection.origin()).isEqualTo("synthetic weights (seed 42)");
        assertThat(inspection.bitsPerWeight()).isCloseTo(4.19, within(0.005));
        assertThat(inspection.memory().kvBytesPerToken(2)).isEqualTo(131_072);
        // All but the embedding table, 128256 × 4096 weights.
        assertThat(inspection.memory().weightBytesPerDecodeStep() * 8 / 4.19).isCloseTo(7_504_924_672.0, within(8e6));
        assertThat(shipped("smollm-135m-fp8").inspection().bitsPerWeight()).isBetween(8.0, 8.1);
        assertThat(shipped("smollm-135m-bf16").inspection().bitsPerWeight()).isBetween(16.0, 16.02);
    }

    @Test
    void everyTensorHasAMeaning() throws Exception {
        for (ModelShape shape : new ModelShape[]{Shapes.llama(), Shapes.qwen2(), Shapes.qwen3(), Shapes.gpt2()}) {
            for (Precision precision : Precision.values()) {
                EngineInspection inspection = new Recipe("toy", shape, precision, 1).inspection();
                assertThat(inspection.tensors())
                        .allSatisfy(tensor -> assertThat(tensor.meaning()).contains(" ").doesNotContain("."));
                assertThat(inspection.tensors()).extracting(TensorView::meaning).doesNotHaveDuplicates();
            }
        }
        EngineInspection inspection = new Recipe("toy", Shapes.llama(), Precision.INT4, 1).inspection();
        assertThat(inspection.tensors().stream().filter(tensor -> tensor.weight().equals("layers.1.attn.q.weight"))
                .map(TensorView::meaning)).containsExactlyInAnyOrder(
                        "query projection of layer 1: two 4-bit values per byte, the even input in the low half",
                        "query projection of layer 1: scale of each group of 128 inputs",
                        "query projection of layer 1: zero point of each group, 0 to 15");
    }

    @Test
    void theInspectionOfAnEngineIsThatOfItsFile() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.gpt2(), Precision.INT4);
        new EngineBuilder().build(entry, done -> {});
        try (Engine engine = Engine.open(entry.folder())) {
            EngineInspection inspection = EngineInspection.of(engine);
            assertThat(inspection).isEqualTo(entry.recipe().inspection());
            List<TensorEntry> views = inspection.tensors().stream()
                    .map(view -> new TensorEntry(new TensorSpec(view.name(), view.dtype(), view.shape()), view.offset(),
                            view.offset() + view.bytes()))
                    .toList();
            assertThat(views).isEqualTo(engine.file().entries());
            assertThat(inspection.memory().weightBytes()).isEqualTo(engine.descriptor().weightBytes());
        }
    }

    @Test
    void statisticsAreThoseOfTheWidenedValues() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.INT4);
        new EngineBuilder().build(entry, done -> {});
        try (Engine engine = Engine.open(entry.folder())) {
            TensorStatistics norm = TensorStatistics.of(engine, "final_norm.weight").orElseThrow();
            assertThat(norm.count()).isEqualTo(130);
            assertThat(norm.meanAbsolute()).isCloseTo(1, within(0.03));
            TensorStatistics query = TensorStatistics.of(engine, "layers.0.attn.q.weight").orElseThrow();
            assertThat(query.count()).isEqualTo(40 * 130);
            assertThat(query.standardDeviation()).isCloseTo(1 / Math.sqrt(130), within(0.005));
            assertThat(query.min()).isBetween(-0.41f, -0.25f);
            assertThat(query.bins()).hasSize(TensorStatistics.BINS).satisfies(
                    bins -> assertThat(bins.stream().mapToLong(Long::longValue).sum()).isEqualTo(query.count()));
            List<Float> values = new ArrayList<>();
            float[] row = new float[130];
            for (int index = 0; index < 40; index++) {
                engine.weights().layers().getFirst().query().weight().row(index, row, 0);
                for (float value : row) {
                    values.add(value);
                }
            }
            assertThat(query.zeros()).isPositive().isEqualTo(values.stream().filter(value -> value == 0).count());
            for (int bin = 0; bin < TensorStatistics.BINS; bin++) {
                double start = query.binStart(bin);
                double end = query.binStart(bin + 1);
                boolean last = bin == TensorStatistics.BINS - 1;
                assertThat(query.bins().get(bin)).as("from %s to %s", start, end)
                        .isEqualTo(values.stream().filter(value -> value >= start && (value < end || last)).count());
            }
            assertThat(TensorStatistics.of(engine, "nothing")).isEmpty();
        }
    }

    @Test
    void oneFlippedBitIsFound() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        EngineDescriptor built = new EngineBuilder().build(entry, done -> {});
        List<Double> progress = new ArrayList<>();
        assertThat(EngineVerifier.verify(entry.folder(), progress::add).intact()).isTrue();
        assertThat(progress).last().isEqualTo(1.0);
        try (RandomAccessFile file =
                new RandomAccessFile(entry.folder().resolve("weights.safetensors").toFile(), "rw")) {
            file.seek(built.weightBytes() - 1);
            int last = file.read();
            file.seek(built.weightBytes() - 1);
            file.write(last ^ 1);
        }
        EngineVerifier.Verification found = EngineVerifier.verify(entry.folder(), done -> {});
        assertThat(found.intact()).isFalse();
        assertThat(found.bytes()).isEqualTo(built.weightBytes());
    }
}
