package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.junit.jupiter.api.Test;

class CudaKernelsCheckEmulatedTest {
    @Test
    void everyKernelHasATime() throws Exception {
        EmulatedDriver driver =
                EmulatedDriver.load().set(Setting.MULTIPROCESSORS, 2).set(Setting.MEMORY_BYTES, 64 << 20);
        List<String> parts = new ArrayList<>();
        List<BackendFigure> figures = new CudaKernelsCheck("0", KernelSizes.SMALL, parts::add).run();
        assertThat(figures).extracting(BackendFigure::id).isEqualTo(ids());
        assertThat(figures).allMatch(figure -> figure.id().contains("_norm_") || figure.value() > 0)
                .allMatch(figure -> Double.isFinite(figure.value()) && figure.limit().isEmpty());
        assertThat(parts).containsExactly("products on the GPU", "attention on the GPU", "sampler on the GPU");
        assertThat(List
                .of(Count.LIVE_ALLOCATIONS, Count.LIVE_HOST_ALLOCATIONS, Count.LIVE_STREAMS, Count.LIVE_EVENTS,
                        Count.LIVE_GRAPHS, Count.LEAKED_ALLOCATIONS, Count.LEAKED_STREAMS)
                .stream().mapToLong(driver::count)).containsOnly(0L);
    }

    @Test
    void productsOfWarpgroupsHaveTimesWhereTheCardHasThem() throws Exception {
        KernelSizes many =
                new KernelSizes(KernelSizes.SMALL.shape(), List.of(70), List.of(), KernelSizes.SMALL.effort());
        for (int capability : new int[]{90, 89}) {
            EmulatedDriver.load().set(Setting.MULTIPROCESSORS, 2).set(Setting.COMPUTE_CAPABILITY, capability);
            List<BackendFigure> figures = new CudaKernelsCheck("0", many, part -> {}).run();
            assertThat(figures.stream().filter(figure -> figure.id().startsWith("cuda_kernels_wgmma_")))
                    .hasSize(capability == 90 ? 20 : 0);
        }
    }

    @Test
    void aFigureIsComparedWithTheRatesOfTheGpu() {
        DevicePeaks peaks = new DevicePeaks(4e12, 800e12);
        assertThat(peaks.memory(10e-6, 20e6)).isEqualTo("2000 GB/s, 50.0 % of reads");
        assertThat(peaks.arithmetic(10e-6, 2e9)).isEqualTo("200.0 TFLOP/s, 25.0 % of the instruction");
    }

    @Test
    void dataIsCopiedUntilItIsLargerThanCaches() {
        KernelSizes.Effort effort = KernelSizes.LLAMA_8B.effort();
        assertThat(List.of(effort.copies(300_000_000), effort.copies(150_000_000), effort.copies(8_000_000)))
                .isEqualTo(List.of(1, 2, 25));
    }

    private static List<String> ids() {
        List<String> ids = new ArrayList<>(List.of("read", "mma", "launch", "step_awaited", "step_behind"));
        for (String format : List.of("bf16", "fp8", "int4", "int4_g64", "int4_g32")) {
            for (String product : List.of("qkv", "output", "gate_up", "down")) {
                String id = format + "_" + product;
                ids.addAll(List.of(id + "_1", id + "_norm_1", id + "_16", id + "_norm_16"));
            }
        }
        for (String format : List.of("f16", "fp8")) {
            ids.addAll(List.of("attend_" + format + "_1x70", "attend_" + format + "_ragged"));
        }
        ids.addAll(List.of("sample_greedy_1", "sample_greedy_64", "sample_top_p_1", "sample_top_p_64"));
        return ids.stream().map(id -> "cuda_kernels_" + id).toList();
    }
}
