package org.inferometer.target.http;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.inferometer.record.RunEvent.GpuQuantity;

/// Reads the pages of a DCGM exporter, one after another. For one thread.
///
/// A GPU is known by its UUID; where several machines have one of the same index, the later ones get a label of their own: "0.1".
final class GpuPage {
    private static final int MOST_GPUS = 256;
    private static final int MOST_SHOWN = 16;

    /// A field of the exporter.
    ///
    /// @param unit of the exporter in that of the quantity
    /// @param most a larger value stands for none: the exporter writes huge numbers where a GPU has no reading
    private record Field(GpuQuantity quantity, double unit, double most) {}

    private static final Map<String, Field> FIELDS = Map.of("DCGM_FI_DEV_POWER_USAGE",
            new Field(GpuQuantity.POWER, 1, 1e5), "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
            new Field(GpuQuantity.ENERGY, 1e-3, 1e15), "DCGM_FI_DEV_FB_USED",
            new Field(GpuQuantity.MEMORY, 1 << 20, 1e8), "DCGM_FI_DEV_GPU_UTIL", new Field(GpuQuantity.USE, 1, 100));
    private final Set<String> chosen;
    private final Map<String, String> labels = new LinkedHashMap<>(); // by UUID
    private final Set<String> missing = new TreeSet<>();

    /// @param chosen indices of the GPUs to read; empty for all
    GpuPage(Set<String> chosen) {
        this.chosen = chosen;
        missing.addAll(chosen);
    }

    /// The readings of the chosen GPUs. Lines of a GPU that differ in other labels are one reading, the largest; memory of its instances is
    /// added.
    MetricsPage read(String text) {
        Map<String, Map<String, Double>> byInstance = new TreeMap<>();
        PrometheusText.read(text, FIELDS::containsKey, (name, sample) -> {
            String index = sample.index("gpu");
            if (FIELDS.get(name) instanceof Field field && !index.isEmpty()
                    && (chosen.isEmpty() || chosen.contains(index)) && sample.value() >= 0
                    && sample.value() <= field.most) {
                String gpu = label(index, sample.labels().getOrDefault("UUID", index));
                if (!gpu.isEmpty()) {
                    String instance =
                            field.quantity == GpuQuantity.MEMORY ? sample.labels().getOrDefault("GPU_I_ID", "") : "";
                    byInstance.computeIfAbsent(field.quantity.gauge() + "{gpu=" + gpu + "}", key -> new HashMap<>())
                            .merge(instance, sample.value() * field.unit, Math::max);
                    missing.remove(index);
                }
            }
        });
        Map<String, Double> readings = new LinkedHashMap<>();
        byInstance.forEach(
                (name, values) -> readings.put(name, values.values().stream().mapToDouble(Double::doubleValue).sum()));
        return new MetricsPage(readings, Map.of());
    }

    /// The labels of the GPUs that were read.
    String seen() {
        return shown(labels.values());
    }

    /// The chosen GPUs that no page had; empty if there are none.
    String missing() {
        return shown(missing);
    }

    private static String shown(Collection<String> gpus) {
        return gpus.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "))
                + (gpus.size() > MOST_SHOWN ? " and " + (gpus.size() - MOST_SHOWN) + " more" : "");
    }

    private String label(String index, String uuid) {
        String known = labels.get(uuid);
        if (known != null || labels.size() == MOST_GPUS) {
            return known == null ? "" : known;
        }
        long same = labels.values().stream().filter(label -> label.split("\\.", 2)[0].equals(index)).count();
        labels.put(uuid, same == 0 ? index : index + "." + same);
        return labels.getOrDefault(uuid, "");
    }
}
