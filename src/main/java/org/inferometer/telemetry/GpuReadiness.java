package org.inferometer.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.ReadinessCheck.State;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// Checks whether GPUs are ready for measuring. Pure.
final class GpuReadiness {
    /// Requirements of the cuda backend's kernels, and of the kernels with FP8 conversion in hardware.
    private static final double LEAST_CUDA = 11.4;
    private static final double NEWER_CUDA = 12.1;
    private static final double LEAST_CAPABILITY = 8.0;
    private static final double NEWER_CAPABILITY = 8.9;
    /// An idle card has nearly all of its memory free.
    private static final double LEAST_FREE_MEMORY = 0.25;
    private static final int NAMED_PROCESSES = 3;

    private final String prefix;
    private final GpuDescription gpu;
    private final @Nullable GpuStatus status;

    private GpuReadiness(String prefix, GpuDescription gpu, @Nullable GpuStatus status) {
        this.prefix = prefix;
        this.gpu = gpu;
        this.status = status;
    }

    /// The driver's check, then those of each GPU; none without a GPU.
    ///
    /// @param statuses current readings; a GPU without one is checked by its description alone
    static List<ReadinessCheck> of(GpuReport report, List<GpuStatus> statuses) {
        if (report.gpus().isEmpty()) {
            return List.of();
        }
        List<ReadinessCheck> checks = new ArrayList<>(List.of(driver(report.cudaVersion())));
        for (GpuDescription gpu : report.gpus()) {
            String prefix = report.gpus().size() == 1 ? "GPU " : "GPU " + gpu.index() + " ";
            Optional<GpuStatus> status = statuses.stream().filter(each -> each.index() == gpu.index()).findFirst();
            GpuReadiness each = new GpuReadiness(prefix, gpu, status.orElse(null));
            checks.addAll(List.of(each.kernels(), each.memory(), each.processes(), each.clocks(), each.throttling(),
                    each.instances(), each.display()));
        }
        return checks;
    }

    private static ReadinessCheck driver(String cudaVersion) {
        String name = "GPU driver";
        double version = DriverText.number(cudaVersion);
        if (Double.isNaN(version)) {
            return new ReadinessCheck(name, State.NOT_CHECKED, "The driver does not report its CUDA version.");
        }
        if (older(cudaVersion, LEAST_CUDA)) {
            return new ReadinessCheck(name, State.ATTENTION,
                    "It supports CUDA " + cudaVersion + "; the cuda backend needs 11.4. Install a newer driver.");
        }
        return older(cudaVersion, NEWER_CUDA) ? new ReadinessCheck(name, State.ATTENTION, "It supports CUDA "
                + cudaVersion
                + ": enough to compute, but the kernels with FP8 conversions in hardware need 12.1. Install a newer driver for them.")
                : new ReadinessCheck(name, State.READY, "It supports CUDA " + cudaVersion + ".");
    }

    /// Whether "12.4" is older than 12.1: by major, then minor, since 12.10 comes after 12.9.
    private static boolean older(String version, double least) {
        String[] parts = version.split("\\.", -1);
        int major = (int) DriverText.number(parts[0]);
        int minor = parts.length > 1 ? (int) DriverText.number(parts[1]) : 0;
        int leastMajor = (int) least;
        int leastMinor = (int) Math.round((least - leastMajor) * 10);
        return major < leastMajor || (major == leastMajor && minor < leastMinor);
    }

    private ReadinessCheck kernels() {
        String capability = gpu.capability().orElse("");
        if (capability.isEmpty()) {
            return check("compute capability", State.NOT_CHECKED, "Not reported by the driver.");
        }
        if (older(capability, LEAST_CAPABILITY)) {
            return check("compute capability", State.ATTENTION,
                    capability + ": the cuda backend needs 8.0 or newer (A100, RTX 30 and later).");
        }
        return check("compute capability", State.READY,
                older(capability, NEWER_CAPABILITY)
                        ? capability + ": FP8 is converted in software; cards from 8.9 on do it in hardware."
                        : capability + ".");
    }

    private ReadinessCheck memory() {
        Long used = status == null ? null : status.usedBytes();
        Long total = gpu.totalBytes();
        if (used == null || total == null || total <= 0) {
            return check("memory", State.NOT_CHECKED, "Not reported by the driver.");
        }
        long free = Math.max(0, total - used);
        String seen = QuantityText.bytes(free) + " of " + QuantityText.bytes(total) + " free";
        return free >= LEAST_FREE_MEMORY * total ? check("memory", State.READY, seen + ".") : check("memory",
                State.ATTENTION, seen + ": end programs that use the GPU, or choose a smaller engine.");
    }

    private ReadinessCheck processes() {
        List<GpuProcess> processes = status == null ? null : status.processes();
        if (processes == null) {
            return check("processes", State.NOT_CHECKED, "Not reported by the driver.");
        }
        if (processes.isEmpty()) {
            return check("processes", State.READY, "No compute process is visible.");
        }
        String named = processes.stream().limit(NAMED_PROCESSES).map(GpuFacts::process)
                .collect(Collectors.joining(", "))
                + (processes.size() > NAMED_PROCESSES ? " and " + (processes.size() - NAMED_PROCESSES) + " more" : "");
        String count = processes.size() == 1 ? "1 compute process: " : processes.size() + " compute processes: ";
        return check("processes", State.ATTENTION, count + named + ". End all but Inferometer's own.");
    }

    private ReadinessCheck clocks() {
        Double now = status == null ? null : status.smClockMegahertz();
        if (status == null || now == null) {
            return check("clocks", State.NOT_CHECKED, "Not reported by the driver.");
        }
        Double lowest = status.lowestSmClockMegahertz();
        Double highest = status.highestSmClockMegahertz();
        Double most = gpu.settings().mostSmClockMegahertz();
        String ofMost = most == null ? "" : String.format(Locale.ROOT, " of at most %.0f MHz", most);
        if (Boolean.TRUE.equals(status.clocksSet())) {
            return check("clocks", State.READY,
                    String.format(Locale.ROOT, "Locked at %.0f MHz%s.", highest == null ? now : highest, ofMost));
        }
        if (lowest != null && highest != null && highest > lowest) {
            return check("clocks", State.ATTENTION, String.format(Locale.ROOT,
                    "Not locked: %.0f to %.0f MHz within a third of a second%s. Lock them while measuring (nvidia-smi --lock-gpu-clocks).",
                    lowest, highest, ofMost));
        }
        if (Boolean.TRUE.equals(status.idle())) {
            return check("clocks", State.NOT_CHECKED,
                    String.format(Locale.ROOT, "Idle at %.0f MHz%s. A lock shows only under load.", now, ofMost));
        }
        return highest == null
                ? check("clocks", State.NOT_CHECKED,
                        String.format(Locale.ROOT, "One reading: %.0f MHz%s. Two readings are needed to see changes.",
                                now, ofMost))
                : check("clocks", State.READY,
                        String.format(Locale.ROOT,
                                "Steady at %.0f MHz%s for a third of a second. The driver does not report locks.",
                                highest, ofMost));
    }

    private ReadinessCheck throttling() {
        List<String> reasons = status == null ? null : status.slowedBy();
        if (reasons == null) {
            return check("throttling", State.NOT_CHECKED, "Not reported by the driver.");
        }
        return reasons.isEmpty() ? check("throttling", State.READY, "Not throttled.")
                : check("throttling", State.ATTENTION,
                        "Throttled by " + String.join(", ", reasons) + ". Let the card cool, or raise the limit.");
    }

    private ReadinessCheck instances() {
        Boolean mig = gpu.settings().mig();
        if (mig == null) {
            return check("instances", State.NOT_CHECKED, "Not reported, as on cards without MIG.");
        }
        return mig
                ? check("instances", State.ATTENTION,
                        "MIG is on: an engine gets one instance, and utilisation and power are not reported.")
                : check("instances", State.READY, "MIG is off.");
    }

    private ReadinessCheck display() {
        Boolean display = gpu.settings().display();
        if (display == null) {
            return check("display", State.NOT_CHECKED, "Not reported by the driver.");
        }
        return display
                ? check("display", State.ATTENTION,
                        "A display takes time and memory of this card. Use another card, or disconnect the display.")
                : check("display", State.READY, "No display.");
    }

    private ReadinessCheck check(String what, State state, String reason) {
        return new ReadinessCheck(prefix + what, state, reason);
    }
}
