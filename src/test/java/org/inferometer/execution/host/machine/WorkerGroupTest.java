package org.inferometer.execution.host.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerGroupTest {
    @Test
    void everyItemRunsExactlyOnceInEverySection() {
        try (WorkerGroup group = new WorkerGroup("test-lane", 4)) {
            for (int round = 0; round < 5_000; round++) {
                int items = 1 + round % 37;
                AtomicIntegerArray runs = new AtomicIntegerArray(items);
                group.run((worker, item) -> runs.incrementAndGet(item), items);
                for (int item = 0; item < items; item++) {
                    assertThat(runs.get(item)).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void failedItemFailsTheSectionOnly() {
        try (WorkerGroup group = new WorkerGroup("test-lane", 3)) {
            WorkerGroup.Section failing = (worker, item) -> {
                if (item == 5) {
                    throw new IllegalArgumentException("item five");
                }
            };
            assertThatThrownBy(() -> group.run(failing, 20)).hasRootCauseMessage("item five");
            group.run((worker, item) -> {}, 20);
        }
    }

    @Test
    void hardwareThreadsOfACoreCountOnce(@TempDir Path cpus) throws Exception {
        String[] siblings = {"0,2", "1,3", "0,2", "1,3"};
        for (int i = 0; i < siblings.length; i++) {
            Path topology = Files.createDirectories(cpus.resolve("cpu" + i).resolve("topology"));
            Files.writeString(topology.resolve("thread_siblings_list"), siblings[i] + "\n");
        }
        Files.createDirectory(cpus.resolve("cpufreq"));
        assertThat(PhysicalCores.count(cpus, 4)).isEqualTo(2);
        assertThat(PhysicalCores.count(cpus, 1)).isEqualTo(1);
        assertThat(PhysicalCores.count(cpus.resolve("absent"), 3)).isEqualTo(3);
    }

    @Test
    void freeMemoryRespectsTheContainerLimit(@TempDir Path folder) throws Exception {
        Path meminfo = Files.writeString(folder.resolve("meminfo"), "MemTotal: 2000 kB\nMemAvailable:   1000 kB\n");
        assertThat(FreeMemory.physical(meminfo, folder)).isEqualTo(OptionalLong.of(1_024_000));
        Files.writeString(folder.resolve("memory.max"), "900000\n");
        Files.writeString(folder.resolve("memory.current"), "500000\n");
        Files.writeString(folder.resolve("memory.stat"), "anon 7\ninactive_file 70000\nactive_file 30000\n");
        assertThat(FreeMemory.physical(meminfo, folder)).isEqualTo(OptionalLong.of(500_000));
        Files.writeString(folder.resolve("memory.max"), "max\n");
        assertThat(FreeMemory.physical(meminfo, folder)).isEqualTo(OptionalLong.of(1_024_000));
        assertThat(FreeMemory.physical(folder.resolve("absent"), folder)).isEqualTo(OptionalLong.empty());
    }
}
