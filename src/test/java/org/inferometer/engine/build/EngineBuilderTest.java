package org.inferometer.engine.build;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.Shapes;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineBuilderTest {
    private static final FreeSpace PLENTY = folder -> Long.MAX_VALUE;

    @TempDir
    Path engines;

    private List<String> files() throws Exception {
        try (Stream<Path> all = Files.walk(engines)) {
            return all.filter(file -> !file.equals(engines)).map(file -> engines.relativize(file).toString()).sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void theBytesDependNeitherOnTheRunNorOnTheThreads(Precision precision) throws Exception {
        for (ModelShape shape : new ModelShape[]{Shapes.llama(), Shapes.gpt2()}) {
            Path folder = engines.resolve(shape.family().id());
            EngineEntry entry = Shapes.entry(folder, shape, precision);
            EngineDescriptor first = new EngineBuilder(PLENTY, 1).build(entry, done -> {});
            byte[] bytes = Files.readAllBytes(folder.resolve("weights.safetensors"));
            EngineDescriptor second = new EngineBuilder(PLENTY, 5).build(entry, done -> {});
            assertThat(second).isEqualTo(first);
            assertThat(Files.readAllBytes(folder.resolve("weights.safetensors"))).isEqualTo(bytes);
            assertThat(bytes).hasSize((int) diskBytes(entry));
            assertThat(EngineVerifier.verify(folder, done -> {}).intact()).isTrue();
        }
    }

    @Test
    void anotherSeedGivesOtherBytes() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        EngineDescriptor first = new EngineBuilder().build(entry, done -> {});
        Recipe other = new Recipe("toy", Shapes.llama(), Precision.FP8, 43);
        EngineDescriptor second = new EngineBuilder()
                .build(new EngineEntry("toy", entry.folder(), other, entry.state(), null, ""), done -> {});
        assertThat(second.weightsSha256()).isNotEqualTo(first.weightsSha256());
        assertThat(second.origin().syntheticSeed()).isEqualTo(43);
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void theTinyRecipesBuild(Precision precision) throws Exception {
        EngineEntry shipped = new EngineCatalog(Path.of("engines")).find("tiny-" + precision.id());
        EngineEntry entry =
                new EngineEntry(shipped.name(), engines.resolve("tiny"), shipped.recipe(), shipped.state(), null, "");
        List<Double> progress = new ArrayList<>();
        EngineDescriptor built = new EngineBuilder().build(entry, progress::add);
        assertThat(built.parameters()).isEqualTo(15_341_056);
        assertThat(progress).isSorted().last().isEqualTo(1.0);
        assertThat(progress).hasSizeGreaterThan(20);
        try (Engine engine = Engine.open(entry.folder())) {
            assertThat(engine.descriptor()).isEqualTo(built);
        }
        assertThat(files()).containsExactly("tiny", "tiny/engine.json", "tiny/weights.safetensors");
    }

    @Test
    void buildingAgainRemovesWhatWasDerivedFromTheOldWeights() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.INT4);
        new EngineBuilder().build(entry, done -> {});
        try (Engine engine = Engine.open(entry.folder())) {
            Files.writeString(engine.packedFile("host"), "packed");
        }
        assertThat(files()).containsExactly("toy", "toy/engine.json", "toy/host.pack", "toy/weights.safetensors");
        assertThat(EngineVerifier.verify(entry.folder(), done -> {}).intact()).isTrue();
        assertThat(new EngineCatalog(engines).find("toy").problem()).isEmpty();
        new EngineBuilder().build(entry, done -> {});
        assertThat(files()).containsExactly("toy", "toy/engine.json", "toy/weights.safetensors");
    }

    /// The steps of a replacement, of which a kill leaves the first few.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aKilledReplacementIsEndedByTheNextLook(int steps) throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.INT4);
        new EngineBuilder().build(entry, done -> {});
        EngineEntry other = new EngineEntry("toy", engines.resolve("other/toy"),
                new Recipe("toy", Shapes.llama(), Precision.INT4, 43), entry.state(), null, "");
        EngineDescriptor fresh = new EngineBuilder().build(other, done -> {});
        Path build = Files.move(other.folder(), engines.resolve(".building-toy"));
        Files.delete(engines.resolve("other"));
        Files.writeString(build.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        Files.createFile(build.resolve("lock"));
        Files.writeString(build.resolve("chat.json"), "{}");
        Files.writeString(entry.folder().resolve("host.pack"), "packed");
        Files.writeString(entry.folder().resolve("chat.json"), "old");
        List<Step> all = List.of(() -> Files.delete(entry.folder().resolve("engine.json")),
                () -> Files.delete(entry.folder().resolve("host.pack")),
                () -> Files.delete(entry.folder().resolve("chat.json")),
                () -> Files.move(build.resolve("weights.safetensors"), entry.folder().resolve("weights.safetensors"),
                        StandardCopyOption.REPLACE_EXISTING),
                () -> Files.move(build.resolve("chat.json"), entry.folder().resolve("chat.json")));
        for (Step step : all.subList(0, steps)) {
            step.take();
        }
        assertThat(new EngineCatalog(engines).find("toy").builtDescriptor()).isEqualTo(fresh);
        assertThat(EngineVerifier.verify(entry.folder(), done -> {}).intact()).isTrue();
        assertThat(entry.folder().resolve("chat.json")).hasContent("{}");
        assertThat(files()).containsExactly("toy", "toy/chat.json", "toy/engine.json", "toy/weights.safetensors");
    }

    private interface Step {
        void take() throws IOException;
    }

    @Test
    void anUnfinishedBuildReplacesNothing() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.INT4);
        new EngineBuilder().build(entry, done -> {});
        Path build = engines.resolve(".building-toy");
        Files.move(entry.folder(), build);
        Files.writeString(build.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        Files.createFile(build.resolve("lock"));
        Files.writeString(build.resolve("weights.safetensors"), "half");
        Files.createDirectory(entry.folder());
        Files.writeString(entry.folder().resolve("weights.safetensors"), "old");
        List<String> before = files();
        assertThat(new EngineCatalog(engines).find("toy").builtDescriptor()).isNull();
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aDiskWithoutRoomIsToldBeforeAnythingIsWritten() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        long needed = diskBytes(entry);
        EngineBuilder builder = new EngineBuilder(folder -> needed, 1);
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> builder.build(entry, done -> {}))
                .withMessageContaining("toy needs ").withMessageContaining("the disk has ");
        assertThat(files()).isEmpty();
    }

    @Test
    void aFailingListenerLeavesNothing() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> new EngineBuilder().build(entry, done -> {
                    throw new IllegalStateException();
                }));
        assertThat(files()).isEmpty();
    }

    @Test
    void leftoversOfAKilledBuildAreReplaced() throws Exception {
        Path leftover = Files.createDirectories(engines.resolve(".building-toy"));
        Files.writeString(leftover.resolve("weights.safetensors"), "half");
        Files.writeString(leftover.resolve("lock"), "");
        Files.writeString(leftover.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        new EngineBuilder().build(Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8), done -> {});
        assertThat(files()).containsExactly("toy", "toy/engine.json", "toy/weights.safetensors");
    }

    @Test
    void twoBuildsOfOneEngineDoNotMix() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        List<String> second = new ArrayList<>();
        new EngineBuilder().build(entry, done -> {
            if (second.isEmpty()) {
                try {
                    new EngineBuilder().build(entry, nested -> {});
                } catch (EngineFormatException refused) {
                    second.add(refused.getMessage());
                }
            }
        });
        assertThat(second).singleElement().asString().contains("Another build of this engine is running");
        Engine.open(entry.folder()).close();
    }

    @Test
    void aFolderThatCannotBeWrittenIsToldInOneSentence() throws Exception {
        Files.writeString(engines.resolve("toy"), "a file");
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        assertThatExceptionOfType(EngineFormatException.class)
                .isThrownBy(() -> new EngineBuilder().build(entry, done -> {}))
                .withMessageContaining("could not be written");
        EngineEntry noRecipe = new EngineEntry("x", engines.resolve("x"), null, EngineEntry.State.DAMAGED, null, "");
        assertThatExceptionOfType(EngineFormatException.class)
                .isThrownBy(() -> new EngineBuilder().build(noRecipe, done -> {}))
                .withMessageContaining("no usable recipe");
    }

    @Test
    void anOpenEngineOutlivesItsReplacement() throws Exception {
        EngineEntry entry = Shapes.entry(engines.resolve("toy"), Shapes.llama(), Precision.FP8);
        new EngineBuilder().build(entry, done -> {});
        float[] before = new float[130];
        float[] after = new float[130];
        try (Engine engine = Engine.open(entry.folder())) {
            engine.weights().embedding().row(0, before, 0);
            Recipe other = new Recipe("toy", Shapes.llama(), Precision.FP8, 43);
            new EngineBuilder().build(new EngineEntry("toy", entry.folder(), other, entry.state(), null, ""),
                    done -> {});
            engine.weights().embedding().row(0, after, 0);
        }
        assertThat(after).isEqualTo(before);
    }

    private static long diskBytes(EngineEntry entry) {
        Recipe recipe = Objects.requireNonNull(entry.recipe());
        return new EngineBuilder().diskBytes(recipe.shape(), WeightFormats.all(recipe.precision()));
    }
}
