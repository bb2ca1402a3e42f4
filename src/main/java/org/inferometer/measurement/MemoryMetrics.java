package org.inferometer.measurement;

import java.util.List;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;

/// The metrics of one series of memory samples: of the device's total or of one owner.
///
/// @param growth peak less the smallest sample
public record MemoryMetrics(Metric peak, Metric mean, Metric least, Metric growth) {
    /// @param id ending of the ids: "kv_cache"
    /// @param label "KV cache"
    /// @param of what is sampled: "the owner's bytes"
    static MemoryMetrics of(String id, String label, String of) {
        return new MemoryMetrics(
                metric("memory_peak_" + id, label + " peak", "largest sample of " + of + " inside the window"),
                metric("memory_mean_" + id, label + " mean", "time-weighted mean of " + of + " inside the window"),
                metric("memory_min_" + id, label + " min", "smallest sample of " + of + " inside the window"),
                metric("memory_growth_" + id, label + " peak − min",
                        "largest less smallest sample of " + of + " inside the window"));
    }

    private static Metric metric(String id, String label, String definition) {
        return new Metric(id, label, Unit.BYTES, Better.LOWER, definition);
    }

    /// All four, in the order in which tables show them.
    public List<Metric> all() {
        return List.of(peak, mean, least, growth);
    }
}
