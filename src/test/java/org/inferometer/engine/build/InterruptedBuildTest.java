package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.Shapes;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.build.WeightsPlan.Block;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.checkpoint.PublishedCheckpoint;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A build that was stopped goes on where it was, and its engine is the same.
@Execution(ExecutionMode.CONCURRENT)
class InterruptedBuildTest {
    private static final FreeSpace PLENTY = folder -> Long.MAX_VALUE;
    private static final ModelShape SHAPE = Shapes.llama();

    @TempDir
    Path engines;
    private final List<String> notes = new ArrayList<>();

    private static EngineMaterial material(Precision precision, long seed) {
        return new EngineMaterial("toy", SHAPE, WeightFormats.all(precision), new SyntheticWeights(SHAPE, seed),
                EngineText.BYTES, Map.of());
    }

    private void build(EngineMaterial material, DoubleConsumer progress) throws EngineFormatException {
        new EngineBuilder(PLENTY, 2, notes::add).build(engines.resolve("toy"), material, progress);
    }

    private void stop(EngineMaterial material, double at) {
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> build(material, done -> {
            if (done >= at) {
                Thread.currentThread().interrupt();
            }
        })).withMessageContaining("The build was interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    private Path staging() {
        return engines.resolve(".building-toy");
    }

    private Map<String, byte[]> content(Path folder) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return content;
    }

    /// The engine of a build that is not stopped, elsewhere.
    private Map<String, byte[]> whole(EngineMaterial material) throws Exception {
        Path folder = engines.resolve("whole/toy");
        new EngineBuilder().build(folder, material, done -> {});
        return content(folder);
    }

    private void assertSame(EngineMaterial material) throws Exception {
        Map<String, byte[]> whole = whole(material);
        Map<String, byte[]> built = content(engines.resolve("toy"));
        assertThat(built.keySet()).isEqualTo(whole.keySet());
        built.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(whole.get(name)));
        assertThat(EngineVerifier.verify(engines.resolve("toy"), done -> {}).intact()).isTrue();
        assertThat(staging()).doesNotExist();
    }

    @Test
    void aBlockCountsOnceItsLineIsWritten() throws Exception {
        try (BuildFolder aside = BuildFolder.claim(engines.resolve("toy"));
                BuildJournal journal = BuildJournal.open(aside, "key", List.of(10L, 20L), notes::add)) {
            journal.resume(block -> 0);
            journal.mark(1);
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(ClosedByInterruptException.class).isThrownBy(() -> journal.mark(2));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(journal.keptBytes()).isEqualTo(10).isEqualTo(BuildJournal.writtenBytes(aside.path()));
        }
    }

    @ParameterizedTest
    @CsvSource({"BF16, 0.1", "BF16, 0.5", "FP8, 0.3", "FP8, 0.95", "INT4, 0.1", "INT4, 0.3", "INT4, 0.6", "INT4, 0.89"})
    void interruptedBuildsGoOnToTheSameBytes(Precision precision, double at) throws Exception {
        EngineMaterial material = material(precision, 7);
        stop(material, at);
        assertThat(new EngineCatalog(engines).entries()).isEmpty();
        assertThat(content(staging())).containsOnlyKeys("journal", "lock", Leftovers.MARK, "weights.safetensors");
        List<Double> progress = new ArrayList<>();
        build(material, progress::add);
        assertThat(notes).singleElement().asString().startsWith("Continues an interrupted build: ");
        assertThat(progress).isSorted().first().satisfies(first -> assertThat(first).isGreaterThan(at - 0.01));
        assertSame(material);
    }

    @Test
    void aBuildCanBeStoppedAgainAndAgain() throws Exception {
        EngineMaterial material = material(Precision.INT4, 7);
        for (double at = 0.1; at < 1; at += 0.15) {
            stop(material, at);
        }
        build(material, done -> {});
        assertThat(notes).hasSize(6).allMatch(note -> note.startsWith("Continues an interrupted build: "));
        assertSame(material);
    }

    @Test
    void aKilledBuildGoesOnFromItsLastWholeBlock() throws Exception {
        EngineMaterial material = material(Precision.INT4, 7);
        stop(material, 0.5);
        Files.write(staging().resolve("weights.safetensors"), new byte[]{1, 2, 3}, StandardOpenOption.APPEND);
        Files.writeString(staging().resolve("journal"), "12345", StandardOpenOption.APPEND);
        Files.writeString(staging().resolve("tokenizer.json"), "of another time");
        build(material, done -> {});
        assertThat(notes).singleElement().asString().startsWith("Continues an interrupted build: ");
        assertSame(material);
    }

    private void damage(long position) throws IOException {
        Path weights = staging().resolve("weights.safetensors");
        byte[] bytes = Files.readAllBytes(weights);
        bytes[(int) position] ^= 16;
        Files.write(weights, bytes);
    }

    private static List<Block> blocks(EngineMaterial material) {
        return WeightsPlan.of(StoredTensor.of(SHAPE, material.formats())).blocks();
    }

    @Test
    void damagedRemainsAreBuiltAgain() throws Exception {
        EngineMaterial material = material(Precision.INT4, 7);
        stop(material, 0.7);
        List<Block> blocks = blocks(material);
        damage(blocks.get(blocks.size() / 2).begin(1));
        build(material, done -> {});
        assertThat(notes).singleElement().asString()
                .matches("The interrupted build is damaged after .* KiB; what follows is built again\\.");
        assertSame(material);
    }

    @Test
    void remainsWithADamagedBeginAreNotUsed() throws Exception {
        EngineMaterial material = material(Precision.FP8, 7);
        stop(material, 0.8);
        damage(blocks(material).getFirst().begin(0));
        build(material, done -> {});
        assertThat(notes).containsExactly("The interrupted build is damaged; this one starts from the beginning.");
        assertSame(material);
    }

    @Test
    void aDamagedHeaderIsWrittenAgain() throws Exception {
        EngineMaterial material = material(Precision.FP8, 7);
        stop(material, 0.8);
        damage(0);
        build(material, done -> {});
        assertThat(notes).singleElement().asString().startsWith("Continues an interrupted build: ");
        assertSame(material);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "12 00", "99999999999999999999 x"})
    void damagedJournalsAreNotUsed(String journal) throws Exception {
        EngineMaterial material = material(Precision.FP8, 7);
        stop(material, 0.8);
        Files.writeString(staging().resolve("journal"), journal);
        build(material, done -> {});
        assertSame(material);
    }

    @Test
    void otherWeightsAndFormatsStartAnew() throws Exception {
        for (EngineMaterial other : List.of(material(Precision.FP8, 8), material(Precision.INT4, 7))) {
            notes.clear();
            stop(material(Precision.FP8, 7), 0.8);
            build(other, done -> {});
            assertThat(notes).containsExactly(
                    "An interrupted build of other weights or settings was removed; this one starts from the beginning.");
            assertSame(other);
        }
    }

    @Test
    void aChangedCheckpointStartsAnew() throws Exception {
        Path place =
                PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1).write(engines.resolve("c"), "BF16", 1);
        Path file = place.resolve("model.safetensors");
        FileTime changed = Files.getLastModifiedTime(file);
        try (Checkpoint opened = Checkpoint.open(place)) {
            stop(opened.material("toy", Precision.INT4), 0.7);
        }
        PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 2).write(place, "BF16", 1);
        Files.setLastModifiedTime(file, changed);
        try (Checkpoint opened = Checkpoint.open(place)) {
            stop(opened.material("toy", Precision.INT4), 0.7);
            build(opened.material("toy", Precision.INT4), done -> {});
            assertThat(notes).hasSize(2).first().asString().startsWith("An interrupted build of other weights");
            assertThat(notes.getLast()).startsWith("Continues an interrupted build: ");
            assertSame(opened.material("toy", Precision.INT4));
        }
    }

    /// Its files cannot be read to their ends.
    private record Unreadable(WeightSource source) implements WeightSource {
        @Override
        public WeightOrigin origin() {
            return source.origin();
        }

        @Override
        public Optional<String> fingerprint() throws IOException {
            return source.fingerprint();
        }

        @Override
        public Optional<WeightSources> sources() throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void row(WeightSpec weight, int row, float[] destination) {
            source.row(weight, row, destination);
        }
    }

    @Test
    void aFaultOfTheDiskKeepsWhatIsWritten() throws Exception {
        EngineMaterial plain = material(Precision.INT4, 7);
        EngineMaterial failing = new EngineMaterial(plain.model(), SHAPE, plain.formats(),
                new Unreadable(plain.source()), plain.text(), plain.files());
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> build(failing, done -> {}))
                .withMessageContaining("(No space left on device); ")
                .withMessageContaining(" are kept in .building-toy.")
                .withMessageContaining("Build it again to go on, or delete them with");
        build(plain, done -> {});
        assertSame(plain);
    }

    @Test
    void onlyTheRestNeedsSpace() throws Exception {
        EngineMaterial material = material(Precision.INT4, 7);
        stop(material, 0.9);
        long whole = new EngineBuilder().diskBytes(SHAPE, material.formats());
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(
                () -> new EngineBuilder(folder -> 1 << 20, 2).build(engines.resolve("toy"), material, done -> {}))
                .withMessageContaining("toy needs ");
        new EngineBuilder(folder -> whole / 2 + (1 << 20), 2).build(engines.resolve("toy"), material, done -> {});
        assertSame(material);
    }

    @Test
    void remainsAreFoundAndCanBeDeleted() throws Exception {
        stop(material(Precision.INT4, 7), 0.5);
        assertThat(Leftovers.in(engines)).containsExactly(staging());
        Leftovers.delete(staging());
        build(material(Precision.INT4, 7), done -> {});
        assertThat(notes).isEmpty();
    }

    @Test
    void remainsThatAreLinksAreNotWrittenTo() throws Exception {
        EngineMaterial material = material(Precision.INT4, 7);
        stop(material, 0.5);
        Path mine = Files.writeString(engines.resolve("mine"), "mine");
        Files.delete(staging().resolve("weights.safetensors"));
        Files.createSymbolicLink(staging().resolve("weights.safetensors"), mine);
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> build(material, done -> {}));
        assertThat(Files.readString(mine, StandardCharsets.UTF_8)).isEqualTo("mine");
    }

    /// Each closing of a file drops all locks of the process on it.
    @Test
    @EnabledOnOs(OS.LINUX)
    void aLookAtARunningBuildLeavesItLocked() throws Exception {
        EngineMaterial material = material(Precision.INT4, 7);
        List<InterruptedBuild> seen = new ArrayList<>();
        AtomicBoolean locked = new AtomicBoolean(true);
        Path lock = staging().resolve(Leftovers.LOCK);
        build(material, done -> {
            try {
                if (done < 1) {
                    seen.addAll(InterruptedBuild.in(engines));
                    assertThatThrownBy(() -> Leftovers.delete(staging())).isInstanceOf(IOException.class);
                    locked.compareAndSet(true, isLocked(lock));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(seen).isEmpty();
        assertThat(locked).isTrue();
        assertSame(material);
    }

    private static boolean isLocked(Path file) throws IOException {
        String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
        return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(line -> line.contains(inode));
    }

    @Test
    void whatIsDeletedIsNotSaidToBeKept() throws Exception {
        EngineMaterial plain = material(Precision.INT4, 7);
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> build(plain, done -> {
            if (done > 0.5 && staging().toFile().renameTo(engines.resolve("moved").toFile())) {
                Thread.currentThread().interrupt();
            }
        })).withMessageContaining("its files were removed").withMessageNotContaining("kept");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aFolderThatLooksLikeABuildStays() throws Exception {
        Path diary = Files.createDirectories(staging()).resolve("journal");
        Files.writeString(diary, "mine");
        Files.createFile(staging().resolve("lock"));
        assertThatExceptionOfType(EngineFormatException.class)
                .isThrownBy(() -> build(material(Precision.INT4, 7), done -> {}))
                .withMessageContaining("did not make the folder");
        assertThat(diary).hasContent("mine");
    }

    @Test
    void aFolderRemovedWhileItIsClaimedIsMadeAgain() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread prune = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                try {
                    for (Path left : Leftovers.in(engines)) {
                        Leftovers.delete(left);
                    }
                } catch (IOException e) {
                    // The build holds it, or has deleted it itself.
                }
            }
        });
        try {
            for (int i = 0; i < 300; i++) {
                try {
                    BuildFolder.claim(engines.resolve("toy")).close();
                } catch (EngineFormatException e) {
                    // While the other thread deletes the folder, it holds the lock.
                    assertThat(e).hasMessageContaining("Another build of this engine is running.");
                }
            }
        } finally {
            done.set(true);
            prune.join();
        }
        assertThat(engines).isEmptyDirectory();
    }
}
