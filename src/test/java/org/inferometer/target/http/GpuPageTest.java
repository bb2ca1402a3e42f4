package org.inferometer.target.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GpuPageTest {
    private static final String TWO_GPUS = """
            # HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
            # TYPE DCGM_FI_DEV_POWER_USAGE gauge
            DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-a",device="nvidia0",modelName="NVIDIA L40S",Hostname="n1"} 300.5
            DCGM_FI_DEV_POWER_USAGE{gpu="1",UUID="GPU-b",device="nvidia1",modelName="NVIDIA L40S",Hostname="n1"} 80
            DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",UUID="GPU-a",Hostname="n1"} 5551899580
            DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a",Hostname="n1"} 1024
            DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",Hostname="n1"} 97
            DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-a",Hostname="n1"} 1410
            """;

    @Test
    void fieldsComeInTheUnitsOfTheirQuantities() {
        assertThat(new GpuPage(Set.of("0")).read(TWO_GPUS).gauges())
                .isEqualTo(Map.of("gpu:power_watts{gpu=0}", 300.5, "gpu:energy_joules{gpu=0}", 5_551_899.58,
                        "gpu:memory_bytes{gpu=0}", 1024.0 * (1 << 20), "gpu:use_percent{gpu=0}", 97.0));
    }

    @Test
    void theChosenGpusAreReadAndTheMissingOnesNamed() {
        GpuPage page = new GpuPage(Set.of("1", "7"));
        assertThat(page.read(TWO_GPUS).gauges()).isEqualTo(Map.of("gpu:power_watts{gpu=1}", 80.0));
        assertThat(page.seen() + "; " + page.missing()).isEqualTo("1; 7");
    }

    @Test
    void gpusOfTwoMachinesWithOneIndexAreTwo() {
        GpuPage page = new GpuPage(Set.of());
        assertThat(page.read("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\"} 100\n"
                + "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-b\"} 200\n").gauges())
                .isEqualTo(Map.of("gpu:power_watts{gpu=0}", 100.0, "gpu:power_watts{gpu=0.1}", 200.0));
        assertThat(page.read("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-b\"} 201\n").gauges())
                .isEqualTo(Map.of("gpu:power_watts{gpu=0.1}", 201.0));
    }

    /// The exporter repeats a line for each container, and the power of the GPU for each of its instances.
    @Test
    void repeatedLinesAreOneReadingAndMemoryOfInstancesAddsUp() {
        assertThat(new GpuPage(Set.of()).read("""
                DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-a",GPU_I_ID="3",pod="x"} 55
                DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-a",GPU_I_ID="5",pod="y"} 55
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a",GPU_I_ID="3",pod="x"} 10
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a",GPU_I_ID="3",pod="z"} 10
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a",GPU_I_ID="5",pod="y"} 20
                """).gauges())
                .isEqualTo(Map.of("gpu:power_watts{gpu=0}", 55.0, "gpu:memory_bytes{gpu=0}", 30.0 * (1 << 20)));
    }

    /// The exporter writes 9223372036854775794 where a GPU has no reading.
    @Test
    void impossibleReadingsAreNone() {
        assertThat(new GpuPage(Set.of()).read("""
                DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a"} 9223372036854775794
                DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",UUID="a"} 9223372036854775794
                DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="a"} 101
                DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="b"} -1
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="a"} NaN
                DCGM_FI_DEV_FB_USED{gpu="x",UUID="a"} 1
                DCGM_FI_DEV_FB_USED{UUID="a"} 1
                """).gauges()).isEmpty();
    }

    @Test
    void endlessGpusAreNotCounted() {
        StringBuilder page = new StringBuilder();
        for (int gpu = 0; gpu < 20_000; gpu++) {
            page.append("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"").append(gpu).append("\"} 1\n");
        }
        GpuPage reader = new GpuPage(Set.of());
        assertThat(reader.read(page.toString()).gauges()).hasSize(256);
        assertThat(reader.seen()).startsWith("0, 0.1, 0.2, ").endsWith(", 0.15 and 240 more");
    }
}
