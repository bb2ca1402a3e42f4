package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Damaged checkpoints are opened, or refused in one message; nothing else happens.
class CheckpointFuzzTest {
    private static final int TRIES = 400;
    private static final byte[][] PIECES = {"null".getBytes(StandardCharsets.UTF_8),
            "-1".getBytes(StandardCharsets.UTF_8), "1e308".getBytes(StandardCharsets.UTF_8),
            "99999999999999999999".getBytes(StandardCharsets.UTF_8), "[]".getBytes(StandardCharsets.UTF_8),
            "{}".getBytes(StandardCharsets.UTF_8), "\"\"".getBytes(StandardCharsets.UTF_8),
            "../".getBytes(StandardCharsets.UTF_8), {0}, {(byte) 0xFF, (byte) 0xFE}};

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"config.json", "model.safetensors.index.json", "model-00001-of-00002.safetensors"})
    void damagedFilesAreRefusedInOneMessage(String name) throws Exception {
        Path place =
                PublishedCheckpoint.of("qwen3", PublishedCheckpoint.SIZES, 3).write(folder.resolve("c"), "BF16", 2);
        damage(place, name, TRIES);
    }

    @ParameterizedTest
    @CsvSource({"awq, config.json", "awq, model.safetensors", "gptq-order, model.safetensors",
            "packed-zero, config.json", "packed-zero, model.safetensors", "fp8-block, config.json",
            "fp8-block, model.safetensors"})
    void damagedQuantisationIsRefusedInOneMessage(String method, String name) throws Exception {
        Path place = PublishedQuantisation.of(method, 64, "F16").write(folder.resolve("c"), 3).folder();
        damage(place, name, TRIES / 4);
    }

    private static void damage(Path place, String name, int tries) throws Exception {
        Path file = place.resolve(name);
        byte[] whole = Files.readAllBytes(file);
        // The header of the weights is what is read without looking at values.
        int looked = Math.min(whole.length, 6000);
        RandomGenerator random = new SplittableRandom(11);
        int refused = 0;
        for (int i = 0; i < tries; i++) {
            Files.write(file, damaged(whole, looked, random));
            try (Checkpoint opened = Checkpoint.open(place)) {
                assertThat(opened.shape().layers()).isPositive();
            } catch (EngineFormatException told) {
                assertThat(told.getMessage()).isNotBlank().hasSizeLessThan(3000);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(tries / 4);
    }

    private static byte[] damaged(byte[] whole, int looked, RandomGenerator random) {
        int at = random.nextInt(looked);
        int kind = random.nextInt(4);
        if (kind == 0) {
            return Arrays.copyOf(whole, at);
        }
        byte[] changed = whole.clone();
        if (kind == 1) {
            changed[at] = (byte) random.nextInt(256);
            return changed;
        }
        byte[] piece = PIECES[random.nextInt(PIECES.length)];
        if (kind == 2) {
            System.arraycopy(piece, 0, changed, at, Math.min(piece.length, changed.length - at));
            return changed;
        }
        byte[] longer = new byte[whole.length + piece.length];
        System.arraycopy(whole, 0, longer, 0, at);
        System.arraycopy(piece, 0, longer, at, piece.length);
        System.arraycopy(whole, at, longer, at + piece.length, whole.length - at);
        return longer;
    }
}
