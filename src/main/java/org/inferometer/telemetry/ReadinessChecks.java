package org.inferometer.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.telemetry.ReadinessCheck.State;
import org.inferometer.units.QuantityText;

/// Checks whether a machine is ready for measuring. Pure.
public final class ReadinessChecks {
    /// CPU use of other programs that slows down runs by more than the usual spread.
    private static final double QUIET_LOAD = 0.05;
    /// Below this the system starts to reclaim pages, mapped weights first.
    private static final double LEAST_FREE_MEMORY = 0.10;
    private static final int LEAST_CORES = 2;

    private ReadinessChecks() {}

    /// Every check, in display order.
    public static List<ReadinessCheck> of(MachineReport machine) {
        List<ReadinessCheck> checks =
                new ArrayList<>(List.of(cores(machine), memory(machine), load(machine.backgroundLoad()),
                        governor(machine.governor()), power(machine.onBattery()), gpu(machine.gpus())));
        checks.addAll(GpuReadiness.of(machine.gpus(), machine.gpuStatus()));
        return List.copyOf(checks);
    }

    private static ReadinessCheck cores(MachineReport machine) {
        int cores = machine.logicalCores();
        return cores >= LEAST_CORES ? new ReadinessCheck("CPU cores", State.READY, cores + " can be used.")
                : new ReadinessCheck("CPU cores", State.ATTENTION,
                        "1 core: load generator and engine share it. Use a machine with two or more.");
    }

    private static ReadinessCheck memory(MachineReport machine) {
        String seen = QuantityText.bytes(machine.freeMemoryBytes()) + " of " + QuantityText.bytes(machine.memoryBytes())
                + " free";
        return machine.freeMemoryBytes() >= LEAST_FREE_MEMORY * machine.memoryBytes()
                ? new ReadinessCheck("Free memory", State.READY, seen + ".") : new ReadinessCheck("Free memory",
                        State.ATTENTION, seen + ": close other programs or choose a smaller model.");
    }

    private static ReadinessCheck load(OptionalDouble load) {
        if (load.isEmpty()) {
            return new ReadinessCheck("Background load", State.NOT_CHECKED, "Not reported by the system.");
        }
        String seen = String.format(Locale.ROOT, "Other programs use %.1f %% of the CPU", load.getAsDouble() * 100);
        return load.getAsDouble() <= QUIET_LOAD ? new ReadinessCheck("Background load", State.READY, seen + ".")
                : new ReadinessCheck("Background load", State.ATTENTION, seen + ": end them before measuring.");
    }

    private static ReadinessCheck governor(Optional<String> governor) {
        if (governor.isEmpty()) {
            return new ReadinessCheck("CPU governor", State.NOT_CHECKED,
                    "Not readable here, as in most virtual machines.");
        }
        return governor.get().equals("performance") ? new ReadinessCheck("CPU governor", State.READY, "performance.")
                : new ReadinessCheck("CPU governor", State.ATTENTION, governor.get()
                        + ": the clock follows the load, so short runs look slow. Choose \"performance\" while measuring.");
    }

    private static ReadinessCheck power(Optional<Boolean> onBattery) {
        if (onBattery.isEmpty()) {
            return new ReadinessCheck("Power", State.NOT_CHECKED, "No battery found.");
        }
        return onBattery.get()
                ? new ReadinessCheck("Power", State.ATTENTION, "On battery: the clock is reduced. Plug the machine in.")
                : new ReadinessCheck("Power", State.READY, "On mains.");
    }

    private static ReadinessCheck gpu(GpuReport gpus) {
        return gpus.gpus().isEmpty()
                ? new ReadinessCheck("NVIDIA GPU", State.ABSENT, "None can be read; the CPU computes.")
                : new ReadinessCheck("NVIDIA GPU", State.READY, gpus.explanation());
    }
}
