package org.inferometer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.engine.safetensors.SafetensorsLayout;
import org.inferometer.engine.safetensors.TensorSpec;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// No bytes whatever may do anything but open or be refused with one message.
class SafetensorsFuzzTest {
    private static final int MUTATIONS = 3_000;
    private static final String[] PIECES =
            {"{", "}", "[", "]", "\"", ",", ":", "-", "0", "9", "99999999999999999999", "1e999", "null", "\\u0000",
                    "\\ud800", "\"shape\"", "__metadata__", "\u00e9", "\0", "[".repeat(300), "9".repeat(2000)};

    @TempDir
    Path folder;

    private static byte[] valid() {
        SafetensorsLayout layout = SafetensorsLayout
                .of(List.of(new TensorSpec("layers.0.attn.q.weight", SafetensorsDtype.U8, List.of(4L, 3L)),
                        new TensorSpec("layers.0.attn.q.weight_scale", SafetensorsDtype.F16, List.of(4L, 1L)),
                        new TensorSpec("norm", SafetensorsDtype.F32, List.of(5L)),
                        new TensorSpec("none", SafetensorsDtype.F32, List.of(0L)),
                        new TensorSpec("scalar", SafetensorsDtype.F32, List.of())), Map.of("format", "pt"));
        return ByteBuffer.allocate((int) layout.fileBytes()).put(layout.prefix()).array();
    }

    private static byte[] mutated(byte[] valid, RandomGenerator random) {
        byte[] bytes = valid.clone();
        int changes = 1 + random.nextInt(4);
        for (int change = 0; change < changes; change++) {
            // Mostly in the header, where it matters.
            int at = random.nextInt(Math.max(1, random.nextInt(4) == 0 ? bytes.length : Math.min(bytes.length, 420)));
            bytes = switch (random.nextInt(6)) {
                case 0 -> flipped(bytes, at, random);
                case 1 -> Arrays.copyOf(bytes, Math.max(1, at));
                case 2 -> spliced(bytes, at, 0, PIECES[random.nextInt(PIECES.length)]);
                case 3 -> spliced(bytes, at, 1 + random.nextInt(8), "");
                case 4 -> spliced(bytes, at, 1, PIECES[random.nextInt(PIECES.length)]);
                default -> claimed(bytes, random);
            };
        }
        return random.nextBoolean() ? bytes : fitted(bytes, valid);
    }

    private static byte[] flipped(byte[] bytes, int at, RandomGenerator random) {
        if (bytes.length == 0) {
            return bytes;
        }
        bytes[Math.min(at, bytes.length - 1)] ^= (byte) (1 << random.nextInt(8));
        return bytes;
    }

    private static byte[] claimed(byte[] bytes, RandomGenerator random) {
        if (bytes.length >= 8) {
            long length = random.nextBoolean() ? random.nextLong() : random.nextInt(bytes.length + 8);
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
        }
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int at, int removed, String inserted) {
        byte[] piece = inserted.getBytes(StandardCharsets.UTF_8);
        int head = Math.min(at, bytes.length);
        byte[] tail = Arrays.copyOfRange(bytes, Math.min(bytes.length, at + removed), bytes.length);
        return ByteBuffer.allocate(head + piece.length + tail.length).put(bytes, 0, head).put(piece).put(tail).array();
    }

    /// Corrects the header length after a change of size, so that the change itself is judged.
    private static byte[] fitted(byte[] bytes, byte[] valid) {
        long length = ByteBuffer.wrap(valid).order(ByteOrder.LITTLE_ENDIAN).getLong() + bytes.length - valid.length;
        if (bytes.length >= 8 && length >= 0) {
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
        }
        return bytes;
    }

    @Test
    void mutatedFilesOpenOrAreRefused() throws Exception {
        byte[] valid = valid();
        Path path = folder.resolve("mutated");
        int opened = 0;
        for (int index = 0; index < MUTATIONS; index++) {
            byte[] bytes = mutated(valid, new Seed(7).part(index).generator());
            Files.write(path, bytes);
            try (SafetensorsFile file = SafetensorsFile.open(path)) {
                opened++;
                long end = 0;
                for (TensorEntry entry : file.entries()) {
                    assertThat(entry.begin()).isEqualTo(end);
                    assertThat(file.bytes(entry).byteSize()).isEqualTo(entry.bytes());
                    end = entry.end();
                }
            } catch (EngineFormatException refused) {
                assertThat(refused.getMessage()).startsWith(path.toString()).hasSizeLessThan(1000).doesNotContain("\n");
            } catch (RuntimeException | Error escaped) {
                throw new AssertionError("mutation " + index + ": " + new String(bytes, StandardCharsets.ISO_8859_1),
                        escaped);
            }
        }
        // Both outcomes must have been seen, or the mutations judge nothing.
        assertThat(opened).isBetween(MUTATIONS / 100, MUTATIONS * 9 / 10);
    }
}
