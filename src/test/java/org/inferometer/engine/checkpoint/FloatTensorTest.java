package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FloatTensorTest {
    @TempDir
    Path folder;

    private static byte[] codes(int... codes) {
        ByteBuffer bytes = ByteBuffer.allocate(codes.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int code : codes) {
            bytes.putShort((short) code);
        }
        return bytes.array();
    }

    @Test
    void everyBfloat16CodeIsWidenedAtEveryPlace() {
        int[] all = new int[1 << 16];
        for (int code = 0; code < all.length; code++) {
            all[code] = code;
        }
        MemorySegment bytes = MemorySegment.ofArray(codes(all));
        FloatTensor tensor = new FloatTensor(SafetensorsDtype.BF16, bytes, all.length);
        for (int length : new int[]{1, 3, 4, 5, 7, 16}) {
            float[] row = new float[length];
            for (int first = 0; first + length <= all.length; first++) {
                boolean finite = tensor.read(first, row);
                boolean expected = true;
                for (int i = 0; i < length; i++) {
                    float value = Float.intBitsToFloat((first + i) << 16);
                    expected &= Float.isFinite(value);
                    if (Float.floatToRawIntBits(row[i]) != Float.floatToRawIntBits(value)) {
                        assertThat(row[i]).as("code %d", first + i).isEqualTo(value);
                    }
                }
                if (finite != expected) {
                    assertThat(finite).as("codes from %d, %d of them", first, length).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void releasedValuesAreReadFromTheFileAgain() throws Exception {
        Path file = Files.write(folder.resolve("values"), codes(0x3F80, 0x4000, 0xC040, 0x7F80));
        try (Arena arena = Arena.ofConfined(); FileChannel channel = FileChannel.open(file)) {
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            FloatTensor tensor = new FloatTensor(SafetensorsDtype.BF16, bytes.asSlice(2), 3);
            float[] row = new float[2];
            for (int time = 0; time < 2; time++) {
                tensor.prepare();
                assertThat(tensor.read(0, row)).isTrue();
                assertThat(row).containsExactly(2, -3);
                tensor.release();
            }
            assertThat(tensor.read(1, row)).isFalse();
        }
        new FloatTensor(SafetensorsDtype.F32, MemorySegment.ofArray(new byte[4]), 1).release();
        new FloatTensor(SafetensorsDtype.F32, MemorySegment.ofArray(new byte[4]), 1).prepare();
    }
}
