package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.telemetry.ReadinessCheck.State;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineProbeTest {
    private static final GpuReport NO_GPU = GpuReport.none("No NVIDIA GPU can be read.", List.of());

    private static MachineReport machine(int cores, long freeBytes, OptionalDouble load, Optional<String> governor,
            Optional<Boolean> battery) {
        return new MachineReport("Linux", "amd64", "A processor", cores, cores, 1000, freeBytes, OptionalDouble.empty(),
                load, governor, battery, "Java", NO_GPU, List.of());
    }

    private static List<State> statesOf(MachineReport machine) {
        return ReadinessChecks.of(machine).stream().map(ReadinessCheck::state).toList();
    }

    @Test
    void machineIsDescribedWithoutHostOrUser() throws IOException {
        MachineReport machine = new MachineProbe(new SystemClock()).probe();
        assertThat(machine.processor()).isNotBlank();
        assertThat(machine.logicalCores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(machine.memoryBytes()).isGreaterThan(100L << 20);
        assertThat(machine.freeMemoryBytes()).isBetween(1L, machine.memoryBytes());
        machine.backgroundLoad().ifPresent(load -> assertThat(load).isBetween(0.0, 1.0));
        String host = InetAddress.getLocalHost().getHostName();
        if (host.length() > 3) {
            assertThat(machine.toString()).doesNotContain(host);
        }
        assertThat(machine.toString()).doesNotContain(System.getProperty("user.home"));
    }

    @Test
    void quietMachineIsReady() {
        assertThat(statesOf(machine(4, 500, OptionalDouble.of(0.02), Optional.of("performance"), Optional.of(false))))
                .containsExactly(State.READY, State.READY, State.READY, State.READY, State.READY, State.ABSENT);
    }

    @Test
    void everyWeaknessAsksForAttention() {
        assertThat(statesOf(machine(1, 99, OptionalDouble.of(0.06), Optional.of("powersave"), Optional.of(true))))
                .containsExactly(State.ATTENTION, State.ATTENTION, State.ATTENTION, State.ATTENTION, State.ATTENTION,
                        State.ABSENT);
    }

    @Test
    void whatTheSystemDoesNotTellIsNotChecked() {
        assertThat(statesOf(machine(2, 100, OptionalDouble.empty(), Optional.empty(), Optional.empty())))
                .containsExactly(State.READY, State.READY, State.NOT_CHECKED, State.NOT_CHECKED, State.NOT_CHECKED,
                        State.ABSENT);
    }

    @Test
    void gpuIsReadyAndNamed() {
        GpuReport gpus =
                new GpuReport(List.of(new GpuDescription(0, "NVIDIA H200", null, null, null, GpuSettings.UNKNOWN)),
                        "580", "", "1 GPU read.", List.of());
        MachineReport base = machine(2, 100, OptionalDouble.empty(), Optional.empty(), Optional.empty());
        MachineReport machine =
                new MachineReport(base.operatingSystem(), "amd64", "A", 2, 2, 1000, 100, OptionalDouble.empty(),
                        OptionalDouble.empty(), Optional.empty(), Optional.empty(), "Java", gpus, List.of());
        assertThat(machine.gpuNames()).containsExactly("NVIDIA H200");
        assertThat(ReadinessChecks.of(machine)).element(5)
                .isEqualTo(new ReadinessCheck("NVIDIA GPU", State.READY, "1 GPU read."));
    }

    @Test
    void governorIsTheFileOfTheKernel(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("scaling_governor");
        assertThat(MachineProbe.governor(file)).isEmpty();
        Files.writeString(file, "schedutil\n");
        assertThat(MachineProbe.governor(file)).contains("schedutil");
        Files.writeString(file, "x".repeat(65));
        assertThat(MachineProbe.governor(file)).isEmpty();
    }
}
