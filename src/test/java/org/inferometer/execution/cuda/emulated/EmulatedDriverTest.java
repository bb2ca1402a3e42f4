package org.inferometer.execution.cuda.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.cuda.device.CudaDriverProbe;
import org.inferometer.execution.cuda.device.CudaReport;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Devices, memory, modules and faults of the emulated driver, through JCuda.
class EmulatedDriverTest {
    private static final int INVALID = CUresult.CUDA_ERROR_INVALID_VALUE;

    private final EmulatedDriver driver = EmulatedDriver.load();

    @AfterEach
    void close() {
        driver.reset();
    }

    @Test
    void theProbeFindsTheDevicesThatWereConfigured() {
        driver.set(Setting.DEVICES, 2).set(Setting.COMPUTE_CAPABILITY, 90).set(Setting.MEMORY_BYTES, 1 << 20)
                .set(Setting.DRIVER_VERSION, 12040);
        assertThat(new CudaDriverProbe().probe()).isEqualTo(new CudaReport(true, "CUDA 12.4 driver with 2 devices.",
                "12.4", List.of(new CudaReport.Gpu(0, "Emulated GPU 0", uuid(0), 1 << 20, "9.0"),
                        new CudaReport.Gpu(1, "Emulated GPU 1", uuid(1), 1 << 20, "9.0"))));
        driver.set(Setting.DEVICES, 0);
        assertThat(new CudaDriverProbe().probe().available()).isFalse();
    }

    private static String uuid(int device) {
        return "GPU-656d756c-6174-6564-2064-6576696365%02x".formatted(device);
    }

    @Test
    void memoryIsBoundedAndGivenBack() {
        driver.set(Setting.MEMORY_BYTES, 1 << 20);
        JCuda.context(0);
        CUdeviceptr half = JCuda.memory(1 << 19);
        assertThat(JCudaDriver.cuMemAlloc(new CUdeviceptr(), (1 << 19) + 1))
                .isEqualTo(CUresult.CUDA_ERROR_OUT_OF_MEMORY);
        assertThat(JCudaDriver.cuMemAlloc(new CUdeviceptr(), 0)).isEqualTo(INVALID);
        long[] free = new long[1];
        long[] total = new long[1];
        JCuda.ok(JCudaDriver.cuMemGetInfo(free, total));
        assertThat(List.of(free[0], total[0], driver.count(Count.LIVE_ALLOCATIONS)))
                .isEqualTo(List.of(1L << 19, 1L << 20, 1L));
        JCuda.ok(JCudaDriver.cuMemFree(half));
        assertThat(JCudaDriver.cuMemFree(half)).isEqualTo(INVALID);
        JCuda.memory(1 << 20);
    }

    @Test
    void copiesOutsideOfLiveMemoryAreRefused() {
        JCuda.context(0);
        CUdeviceptr memory = JCuda.memory(1, 2, 3, 4);
        CUdeviceptr gone = JCuda.memory(64);
        JCuda.ok(JCudaDriver.cuMemFree(gone));
        CUstream stream = JCuda.stream();
        int[] host = new int[8];
        List<IntSupplier> wrong = List.of(() -> JCudaDriver.cuMemcpyHtoD(memory, Pointer.to(host), 17),
                () -> JCudaDriver.cuMemcpyDtoH(Pointer.to(host), memory.withByteOffset(4), 13),
                () -> JCudaDriver.cuMemcpyDtoH(Pointer.to(host), memory.withByteOffset(-1), 4),
                () -> JCudaDriver.cuMemcpyHtoD(gone, Pointer.to(host), 4),
                () -> JCudaDriver.cuMemcpyDtoDAsync(memory, gone, 4, stream),
                () -> JCudaDriver.cuMemsetD8Async(memory.withByteOffset(16), (byte) 0, 1, stream),
                () -> JCudaDriver.cuMemsetD32(memory.withByteOffset(2), 0, 1));
        assertThat(wrong.stream().mapToInt(IntSupplier::getAsInt)).containsOnly(INVALID).hasSize(7);
        JCuda.ok(JCudaDriver.cuMemsetD32(memory.withByteOffset(8), 9, 2));
        assertThat(JCuda.integers(memory, 4)).isEqualTo(new int[]{1, 2, 9, 9});
    }

    @Test
    void freshMemoryHoldsNoNumbers() {
        JCuda.context(0);
        assertThat(JCuda.floats(JCuda.memory(64), 16)).containsOnly(Float.NaN);
        assertThat(JCuda.integers(JCuda.memory(64), 16)).containsOnly(-1);
    }

    @Test
    void aKernelRunsByItsName() {
        JCuda.context(0);
        CUstream stream = JCuda.stream();
        float[] values = new float[1000];
        float[] expected = new float[1000];
        for (int i = 0; i < 1000; i++) {
            values[i] = i;
            expected[i] = i + 0.5f;
        }
        CUdeviceptr from = JCuda.memory(values);
        JCuda.ok(JCuda.add(JCuda.kernel("probe_add"), stream, from, from, 1000, 0.5f));
        float[] actual = new float[1000];
        JCuda.ok(JCudaDriver.cuMemcpyDtoHAsync(Pointer.to(actual), from, 4000, stream));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        assertThat(actual).isEqualTo(expected);
        assertThat(List.of(driver.count(Count.LAUNCHES), driver.launches("probe_add"), driver.launches("probe_mma")))
                .isEqualTo(List.of(1L, 1L, 0L));
    }

    @Test
    void launchesThatNoDeviceTakesAreRefused() {
        JCuda.context(0);
        CUstream stream = JCuda.stream();
        CUfunction add = JCuda.kernel("probe_add");
        Pointer[] parameters =
                {Pointer.to(new CUdeviceptr()), Pointer.to(new CUdeviceptr()), JCuda.value(0), JCuda.value(0f)};
        List<Integer> codes = List.of(JCuda.launch(add, 0, 256, 0, stream, parameters),
                JCuda.launch(add, 1, 1025, 0, stream, parameters), JCuda.launch(add, 1, 257, 0, stream, parameters),
                JCuda.launch(add, 1, 256, (48 << 10) + 1, stream, parameters),
                JCudaDriver.cuFuncSetAttribute(add, 8, 102400), JCudaDriver.cuFuncSetAttribute(add, 8, 101376),
                JCuda.launch(add, 1, 256, 101376, stream, parameters));
        assertThat(codes).isEqualTo(
                List.of(INVALID, INVALID, CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, INVALID, INVALID, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"12000, 7.0, 80, 89, 0", "12000, 8.1, 89, 89, 222", "12010, 8.1, 89, 89, 0", "13000, 8.1, 89, 86, 209",
            "12060, 8.6, 80, 90, 222", "12070, 8.6, 80, 90, 0", "13000, 9.0, 80, 80, 0", "12090, 9.0, 80, 80, 222",
            "12010, 8.1, 90a, 90, 0", "13000, 8.1, 90a, 100, 209"})
    void aModuleIsLoadedWhereDriverAndDeviceKnowIt(int driverVersion, String ptx, String target, int device,
            int answer) {
        driver.set(Setting.DRIVER_VERSION, driverVersion).set(Setting.COMPUTE_CAPABILITY, device);
        JCuda.context(0);
        assertThat(JCuda.load(new CUmodule(), ".version " + ptx + "\n.target sm_" + target + "\n")).isEqualTo(answer);
    }

    @Test
    void whatIsNoModuleOrNotInItIsRefused() {
        JCuda.context(0);
        assertThat(JCuda.load(new CUmodule(), "void kernel() {}")).isEqualTo(CUresult.CUDA_ERROR_INVALID_PTX);
        CUmodule module = new CUmodule();
        JCuda.ok(JCuda.load(module, JCuda.PTX.replace("probe_mma", "another")));
        assertThat(List.of("probe_mma", "another", "probe_add").stream()
                .mapToInt(name -> JCudaDriver.cuModuleGetFunction(new CUfunction(), module, name)))
                .containsExactly(CUresult.CUDA_ERROR_NOT_FOUND, CUresult.CUDA_ERROR_NOT_FOUND, 0);
    }

    @Test
    void theAllocationThatIsAskedToFailFails() {
        JCuda.context(0);
        driver.set(Setting.FAIL_ALLOCATION, 2).set(Setting.FAIL_HOST_ALLOCATION, 1);
        assertThat(List.of(allocated(), allocated(), allocated(), pinned(), pinned()))
                .isEqualTo(List.of(0, 2, 0, 2, 0));
    }

    private static int allocated() {
        return JCudaDriver.cuMemAlloc(new CUdeviceptr(), 256);
    }

    private static int pinned() {
        return JCudaDriver.cuMemHostAlloc(new Pointer(), 256, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {700, 719})
    void aFailedLaunchKillsItsDeviceAndNoOther(int code) {
        driver.set(Setting.DEVICES, 2);
        JCuda.context(1);
        CUcontext dead = JCuda.context(0);
        CUstream stream = JCuda.stream();
        CUfunction add = JCuda.kernel("probe_add");
        CUdeviceptr memory = JCuda.memory(1f);
        driver.set(Setting.FAIL_LAUNCH, 2).set(Setting.FAIL_LAUNCH_WITH, code);
        JCuda.ok(JCuda.add(add, stream, memory, memory, 1, 1));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(stream));
        JCuda.ok(JCuda.add(add, stream, memory, memory, 1, 1));
        assertThat(List.of(JCudaDriver.cuStreamSynchronize(stream), allocated(), JCudaDriver.cuMemFree(memory),
                JCuda.add(add, stream, memory, memory, 1, 1), JCudaDriver.cuStreamDestroy(stream))).containsOnly(code);
        JCuda.context(1);
        assertThat(allocated()).isZero();
        // Setting a context is no question about it, so it is answered.
        JCuda.ok(JCudaDriver.cuCtxSetCurrent(dead));
        assertThat(allocated()).isEqualTo(code);
    }

    @Test
    void aLostDeviceAnswersEveryCallAlike() {
        JCuda.context(0);
        driver.set(Setting.EVERY_CALL, 999);
        assertThat(List.of(allocated(), pinned(), JCudaDriver.cuInit(0), JCudaDriver.cuDeviceGetCount(new int[1]),
                JCudaDriver.cuCtxSynchronize())).containsOnly(999);
        driver.set(Setting.EVERY_CALL, 0);
        assertThat(allocated()).isZero();
    }

    @Test
    void whatIsLeftWhenAContextGoesIsCounted() {
        JCuda.context(0);
        JCuda.memory(64);
        JCuda.memory(64);
        JCuda.stream();
        CUdevice device = new CUdevice();
        JCuda.ok(JCudaDriver.cuDeviceGet(device, 0));
        JCuda.ok(JCudaDriver.cuDevicePrimaryCtxRelease(device));
        assertThat(Arrays.stream(new Count[]{Count.LEAKED_ALLOCATIONS, Count.LEAKED_STREAMS, Count.LIVE_ALLOCATIONS,
                Count.LIVE_CONTEXTS}).mapToLong(driver::count)).containsExactly(2L, 1L, 0L, 0L);
        assertThat(allocated()).isEqualTo(CUresult.CUDA_ERROR_INVALID_CONTEXT);
    }
}
