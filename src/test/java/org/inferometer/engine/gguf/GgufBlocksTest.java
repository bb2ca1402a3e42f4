package org.inferometer.engine.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random blocks, decoded here bit by bit in the order of the published structures.
class GgufBlocksTest {
    private static float half(byte[] block, int at) {
        return Float.float16ToFloat(ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getShort(at));
    }

    /// Some bits of a byte.
    private static int bits(byte[] block, int at, int from, int count) {
        int value = 0;
        for (int bit = 0; bit < count; bit++) {
            value += (block[at] >> from + bit & 1) * (1 << bit);
        }
        return value;
    }

    private static double expected(GgufType type, byte[] b, int i) {
        float d = half(b, 0);
        int low = i % 16;
        int nibbleFrom = i < 16 ? 0 : 4;
        return switch (type) {
            case F32 -> ByteBuffer.wrap(b).order(ByteOrder.LITTLE_ENDIAN).getFloat();
            case F16 -> d;
            case BF16 -> Float.intBitsToFloat((b[1] & 255) << 24 | (b[0] & 255) << 16);
            case Q8_0 -> (double) d * b[2 + i];
            case Q4_0 -> (double) d * (bits(b, 2 + low, nibbleFrom, 4) - 8);
            case Q4_1 -> (double) d * bits(b, 4 + low, nibbleFrom, 4) + half(b, 2);
            case Q5_0 -> (double) d * (bits(b, 6 + low, nibbleFrom, 4) + 16 * bits(b, 2 + i / 8, i % 8, 1) - 16);
            case Q5_1 ->
                (double) d * (bits(b, 8 + low, nibbleFrom, 4) + 16 * bits(b, 4 + i / 8, i % 8, 1)) + half(b, 2);
            case Q4_K, Q5_K -> {
                int group = i / 32;
                int scale = group < 4 ? bits(b, 4 + group, 0, 6) : bits(b, 8 + group, 0, 4) + 16 * bits(b, group, 6, 2);
                int minimum =
                        group < 4 ? bits(b, 8 + group, 0, 6) : bits(b, 8 + group, 4, 4) + 16 * bits(b, 4 + group, 6, 2);
                int pairs = type == GgufType.Q4_K ? 16 : 48;
                int value = bits(b, pairs + i / 64 * 32 + i % 32, i % 64 < 32 ? 0 : 4, 4);
                if (type == GgufType.Q5_K) {
                    value += 16 * bits(b, 16 + i % 32, group, 1);
                }
                yield (double) d * scale * value - (double) half(b, 2) * minimum;
            }
            case Q6_K -> {
                int inHalf = i % 128;
                int value = bits(b, i / 128 * 64 + inHalf % 64, inHalf < 64 ? 0 : 4, 4)
                        + 16 * bits(b, 128 + i / 128 * 32 + i % 32, 2 * (inHalf / 32), 2);
                yield (double) half(b, 208) * b[192 + i / 16] * (value - 32);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void blocksAreWidenedByTheirStructure(GgufType type) {
        SplittableRandom random = new SplittableRandom(type.ordinal());
        for (int round = 0; round < 50; round++) {
            byte[] block = new byte[type.blockBytes()];
            random.nextBytes(block);
            // Scales that are finite.
            for (int at : type == GgufType.Q6_K ? new int[]{208} : new int[]{0, 2}) {
                if (at + 1 < block.length) {
                    block[at + 1] &= (byte) 0xBF;
                }
            }
            if (type == GgufType.F32) {
                block[3] &= (byte) 0xBF;
            }
            float[] values = new float[2 * type.blockValues()];
            byte[] two = new byte[2 * block.length];
            System.arraycopy(block, 0, two, block.length, block.length);
            GgufBlocks.widen(type, MemorySegment.ofArray(two), values);
            for (int i = 0; i < type.blockValues(); i++) {
                double expected = expected(type, block, i);
                assertThat((double) values[type.blockValues() + i]).as("%s %d", type, i).isCloseTo(expected,
                        org.assertj.core.api.Assertions.within(1e-4 * Math.abs(expected) + 1e-3));
            }
        }
    }
}
