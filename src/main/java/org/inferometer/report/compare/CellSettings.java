package org.inferometer.report.compare;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.finding.PairContrast.SettingChange;
import org.inferometer.options.Selection;
import org.inferometer.report.ArrivalText;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.FigureText;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.exchange.ReportedArrivals;
import org.inferometer.workload.WorkloadSpec;

/// The settings of a cell by name: subject, its options as `scheduler.chunk`, limits, and the fields of its workload.
public final class CellSettings {
    private static final Set<String> LIMITS = EngineLimits.names();
    /// The key of a workload's name.
    public static final String WORKLOAD = "workload";
    /// The key of an engine's name.
    static final String ENGINE = "engine";

    private CellSettings() {}

    /// The settings that are set or have a default of their own, as text, in a fixed order.
    public static Map<String, String> of(Cell cell) {
        Map<String, String> settings = new LinkedHashMap<>();
        switch (cell.subject()) {
            case EngineSubject(String engine, Selection scheduler, Selection backend, var limits) -> {
                settings.put(ENGINE, engine);
                put(settings, "scheduler", scheduler);
                put(settings, "backend", backend);
                settings.putAll(limits.asked());
            }
            case TargetSubject(Selection target) -> put(settings, "target", target);
        }
        WorkloadSpec load = cell.workload();
        boolean stated =
                !cell.subject().platform().equals(ResultFiles.IMPORTED) || ReportedArrivals.in(load).isPresent();
        for (Field<WorkloadSpec, ?> field : WorkloadFields.ALL) {
            List<String> texts = field.write(load);
            String value = texts.isEmpty() ? field.standard() : String.join(", ", texts);
            if (field.name().equals("arrivals") && !stated) {
                settings.put(field.name(), FigureText.NOT_KNOWN);
            } else if (!value.isEmpty()) {
                settings.put(field.name().equals("name") ? WORKLOAD : field.name(), value);
            }
        }
        return settings;
    }

    private static void put(Map<String, String> settings, String part, Selection selection) {
        settings.put(part, selection.name());
        selection.options().forEach((option, value) -> settings.put(part + "." + option, value));
    }

    /// The settings of two cells that differ.
    static List<SettingChange> changes(Cell base, Cell candidate) {
        Map<String, String> before = of(base);
        Map<String, String> after = of(candidate);
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
        cells.forEach(cell -> names.addAll(of(cell).keySet()));
        return cells.stream().map(cell -> {
            Map<String, String> settings = of(cell);
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
