package org.inferometer.execution.cuda.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the lanes of a warp and the threads of a block do with each other, against plain loops.
class EmulatedDeviceTest {
    private final EmulatedDriver driver = EmulatedDriver.load();
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

    @Test
    void lanesExchangeWhatTheyHoldAsTheInstructionsSay() {
        int mask = 5;
        int distance = 7;
        int lane = 11;
        int[] values = new Random(1).ints(64).toArray();
        CUdeviceptr out = JCuda.memory(64 * 7 * 8);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_exchange"), 1, 64, 0, stream, Pointer.to(JCuda.memory(values)),
                Pointer.to(out), JCuda.value(mask), JCuda.value(distance), JCuda.value(lane)));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        long[] expected = new long[64 * 7];
        for (int thread = 0; thread < 64; thread++) {
            int first = thread / 32 * 32;
            int own = thread % 32;
            long votes = 0;
            for (int other = 0; other < 32; other++) {
                votes |= values[first + other] % 3 == 0 ? 1L << other : 0;
            }
            expected[thread * 7] = values[first + (own ^ mask)];
            expected[thread * 7 + 1] = values[own + distance < 32 ? thread + distance : thread];
            expected[thread * 7 + 2] = values[own - distance >= 0 ? thread - distance : thread];
            expected[thread * 7 + 3] = (long) values[first + lane] << 32 | (first + lane);
            expected[thread * 7 + 4] = votes;
            // A float below zero becomes an unsigned number by way of the signed one.
            expected[thread * 7 + 5] = (long) (float) values[first + lane];
            expected[thread * 7 + 6] = thread;
        }
        assertThat(JCuda.longs(out, 64 * 7)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aTensorInstructionIsAProductOfMatrices(int isBf16) {
        Random random = new Random(2);
        // Integers up to 64 are exact in BF16 and FP16, and so are their products' sums in FP32.
        float[] a = numbers(random, 256);
        float[] b = numbers(random, 128);
        float[] c = numbers(random, 128);
        CUdeviceptr sums = JCuda.memory(c);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_mma"), 1, 32, 0, stream, Pointer.to(JCuda.memory(a)),
                Pointer.to(JCuda.memory(b)), Pointer.to(sums), JCuda.value(isBf16)));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        float[] expected = new float[128];
        for (int row = 0; row < 16; row++) {
            for (int column = 0; column < 8; column++) {
                double sum = c[row * 8 + column];
                for (int k = 0; k < 16; k++) {
                    sum += (double) a[row * 16 + k] * b[k * 8 + column];
                }
                expected[row * 8 + column] = (float) sum;
            }
        }
        assertThat(JCuda.floats(sums, 128)).isEqualTo(expected);
    }

    private static float[] numbers(Random random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(-64, 65);
        }
        return values;
    }

    @Test
    void blocksSumThroughSharedMemoryWhicheverThreadRunsFirst() {
        float[] values = new float[4 * 256];
        double[] expected = new double[4];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 97 - 40;
            expected[i / 256] += values[i];
        }
        CUdeviceptr sums = JCuda.memory(4 * 4);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_block_sum"), 4, 256, 1024, stream, Pointer.to(JCuda.memory(values)),
                Pointer.to(sums)));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        float[] actual = JCuda.floats(sums, 4);
        for (int block = 0; block < 4; block++) {
            assertThat((double) actual[block]).isEqualTo(expected[block]);
        }
    }

    @Test
    void streamsRunKernelsAtTheSameTimeWithMemoryOfTheirOwn() {
        int streams = 3;
        int launches = 20;
        CUfunction sum = JCuda.kernel("probe_block_sum");
        List<CUdeviceptr> sums = new ArrayList<>();
        driver.set(Setting.HOLD_KERNELS, 1);
        for (int i = 0; i < streams; i++) {
            float[] values = new float[256];
            Arrays.fill(values, i + 1);
            Pointer from = Pointer.to(JCuda.memory(values));
            CUdeviceptr out = JCuda.memory(4L * launches);
            CUstream own = JCuda.stream();
            for (int launch = 0; launch < launches; launch++) {
                JCuda.ok(JCuda.launch(sum, 1, 256, 1024, own, from, Pointer.to(out.withByteOffset(4L * launch))));
            }
            sums.add(out);
        }
        driver.set(Setting.HOLD_KERNELS, 0);
        JCuda.ok(JCudaDriver.cuCtxSynchronize());
        for (int i = 0; i < streams; i++) {
            assertThat(JCuda.floats(sums.get(i), launches)).containsOnly(256f * (i + 1));
        }
    }

    @Test
    void anAsynchronousCopyThatNobodyWaitsForIsNotSeenToLand() {
        int[] values = new Random(3).ints(64, 0, 1000).toArray();
        CUdeviceptr from = JCuda.memory(values);
        CUdeviceptr to = JCuda.memory(4 * 64);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_copy_without_wait"), 1, 32, 256, stream, Pointer.to(from),
                Pointer.to(to), JCuda.value(1)));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        assertThat(JCuda.integers(to, 64)).isEqualTo(values);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_copy_without_wait"), 1, 32, 256, stream, Pointer.to(from),
                Pointer.to(to), JCuda.value(0)));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        assertThat(JCuda.integers(to, 64)).contains(-7).isNotEqualTo(values);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "0 | 719 | never ends: 5 threads (first 0) have returned; 59 threads (first 5) wait at the barrier of probe_kernels.cu:",
            "1 | 719 | 63 threads (first 0) wait at the barrier of probe_kernels.cu:",
            "1 | 719 | 1 threads (first 40) wait in the shuffle of probe_kernels.cu:",
            "2 | 719 | thread 0: touches 16 bytes at an address that is no multiple of 16 at probe_kernels.cu:",
            "3 | 719 | wrote beyond its 256 bytes of dynamic shared memory.",
            "4 | 719 | lanes of warp 0 meet in different places: some in shuffle, lane 1 in ballot at probe_kernels.cu:",
            "5 | 700 | thread 33: touches address", "6 | 719 | asks lane 32 of 0 to 31 at probe_kernels.cu:",
            "7 | 719 | copies beyond the block's dynamic shared memory at probe_kernels.cu:",
            "8 | 700 | thread 0: touches address (nil), which is no memory of the device"})
    void whatAKernelDoesWrongKillsTheDeviceAndIsSaid(int what, int code, String sentence) {
        // 64 floats end where the guarded page begins.
        CUdeviceptr out = JCuda.memory(64 * 4);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_wrong"), 1, 64, 256, stream, JCuda.value(what),
                Pointer.to(JCuda.memory(64)), Pointer.to(out)));
        assertThat(JCudaDriver.cuStreamSynchronize(stream)).isEqualTo(code);
        assertThat(driver.said()).startsWith("Kernel probe_wrong, block (0, 0, 0)").contains(sentence);
        assertThat(JCudaDriver.cuMemAlloc(new CUdeviceptr(), 16)).isEqualTo(code);
    }

    @Test
    void writingIntoTheGapBehindAnAllocationIsFoundOut() {
        // 240 bytes lie between these 16 and the guarded page; the kernel writes the first four of them.
        CUdeviceptr small = JCuda.memory(16);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_wrong"), 1, 64, 256, stream, JCuda.value(5),
                Pointer.to(JCuda.memory(64)), Pointer.to(small.withByteOffset(16 - 64 * 4))));
        assertThat(JCudaDriver.cuStreamSynchronize(stream)).isEqualTo(700);
        assertThat(driver.said()).isEqualTo("A kernel wrote behind an allocation of 16 bytes.");
    }

    @Test
    void theVirtualMachineKeepsCatchingItsOwnFaults() {
        whatAKernelDoesWrongKillsTheDeviceAndIsSaid(8, 700, "touches address");
        // Often enough to be compiled: only then is a null found by the fault that touching it raises.
        int caught = 0;
        for (int i = 0; i < 50_000; i++) {
            try {
                caught += lengthOf(i % 100 == 0 ? null : "x") - 1;
            } catch (NullPointerException e) {
                caught++;
            }
        }
        assertThat(caught).isEqualTo(500);
        assertThatThrownBy(EmulatedDeviceTest::endless).isInstanceOf(StackOverflowError.class);
    }

    private static int lengthOf(@Nullable String text) {
        // Null on purpose.
        return text.length();
    }

    private static int endless() {
        return endless() + 1;
    }

    @Test
    void aKernelThatDoesNothingWrongIsLeftAlone() {
        CUdeviceptr out = JCuda.memory(64 * 4);
        JCuda.ok(JCuda.launch(JCuda.kernel("probe_wrong"), 2, 64, 256, stream, JCuda.value(-1),
                Pointer.to(JCuda.memory(64)), Pointer.to(out)));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        assertThat(driver.said()).isEmpty();
    }
}
