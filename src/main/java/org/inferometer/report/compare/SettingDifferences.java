package org.inferometer.report.compare;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.finding.PairContrast.SettingChange;
import org.inferometer.report.ArrivalText;
import org.inferometer.report.DifferenceText;

/// The settings of two cells that differ: subject, options, limits and workload.
final class SettingDifferences {
    private static final Set<String> LIMITS = EngineLimits.names();

    private SettingDifferences() {}

    static List<SettingChange> changes(Cell base, Cell candidate) {
        Map<String, String> before = CellSettings.of(base);
        Map<String, String> after = CellSettings.of(candidate);
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream().filter(name -> !value(before, name).equals(value(after, name)))
                .map(name -> new SettingChange(label(name), text(base, name, value(before, name)),
                        text(candidate, name, value(after, name))))
                .toList();
    }

    /// The settings of each cell by their labels: of all cells the same ones in the same order.
    static List<Map<String, String>> labelled(List<Cell> cells) {
        Set<String> names = new LinkedHashSet<>();
        cells.forEach(cell -> names.addAll(CellSettings.of(cell).keySet()));
        return cells.stream().map(cell -> {
            Map<String, String> settings = CellSettings.of(cell);
            Map<String, String> labelled = new LinkedHashMap<>();
            names.forEach(name -> labelled.put(label(name), text(cell, name, value(settings, name))));
            return labelled;
        }).toList();
    }

    /// "prompt tokens" of `prompt_tokens`, "scheduler chunk" of `scheduler.chunk`.
    private static String label(String name) {
        return WorkloadFields.ALL.stream().filter(field -> field.name().equals(name))
                .map(field -> DifferenceText.lowerFirst(field.naming().label())).findFirst()
                .orElse(name.replace('.', ' ').replace('_', ' ').replaceFirst("\\bkv\\b", "KV"));
    }

    private static String text(Cell cell, String name, String value) {
        return name.equals(WorkloadFields.ARRIVALS.name()) && value.equals(cell.workload().arrivals().toString())
                ? ArrivalText.of(cell.workload().arrivals()) : value;
    }

    /// An option or a limit that is not set has its default, where its owner is there at all.
    private static String value(Map<String, String> settings, String name) {
        String owner =
                LIMITS.contains(name) ? CellSettings.ENGINE : name.contains(".") ? name.substring(0, name.indexOf('.'))
                        : "";
        return settings.getOrDefault(name, settings.containsKey(owner) ? "default" : "none");
    }
}
