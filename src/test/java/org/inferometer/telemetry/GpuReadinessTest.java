package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.telemetry.GpuFacts.Fact;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.GpuSettings.PcieLink;
import org.inferometer.telemetry.ReadinessCheck.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuReadinessTest {
    private static final GpuSettings WHOLE = new GpuSettings("0:3B:0.0", new PcieLink(1, 16), new PcieLink(5, 16), true,
            false, true, false, 700.0, 1980.0, 3201.0);

    private static GpuDescription gpu(String capability, GpuSettings settings) {
        return new GpuDescription(0, "NVIDIA H200", 100L << 30, capability, 600.0, settings);
    }

    private static GpuSample sample(long usedGib, double clock, double reasons) {
        return new GpuSample(0, usedGib * (1L << 30), 87, 312.5, 1, clock, 64, reasons, 41, 3201);
    }

    private static GpuStatus status(Optional<List<GpuProcess>> processes, GpuSample... readings) {
        return GpuStatus.of(List.of(readings), processes);
    }

    private static List<ReadinessCheck> checks(String cuda, GpuDescription gpu, @Nullable GpuStatus status) {
        return GpuReadiness.of(new GpuReport(List.of(gpu), "580", cuda, "1 GPU read.", List.of()),
                Stream.ofNullable(status).toList());
    }

    private static ReadinessCheck check(String name, GpuDescription gpu, GpuStatus status) {
        return checks("13.0", gpu, status).stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void quietLockedCardIsReadyInEveryRespect() {
        GpuStatus quiet = status(Optional.of(List.of()), sample(1, 1410, 2), sample(1, 1410, 2));
        assertThat(checks("13.0", gpu("9.0", WHOLE), quiet)).containsExactly(
                new ReadinessCheck("GPU driver", State.READY, "It supports CUDA 13.0."),
                new ReadinessCheck("GPU compute capability", State.READY, "9.0."),
                new ReadinessCheck("GPU memory", State.READY, "99.0 GiB of 100 GiB free."),
                new ReadinessCheck("GPU processes", State.READY, "No compute process is visible."),
                new ReadinessCheck("GPU clocks", State.READY, "Locked at 1410 MHz of at most 1980 MHz."),
                new ReadinessCheck("GPU throttling", State.READY, "Not throttled."),
                new ReadinessCheck("GPU instances", State.READY, "MIG is off."),
                new ReadinessCheck("GPU display", State.READY, "No display."));
    }

    @Test
    void whatSpoilsFiguresNeedsAttentionWithItsReason() {
        GpuSettings shared = new GpuSettings(null, null, null, null, true, null, true, null, null, null);
        GpuStatus busy = status(Optional.of(List.of(new GpuProcess(4711, 300L << 20), new GpuProcess(4712, null))),
                sample(80, 1980, 0), sample(80, 1200, 0x44));
        assertThat(checks("10.2", gpu("7.5", shared), busy)).containsExactly(
                new ReadinessCheck("GPU driver", State.ATTENTION,
                        "It supports CUDA 10.2; the cuda backend needs 11.4. Install a newer driver."),
                new ReadinessCheck("GPU compute capability", State.ATTENTION,
                        "7.5: the cuda backend needs 8.0 or newer (A100, RTX 30 and later)."),
                new ReadinessCheck("GPU memory", State.ATTENTION,
                        "20.0 GiB of 100 GiB free: end programs that use the GPU, or choose a smaller engine."),
                new ReadinessCheck("GPU processes", State.ATTENTION,
                        "2 compute processes: pid 4711 with 300 MiB, pid 4712. End all but Inferometer's own."),
                new ReadinessCheck("GPU clocks", State.ATTENTION,
                        "Not locked: 1200 to 1980 MHz within a third of a second. "
                                + "Lock them while measuring (nvidia-smi --lock-gpu-clocks)."),
                new ReadinessCheck("GPU throttling", State.ATTENTION,
                        "Throttled by power limit, temperature (hardware). Let the card cool, or raise the limit."),
                new ReadinessCheck("GPU instances", State.ATTENTION,
                        "MIG is on: an engine gets one instance, and utilisation and power are not reported."),
                new ReadinessCheck("GPU display", State.ATTENTION,
                        "A display takes time and memory of this card. Use another card, or disconnect the display."));
    }

    @Test
    void whatTheDriverDoesNotTellIsNotChecked() {
        GpuDescription silent = new GpuDescription(0, "NVIDIA GPU", null, null, null, GpuSettings.UNKNOWN);
        assertThat(checks("", silent, null)).hasSize(8).allMatch(each -> each.state() == State.NOT_CHECKED);
        assertThat(checks("", silent, status(Optional.empty(), GpuSample.unread(0)))).hasSize(8)
                .allMatch(each -> each.state() == State.NOT_CHECKED);
        assertThat(GpuReadiness.of(GpuReport.none("No GPU.", List.of()), List.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10.2, ATTENTION", "11.0, ATTENTION", "11.8, ATTENTION", "12.0, ATTENTION", "12.1, READY",
            "12.10, READY", "13.0, READY", "x, NOT_CHECKED"})
    void driversAreComparedByTheirNumbers(String cuda, State expected) {
        assertThat(checks(cuda, gpu("9.0", WHOLE), null).getFirst().state()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"7.5, ATTENTION, needs 8.0", "8.0, READY, in software", "8.6, READY, in software", "8.9, READY, 8.9.",
            "12.0, READY, 12.0."})
    void cardsAreComparedByTheirComputeCapability(String capability, State expected, String words) {
        ReadinessCheck check = checks("13.0", gpu(capability, WHOLE), null).get(1);
        assertThat(check.state()).isEqualTo(expected);
        assertThat(check.reason()).contains(words);
    }

    @Test
    void idleClockSaysNothingOfALockAndASteadyOneOnlyHintsAtIt() {
        GpuDescription gpu = gpu("9.0", WHOLE);
        assertThat(check("GPU clocks", gpu, status(Optional.empty(), sample(1, 345, 1)))).isEqualTo(new ReadinessCheck(
                "GPU clocks", State.NOT_CHECKED, "Idle at 345 MHz of at most 1980 MHz. A lock shows only under load."));
        assertThat(check("GPU clocks", gpu, status(Optional.empty(), sample(1, 1980, 0))))
                .isEqualTo(new ReadinessCheck("GPU clocks", State.NOT_CHECKED,
                        "One reading: 1980 MHz of at most 1980 MHz. Two readings are needed to see changes."));
        assertThat(check("GPU clocks", gpu, status(Optional.empty(), sample(1, 1980, 0), sample(1, 1980, 0))))
                .isEqualTo(new ReadinessCheck("GPU clocks", State.READY,
                        "Steady at 1980 MHz of at most 1980 MHz for a third of a second. The driver does not report locks."));
    }

    @Test
    void factsLeaveOutWhatIsNotTold() {
        GpuDescription silent = new GpuDescription(0, "NVIDIA GPU", null, null, null, GpuSettings.UNKNOWN);
        assertThat(GpuFacts.settings(silent)).isEmpty();
        assertThat(GpuFacts.readings(silent, status(Optional.empty(), GpuSample.unread(0)))).isEmpty();
        assertThat(GpuFacts.settings(gpu("9.0", WHOLE))).contains(new Fact("Power limit", "600 W, usually 700 W"),
                new Fact("Link", "PCIe 1.0 x16 now, at most PCIe 5.0 x16"),
                new Fact("Modes", "ECC on, MIG off, persistence on, display off"));
        assertThat(GpuFacts.readings(gpu("9.0", WHOLE), status(Optional.of(List.of()), sample(1, 345, 1))))
                .containsExactly(new Fact("Memory in use", "1.00 GiB of 100 GiB"),
                        new Fact("Busy", "87 %, memory 41 %"), new Fact("Power", "313 of 600 W"),
                        new Fact("Temperature", "64 °C"), new Fact("Clocks", "SM 345 MHz, memory 3201 MHz"),
                        new Fact("Throttled by", "nothing (idle)"), new Fact("Processes", "none visible"));
    }
}
