package org.inferometer.report.compare;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.EngineLimits;

/// The settings of two cells that differ: subject, options, limits and workload.
final class SettingDifferences {
    private static final Set<String> LIMITS = EngineLimits.names();

    private SettingDifferences() {}

    /// "Settings that differ: scheduler naive → continuous; max_batch_size default → 8."; empty where none does.
    static Optional<String> of(Cell base, Cell candidate) {
        List<String> differing = changes(base, candidate);
        return differing.isEmpty() ? Optional.empty()
                : Optional.of("Settings that differ: " + String.join("; ", differing) + ".");
    }

    /// "scheduler naive → continuous", a text a setting that differs.
    static List<String> changes(Cell base, Cell candidate) {
        Map<String, String> before = CellSettings.of(base);
        Map<String, String> after = CellSettings.of(candidate);
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream().filter(name -> !value(before, name).equals(value(after, name)))
                .map(name -> name + " " + value(before, name) + " → " + value(after, name)).toList();
    }

    /// An option or a limit that is not set has its default, where its owner is there at all.
    private static String value(Map<String, String> settings, String name) {
        String owner =
                LIMITS.contains(name) ? "engine" : name.contains(".") ? name.substring(0, name.indexOf('.')) : "";
        return settings.getOrDefault(name, settings.containsKey(owner) ? "default" : "none");
    }
}
