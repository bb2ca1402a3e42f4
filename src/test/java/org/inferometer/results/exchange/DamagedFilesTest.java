package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Files that were cut off or changed in one place, imported whole: a result that can be opened, or one sentence and nothing left behind.
@Execution(ExecutionMode.CONCURRENT)
class DamagedFilesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T14:15:03Z");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PARTS = 30;
    private static final int FLIPS = 12;

    @TempDir
    Path folder = Path.of("");

    private int files;

    static Stream<String> samples() {
        return ForeignSamples.all().keySet().stream();
    }

    /// What came of it; empty where it was refused.
    private Optional<Importer.Imported> imported(String name, byte[] bytes) throws IOException {
        Path results = folder.resolve("results-" + files++);
        Files.write(folder.resolve(name), bytes);
        try {
            Importer.Imported imported = Assertions.assertTimeoutPreemptively(PATIENCE,
                    () -> new Importer(results).read(folder.resolve(name), Optional.empty(), NOW));
            assertThat(new ResultLibrary(results).open(imported.folder()).manifest().cells()).isNotEmpty();
            return Optional.of(imported);
        } catch (ResultFormatException refused) {
            assertThat(refused.getMessage()).doesNotContain("\n").hasSizeLessThan(700).contains(name);
            assertThat(results).doesNotExist();
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aFileThatIsCutOffIsRefusedOrSaysSo(String name) throws IOException {
        byte[] whole = ForeignSamples.all().get(name).strip().getBytes(StandardCharsets.UTF_8);
        for (int part = 1; part < PARTS; part++) {
            byte[] cut = Arrays.copyOf(whole, whole.length * part / PARTS);
            Optional<Importer.Imported> imported = imported(name, cut);
            // Where a line is whole, nobody can tell that more followed.
            if (imported.isPresent() && cut[cut.length - 1] != '\n') {
                assertThat(imported.get().notes()).as(name + " cut at " + part)
                        .anyMatch(note -> note.contains("may be incomplete"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void oneChangedBitGivesAResultOrASentence(String name) throws IOException {
        RandomGenerator random = new Seed(name.hashCode()).generator();
        for (int i = 0; i < FLIPS; i++) {
            byte[] bytes = ForeignSamples.all().get(name).getBytes(StandardCharsets.UTF_8);
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            imported(name, bytes);
        }
    }
}
