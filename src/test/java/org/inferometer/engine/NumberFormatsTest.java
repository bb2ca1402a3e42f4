package org.inferometer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.engine.build.Fp8Quantiser;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class NumberFormatsTest {
    @Test
    void everyE4m3CodeDecodesAsTheFormatDefines() {
        for (int code = 0; code < 256; code++) {
            int exponent = (code >> 3) & 15;
            int mantissa = code & 7;
            double magnitude = exponent == 0 ? mantissa / 512.0 : Math.pow(2, exponent - 7) * (1 + mantissa / 8.0);
            float expected = (code & 0x7F) == 0x7F ? Float.NaN : (float) (code < 128 ? magnitude : -magnitude);
            assertThat(E4m3.decode((byte) code)).as("code %02x", code).isEqualTo(Float.valueOf(expected));
        }
        assertThat(E4m3.decode((byte) 0x7E)).isEqualTo(448f);
        assertThat(E4m3.decode((byte) 0x01)).isEqualTo(0.001953125f);
    }

    @Test
    void everyE4m3CodeIsAHalfWithShiftedBitsTimes256() {
        for (int code = 0; code < 256; code++) {
            if ((code & 0x7F) != 0x7F) {
                float shifted = Float.float16ToFloat((short) ((code & 0x80) << 8 | (code & 0x7F) << 7)) * 256;
                assertThat(E4m3.decode((byte) code)).isEqualTo(shifted);
            }
        }
    }

    @Test
    void everyFiniteE4m3CodeComesBack() {
        for (int code = 0; code < 256; code++) {
            if ((code & 0x7F) != 0x7F) {
                assertThat(E4m3.encode(E4m3.decode((byte) code))).isEqualTo((byte) code);
            }
        }
    }

    @Test
    void halfwayBetweenTwoE4m3CodesTheEvenOneIsTaken() {
        for (int code = 0; code < 0x7E; code++) {
            float low = E4m3.decode((byte) code);
            float high = E4m3.decode((byte) (code + 1));
            float middle = (low + high) / 2;
            assertThat(E4m3.encode(middle)).isEqualTo((byte) (code + (code & 1)));
            assertThat(E4m3.encode(Math.nextDown(middle))).isEqualTo((byte) code);
            assertThat(E4m3.encode(Math.nextUp(middle))).isEqualTo((byte) (code + 1));
        }
    }

    @Test
    void e4m3SaturatesAndKeepsTheSign() {
        assertThat(new byte[]{E4m3.encode(1e30f), E4m3.encode(Float.POSITIVE_INFINITY), E4m3.encode(-449f),
                E4m3.encode(-0f), E4m3.encode(Float.NaN)}).containsExactly(0x7E, 0x7E, 0xFE, 0x80, 0x7F);
    }

    @Test
    void theQuantisersFastE4m3CodeIsTheReferenceOne() {
        for (int code = 0; code < 0x7F; code++) {
            float value = E4m3.decode((byte) code);
            float next = E4m3.decode((byte) Math.min(code + 1, 0x7E));
            for (float near : new float[]{value, Math.nextUp(value), Math.nextDown(value), (value + next) / 2,
                    Math.nextUp((value + next) / 2)}) {
                assertSameCode(near);
                assertSameCode(-near);
            }
        }
        for (int index = 0; index < 500_000; index++) {
            float value = Float.intBitsToFloat((int) Seed.mix(index));
            if (!Float.isNaN(value)) {
                assertSameCode(value);
            }
        }
    }

    private static void assertSameCode(float value) {
        if (Fp8Quantiser.code(value) != E4m3.encode(value)) {
            assertThat(Fp8Quantiser.code(value)).as("code of %s", value).isEqualTo(E4m3.encode(value));
        }
    }

    @Test
    void everyBf16CodeComesBackAndHalvesGoToEven() {
        for (int code = 0; code < 1 << 16; code++) {
            float value = Bfloat16.decode((short) code);
            if (!Float.isNaN(value)) {
                assertThat(Bfloat16.encode(value)).isEqualTo((short) code);
            }
        }
        assertThat(Bfloat16.encode(Float.intBitsToFloat(0x3F808000))).isEqualTo((short) 0x3F80);
        assertThat(Bfloat16.encode(Float.intBitsToFloat(0x3F818000))).isEqualTo((short) 0x3F82);
        assertThat(Bfloat16.encode(Float.intBitsToFloat(0x3F808001))).isEqualTo((short) 0x3F81);
        assertThat(Bfloat16.decode(Bfloat16.encode(Float.NaN))).isNaN();
    }
}
