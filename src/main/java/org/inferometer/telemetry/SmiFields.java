package org.inferometer.telemetry;

import java.util.List;
import java.util.Map;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.telemetry.GpuSettings.PcieLink;
import org.jspecify.annotations.Nullable;

/// Which fields nvidia-smi is asked for, and what its answers mean: MiB, per cent, watts, MHz and degrees without their units.
///
/// "[N/A]", "[Not Supported]" and everything else that is no number is absent.
final class SmiFields {
    static final String QUERY_GPU = "--query-gpu";
    static final String QUERY_PROCESSES = "--query-compute-apps";
    static final List<String> OF_A_CARD = List.of("index", "uuid", "name", "driver_version", "memory.total",
            "compute_cap", "enforced.power.limit", "pci.bus_id", "pcie.link.gen.current", "pcie.link.width.current",
            "pcie.link.gen.max", "pcie.link.width.max", "ecc.mode.current", "mig.mode.current", "persistence_mode",
            "display_active", "power.default_limit", "clocks.max.sm", "clocks.max.memory");
    static final List<String> OF_A_SAMPLE = List.of("memory.used", "utilization.gpu", "power.draw", "clocks.sm",
            "temperature.gpu", "clocks_event_reasons.active", "clocks_throttle_reasons.active", "utilization.memory",
            "clocks.mem");
    static final List<String> OF_A_PROCESS = List.of("pid", "used_gpu_memory");
    private static final double MIB = 1 << 20;

    private SmiFields() {}

    static GpuDescription description(Map<String, String> row) {
        GpuSettings settings = new GpuSettings(word(row, "pci.bus_id"),
                PcieLink.of(number(row, "pcie.link.gen.current"), number(row, "pcie.link.width.current")),
                PcieLink.of(number(row, "pcie.link.gen.max"), number(row, "pcie.link.width.max")),
                mode(row, "ecc.mode.current"), mode(row, "mig.mode.current"), mode(row, "persistence_mode"),
                mode(row, "display_active"), DriverText.orAbsent(number(row, "power.default_limit")),
                DriverText.orAbsent(number(row, "clocks.max.sm")),
                DriverText.orAbsent(number(row, "clocks.max.memory")));
        String name = word(row, "name");
        Long total = bytes(number(row, "memory.total"));
        return new GpuDescription(index(row), name == null ? "NVIDIA GPU" : name, total, word(row, "compute_cap"),
                DriverText.orAbsent(number(row, "enforced.power.limit")), settings);
    }

    static GpuSample sample(int index, Map<String, String> row) {
        double reasons = number(row, "clocks_event_reasons.active");
        return new GpuSample(index, number(row, "memory.used") * MIB,
                DriverText.percent(number(row, "utilization.gpu")), number(row, "power.draw"), Double.NaN,
                number(row, "clocks.sm"), number(row, "temperature.gpu"),
                Double.isNaN(reasons) ? number(row, "clocks_throttle_reasons.active") : reasons,
                DriverText.percent(number(row, "utilization.memory")), number(row, "clocks.mem"));
    }

    /// The card's number; 0 where not told, which is then the only card.
    static int index(Map<String, String> row) {
        double index = number(row, "index");
        return index < 1024 ? (int) index : 0;
    }

    static @Nullable Long bytes(double mebibytes) {
        return mebibytes < Long.MAX_VALUE / MIB ? Long.valueOf((long) (mebibytes * MIB)) : null;
    }

    static double number(Map<String, String> row, String field) {
        return DriverText.number(row.getOrDefault(field, ""));
    }

    private static @Nullable String word(Map<String, String> row, String field) {
        String word = row.getOrDefault(field, "");
        return word.isEmpty() || word.startsWith("[") || word.equals("N/A") ? null : word;
    }

    private static @Nullable Boolean mode(Map<String, String> row, String field) {
        return switch (row.getOrDefault(field, "")) {
            case "Enabled", "Yes" -> Boolean.TRUE;
            case "Disabled", "No" -> Boolean.FALSE;
            default -> null;
        };
    }
}
