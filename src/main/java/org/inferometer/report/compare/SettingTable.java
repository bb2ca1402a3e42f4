package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.compare.ComparedSide.Server;
import org.inferometer.units.QuantityText;

/// The settings and the environment of compared sides, a column a side: those that differ, or all.
///
/// @param sides each once, the first base first
public record SettingTable(List<ComparedSide> sides) {
    private static final int MOST_SIDES = 8;

    /// Of a comparison.
    public static SettingTable of(ResultComparison comparison) {
        return new SettingTable(ResultComparison.sides(comparison.pairs()));
    }

    /// The table; empty where nothing differs, or without two sides.
    ///
    /// @param all whether equal settings are shown, too
    public Optional<ReportTable> table(boolean all) {
        if (sides.size() < 2) {
            return Optional.empty();
        }
        List<ComparedSide> shown = sides.stream().limit(MOST_SIDES).toList();
        List<Row> rows = new ArrayList<>();
        section("Settings", settings(shown), all, rows);
        section("Environment", shown.stream().map(side -> environment(side.machine())).toList(), all, rows);
        SideNames names = new SideNames(sides);
        List<Column> columns =
                Stream.concat(Stream.of("Setting"), shown.stream().map(names::of)).map(Column::text).toList();
        List<String> notes = sides.size() == shown.size() ? List.of()
                : List.of("The first " + shown.size() + " of " + sides.size() + " cells.");
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(new ReportTable(all ? "All settings" : "Settings that differ", "", columns, rows, notes));
    }

    private static void section(String heading, List<Map<String, String>> ofSides, boolean all, List<Row> rows) {
        List<Row> section = Row.ofNames(ofSides, all);
        if (!section.isEmpty()) {
            rows.add(Row.heading(heading));
            section.forEach(row -> rows.add(row.indented()));
        }
    }

    private static List<Map<String, String>> settings(List<ComparedSide> sides) {
        List<Map<String, String>> labelled = CellSettings.labelled(sides.stream().map(ComparedSide::cell).toList());
        List<Map<String, String>> all = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            ComparedSide side = sides.get(i);
            Map<String, String> settings = new LinkedHashMap<>();
            settings.put("model", Objects.requireNonNullElse(side.model(), FigureText.NOT_KNOWN));
            if (!(side.origin().server() instanceof Server.None)) {
                settings.put("server", KnownVariation.text(side.origin().server()));
            }
            settings.putAll(labelled.get(i));
            settings.put("seeds", side.workloads().isEmpty() ? FigureText.NOT_KNOWN
                    : side.workloads().keySet().stream().map(String::valueOf).collect(Collectors.joining(", ")));
            settings.put("window while measuring",
                    Objects.requireNonNullElse(side.origin().window(), FigureText.NOT_KNOWN));
            all.add(settings);
        }
        return all;
    }

    private static Map<String, String> environment(MachineDescription machine) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("processor", machine.processor());
        properties.put("logical cores",
                machine.logicalCores() == 0 ? FigureText.NOT_KNOWN : Integer.toString(machine.logicalCores()));
        properties.put("memory",
                machine.memoryBytes() == 0 ? FigureText.NOT_KNOWN : QuantityText.bytes(machine.memoryBytes()));
        properties.put("GPU",
                !machine.gpus().isEmpty() ? String.join(", ", machine.gpus()) : machine.hasProcessor() ? "none"
                        : FigureText.NOT_KNOWN);
        properties.putAll(SideDifferences.environment(machine));
        return properties;
    }
}
