package org.inferometer.execution.cuda.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Order within streams, order between them by events, and graphs captured from them.
class EmulatedStreamsTest {
    private static final int GLOBAL = 0;
    private static final int THREAD_LOCAL = 1;
    private static final int RELAXED = 2;

    private final EmulatedDriver driver = EmulatedDriver.load();
    private CUfunction add = new CUfunction();
    private CUstream first = new CUstream();
    private CUstream second = new CUstream();

    @BeforeEach
    void open() {
        JCuda.context(0);
        add = JCuda.kernel("probe_add");
        first = JCuda.stream();
        second = JCuda.stream();
    }

    @AfterEach
    void close() {
        driver.reset();
    }

    private void addOne(CUstream stream, CUdeviceptr from, CUdeviceptr to) {
        JCuda.ok(JCuda.add(add, stream, from, to, 1, 1));
    }

    @Test
    void aStreamWorksInOrderAndAnEventSaysHowFarItIs() {
        CUdeviceptr memory = JCuda.memory(0f);
        CUevent before = JCuda.event();
        CUevent after = JCuda.event();
        driver.set(Setting.HOLD_KERNELS, 1);
        JCuda.ok(JCudaDriver.cuEventRecord(before, first));
        for (int i = 0; i < 10; i++) {
            addOne(first, memory, memory);
        }
        JCuda.ok(JCudaDriver.cuEventRecord(after, first));
        assertThat(List.of(JCudaDriver.cuEventQuery(after), JCudaDriver.cuStreamQuery(first),
                JCudaDriver.cuStreamQuery(second), JCudaDriver.cuEventElapsedTime(new float[1], before, after)))
                .isEqualTo(List.of(600, 600, 0, 600));
        driver.set(Setting.KERNEL_MICROS, 100).set(Setting.HOLD_KERNELS, 0);
        JCuda.ok(JCudaDriver.cuEventSynchronize(after));
        float[] milliseconds = new float[1];
        JCuda.ok(JCudaDriver.cuEventElapsedTime(milliseconds, before, after));
        assertThat(milliseconds[0]).isBetween(1f, 60_000f);
        JCuda.ok(JCudaDriver.cuStreamSynchronize(first));
        assertThat(JCuda.floats(memory, 1)).containsExactly(10);
    }

    @Test
    void streamsDoNotWaitForEachOtherUnlessAnEventSaysSo() {
        CUdeviceptr memory = JCuda.memory(0f, 0f);
        CUevent event = JCuda.event();
        driver.set(Setting.HOLD_KERNELS, 1);
        addOne(first, memory, memory);
        // No kernel, so nothing holds it.
        JCuda.ok(JCudaDriver.cuMemsetD32Async(memory.withByteOffset(4), Float.floatToRawIntBits(7), 1, second));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(second));
        JCuda.ok(JCudaDriver.cuEventRecord(event, first));
        JCuda.ok(JCudaDriver.cuStreamWaitEvent(second, event, 0));
        JCuda.ok(JCudaDriver.cuMemcpyDtoDAsync(memory.withByteOffset(4), memory, 4, second));
        assertThat(JCudaDriver.cuStreamQuery(second)).isEqualTo(CUresult.CUDA_ERROR_NOT_READY);
        driver.set(Setting.HOLD_KERNELS, 0);
        JCuda.ok(JCudaDriver.cuStreamSynchronize(second));
        assertThat(JCuda.floats(memory, 2)).containsExactly(1, 1);
    }

    @Test
    void hostMemoryThatIsNotPinnedMayChangeOnceTheCallIsBack() {
        CUdeviceptr memory = JCuda.memory(0f);
        driver.set(Setting.HOLD_KERNELS, 1);
        addOne(first, memory, memory);
        float[] values = {5};
        JCuda.ok(JCudaDriver.cuMemcpyHtoDAsync(memory, Pointer.to(values), 4, first));
        values[0] = 6;
        driver.set(Setting.HOLD_KERNELS, 0);
        float[] actual = new float[1];
        JCuda.ok(JCudaDriver.cuMemcpyDtoHAsync(Pointer.to(actual), memory, 4, first));
        assertThat(actual).containsExactly(5);
    }

    @Test
    void aCapturedGraphRunsWhatWasRecordedEachTimeItIsLaunched() {
        CUdeviceptr memory = JCuda.memory(0f, 0f);
        CUevent fork = JCuda.event();
        CUevent join = JCuda.event();
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, THREAD_LOCAL));
        addOne(first, memory, memory);
        JCuda.ok(JCudaDriver.cuEventRecord(fork, first));
        JCuda.ok(JCudaDriver.cuStreamWaitEvent(second, fork, 0));
        addOne(second, memory, memory.withByteOffset(4));
        JCuda.ok(JCudaDriver.cuEventRecord(join, second));
        JCuda.ok(JCudaDriver.cuStreamWaitEvent(first, join, 0));
        addOne(first, memory, memory);
        CUgraph graph = new CUgraph();
        JCuda.ok(JCudaDriver.cuStreamEndCapture(first, graph));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(first));
        assertThat(JCuda.floats(memory, 2)).containsExactly(0, 0);
        CUgraphExec executable = new CUgraphExec();
        JCuda.ok(JCudaDriver.cuGraphInstantiate(executable, graph, 0));
        JCuda.ok(JCudaDriver.cuGraphDestroy(graph));
        JCuda.ok(JCudaDriver.cuGraphUpload(executable, first));
        JCuda.ok(JCudaDriver.cuGraphLaunch(executable, first));
        JCuda.ok(JCudaDriver.cuGraphLaunch(executable, first));
        JCuda.ok(JCudaDriver.cuStreamSynchronize(first));
        assertThat(JCuda.floats(memory, 2)).containsExactly(4, 4);
        JCuda.ok(JCudaDriver.cuGraphExecDestroy(executable));
        assertThat(List.of(driver.count(Count.GRAPH_LAUNCHES), driver.count(Count.LAUNCHES),
                driver.count(Count.LIVE_GRAPHS))).isEqualTo(List.of(2L, 6L, 0L));
    }

    @Test
    void aDestroyedStreamDoesTheWorkItHas() {
        CUdeviceptr memory = JCuda.memory(0f);
        driver.set(Setting.HOLD_KERNELS, 1);
        addOne(first, memory, memory);
        JCuda.ok(JCudaDriver.cuStreamDestroy(first));
        assertThat(JCudaDriver.cuStreamSynchronize(first)).isEqualTo(CUresult.CUDA_ERROR_INVALID_HANDLE);
        driver.set(Setting.HOLD_KERNELS, 0);
        JCuda.ok(JCudaDriver.cuCtxSynchronize());
        assertThat(JCuda.floats(memory, 1)).containsExactly(1);
    }

    @Test
    void aDestroyedStreamCapturesNoMore() {
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, GLOBAL));
        JCuda.ok(JCudaDriver.cuStreamDestroy(first));
        JCuda.memory(64);
    }

    @Test
    void waitingForACapturingStreamEndsTheCapture() {
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, RELAXED));
        assertThat(List.of(JCudaDriver.cuStreamSynchronize(first), JCudaDriver.cuStreamEndCapture(first, new CUgraph()),
                JCudaDriver.cuStreamSynchronize(first))).isEqualTo(List.of(900, 901, 0));
    }

    @Test
    void aBranchThatIsNotJoinedMakesNoGraph() {
        CUdeviceptr memory = JCuda.memory(0f);
        CUevent fork = JCuda.event();
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, THREAD_LOCAL));
        JCuda.ok(JCudaDriver.cuEventRecord(fork, first));
        JCuda.ok(JCudaDriver.cuStreamWaitEvent(second, fork, 0));
        addOne(second, memory, memory);
        assertThat(List.of(JCudaDriver.cuEventQuery(fork), JCudaDriver.cuStreamEndCapture(second, new CUgraph()),
                JCudaDriver.cuStreamEndCapture(first, new CUgraph()))).isEqualTo(List.of(907, 903, 901));
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, THREAD_LOCAL));
        JCuda.ok(JCudaDriver.cuEventRecord(fork, first));
        JCuda.ok(JCudaDriver.cuStreamWaitEvent(second, fork, 0));
        addOne(second, memory, memory);
        assertThat(JCudaDriver.cuStreamEndCapture(first, new CUgraph())).isEqualTo(904);
    }

    @Test
    void waitingCallsAreForbiddenDuringGlobalCapture() throws InterruptedException {
        assertThat(List.of(allocatedElsewhereDuring(GLOBAL), allocatedElsewhereDuring(THREAD_LOCAL),
                allocatedElsewhereDuring(RELAXED))).isEqualTo(List.of(List.of(900, 901), List.of(0, 0), List.of(0, 0)));
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, THREAD_LOCAL));
        assertThat(JCudaDriver.cuMemAlloc(new CUdeviceptr(), 4)).isEqualTo(900);
    }

    /// The answers to an allocation on another thread, and to the end of the capture.
    private List<Integer> allocatedElsewhereDuring(int mode) throws InterruptedException {
        int[] answer = new int[1];
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, mode));
        Thread other = new Thread(() -> {
            JCuda.context(0);
            answer[0] = JCudaDriver.cuMemAlloc(new CUdeviceptr(), 4);
        });
        other.start();
        other.join();
        return List.of(answer[0], JCudaDriver.cuStreamEndCapture(first, new CUgraph()));
    }

    @Test
    void aGraphWhoseMemoryIsGoneKillsTheDevice() {
        CUdeviceptr memory = JCuda.memory(0f, 0f);
        JCuda.ok(JCudaDriver.cuStreamBeginCapture(first, RELAXED));
        JCuda.ok(JCudaDriver.cuMemcpyDtoDAsync(memory, memory.withByteOffset(4), 4, first));
        CUgraph graph = new CUgraph();
        JCuda.ok(JCudaDriver.cuStreamEndCapture(first, graph));
        CUgraphExec executable = new CUgraphExec();
        JCuda.ok(JCudaDriver.cuGraphInstantiate(executable, graph, 0));
        JCuda.ok(JCudaDriver.cuMemFree(memory));
        JCuda.ok(JCudaDriver.cuGraphLaunch(executable, first));
        assertThat(JCudaDriver.cuStreamSynchronize(first)).isEqualTo(700);
    }
}
