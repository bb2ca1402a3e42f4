package org.inferometer.execution.cuda.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Products of warpgroups on the emulated device: where a descriptor says that numbers are, and what fails a launch.
class EmulatedWarpgroupTest {
    private static final int ROWS = 64;
    private static final int COLUMNS = 128;
    private static final int INPUTS = 16;
    private static final int SHARED_BYTES = 16384;

    private final EmulatedDriver driver = EmulatedDriver.load();
    private final float[] a = numbers(1, ROWS * INPUTS);
    private final float[] b = numbers(2, COLUMNS * INPUTS);
    private final float[] c = numbers(3, ROWS * COLUMNS);
    private CUstream stream = new CUstream();

    @BeforeEach
    void open() {
        JCuda.context(0);
        stream = JCuda.stream();
    }

    @AfterEach
    void close() {
        driver.reset();
    }

    /// Integers up to 64 are exact in BF16, and so are their products' sums in FP32.
    private static float[] numbers(long seed, int count) {
        Random random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(-64, 65);
        }
        return values;
    }

    /// Pairs of BF16, the first in the low half.
    private static int[] words(float[] values) {
        int[] words = new int[values.length / 2];
        for (int i = 0; i < words.length; i++) {
            words[i] =
                    Float.floatToIntBits(values[2 * i]) >>> 16 | Float.floatToIntBits(values[2 * i + 1]) & 0xffff0000;
        }
        return words;
    }

    /// A layout of the columns in shared memory. Without swizzling, halves of columns are `leading` apart.
    ///
    /// @param mode of swizzling in the descriptor
    /// @param pieces of 16 bytes in a row of the pattern
    private record Layout(int mode, int pieces, int leading, int stride) {
        static Layout of(int mode) {
            return switch (mode) {
                case 0 -> new Layout(0, 1, 2080, 128);
                case 1 -> new Layout(1, 8, 16, 1024);
                case 2 -> new Layout(2, 4, 16, 512);
                default -> new Layout(3, 2, 16, 256);
            };
        }

        int[] offsets() {
            int[] offsets = new int[2 * COLUMNS];
            for (int column = 0; column < COLUMNS; column++) {
                int row = column % 8;
                for (int half = 0; half < 2; half++) {
                    // Each 128 bytes of the pattern exchange their pieces in another way.
                    int piece = half ^ row / (8 / pieces);
                    offsets[2 * column + half] =
                            column / 8 * stride + (mode == 0 ? 16 * row + half * leading : 16 * (pieces * row + piece));
                }
            }
            return offsets;
        }

        long bits() {
            return (long) (leading / 16) << 16 | (long) (stride / 16) << 32 | (long) mode << 62;
        }
    }

    private CUdeviceptr multiply(Layout layout, long bits, int what) {
        CUdeviceptr sums = JCuda.memory(c);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_warpgroup"), 1, 128, SHARED_BYTES, stream,
                Pointer.to(JCuda.memory(words(a))), Pointer.to(JCuda.memory(words(b))),
                Pointer.to(JCuda.memory(layout.offsets())), Pointer.to(new long[]{bits}), Pointer.to(sums),
                JCuda.value(what)));
        return sums;
    }

    private float[] expected() {
        float[] sums = c.clone();
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                for (int k = 0; k < INPUTS; k++) {
                    sums[row * COLUMNS + column] += a[row * INPUTS + k] * b[column * INPUTS + k];
                }
            }
        }
        return sums;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theDescriptorSaysWhereNumbersAre(int mode) {
        Layout layout = Layout.of(mode);
        CUdeviceptr sums = multiply(layout, layout.bits(), 0);
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        assertThat(JCuda.floats(sums, c.length)).isEqualTo(expected());
    }

    @Test
    void anotherOffsetGivesAnotherProduct() {
        Layout layout = Layout.of(0);
        for (long wrong : new long[]{1L << 16, 1L << 32, 1L << 62}) {
            CUdeviceptr sums = multiply(layout, layout.bits() ^ wrong, 0);
            if (JCudaDriver.cuStreamSynchronize(stream) == 0) {
                assertThat(JCuda.floats(sums, c.length)).isNotEqualTo(expected());
            } else {
                assertThat(driver.said()).contains("matrix beyond");
                driver.reset();
                open();
            }
        }
    }

    @Test
    void sumsAreNotThereBeforeTheWait() {
        Layout layout = Layout.of(0);
        CUdeviceptr sums = multiply(layout, layout.bits(), 12);
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        float[] read = JCuda.floats(sums, c.length);
        assertThat(Arrays.equals(read, expected())).isFalse();
        for (float each : read) {
            assertThat(each).isNaN();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"1 | multiplies with memory to which a copy is on its way at probe_kernels.cu:",
                    "2 | multiplies with memory that was copied without fenceShared after it at probe_kernels.cu:",
                    "3 | multiplies with registers that no fence has ordered at probe_kernels.cu:",
                    "4 | multiplies with an operand that was written after its fence at probe_kernels.cu:",
                    "5 | changes sums between their fence and the end of their products at probe_kernels.cu:",
                    "6 | multiplies with another matrix than warp",
                    "7 | multiplies with a descriptor that has reserved bits or a base offset at probe_kernels.cu:",
                    "8 | ends a product whose operand was changed before at probe_kernels.cu:",
                    "9 | changes sums between their fence and the end of their products at probe_kernels.cu:",
                    "10 | ends a product whose shared memory was changed before at probe_kernels.cu:",
                    "11 | copies to shared memory that a product under way reads at probe_kernels.cu:",
                    "13 | warp 0 ended without waiting for its products."})
    void whatAProductMayNotDoKillsTheDevice(int what, String sentence) {
        Layout layout = Layout.of(0);
        multiply(layout, layout.bits(), what);
        assertThat(JCudaDriver.cuStreamSynchronize(stream)).isEqualTo(719);
        assertThat(driver.said()).startsWith("Kernel probe_warpgroup, block (0, 0, 0)").contains(sentence);
    }
}
