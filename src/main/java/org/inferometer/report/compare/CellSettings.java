package org.inferometer.report.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.options.Selection;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.exchange.ReportedArrivals;
import org.inferometer.workload.WorkloadSpec;

/// The settings of a cell by name: subject, its options as `scheduler.chunk`, limits, and the fields of its workload.
public final class CellSettings {
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
                settings.put(field.name(), ComparedSide.UNKNOWN);
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
}
