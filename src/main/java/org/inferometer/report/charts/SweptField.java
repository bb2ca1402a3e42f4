package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.report.compare.CellSettings;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.results.ResultFiles;

/// A numeric setting with several values in an experiment: the axis of a sweep.
///
/// @param name as in `--sweep`, options with their owner: "rate", "prompt_tokens", "backend.threads"
/// @param values `[distinct]` ascending
record SweptField(String name, List<Double> values) {
    /// Fewer values are cells side by side.
    private static final int LEAST_VALUES = 3;
    private static final List<String> FIRST =
            List.of(Measure.RATE.id(), Measure.CONCURRENCY.id(), "prompt_tokens", "output_tokens");
    private static final String TARGET = "target";
    private static final Set<String> PARTS = Set.of("engine", "scheduler", "backend", TARGET);

    /// The swept fields: loads first, then lengths, then by number of values. A field that follows from one before is not among them.
    static List<SweptField> of(List<ComparedCell> cells) {
        List<Map<String, String>> settings = cells.stream().map(SweptField::settings).toList();
        Set<String> names = settings.stream().flatMap(each -> each.keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<SweptField> fields = new ArrayList<>();
        for (String name : names) {
            List<String> texts =
                    settings.stream().filter(each -> each.containsKey(name)).map(each -> each.get(name)).toList();
            if (texts.stream().allMatch(SweptField::isNumber)) {
                List<Double> values = texts.stream().map(Double::valueOf).distinct().sorted().toList();
                if (values.size() >= LEAST_VALUES) {
                    fields.add(new SweptField(name, values));
                }
            }
        }
        fields.sort(Comparator
                .comparingInt(
                        (SweptField field) -> FIRST.contains(field.name) ? FIRST.indexOf(field.name) : FIRST.size())
                .thenComparing(field -> -field.values.size()));
        List<SweptField> independent = new ArrayList<>();
        fields.stream()
                .filter(field -> independent.stream().noneMatch(before -> follows(field.name, before.name, settings)))
                .forEach(independent::add);
        return independent;
    }

    /// Its value in a cell; NaN where the cell has none.
    double value(ComparedCell cell) {
        String text = settings(cell).get(name);
        return text == null ? Double.NaN : Double.parseDouble(text);
    }

    /// Name and unit for an axis.
    String label() {
        return switch (name) {
            case "rate" -> "offered, requests/s";
            case "concurrency" -> "requests in flight";
            default -> name.replace('_', ' ');
        };
    }

    /// Its name in a title.
    String title() {
        return name.equals("rate") ? "offered rate" : label();
    }

    /// Whether it is a strength of load.
    boolean isLoad() {
        return FIRST.indexOf(name) >= 0 && FIRST.indexOf(name) < 2;
    }

    /// Whether it is the length of a prompt or an answer.
    boolean isLength() {
        return FIRST.indexOf(name) >= 2;
    }

    /// The cells that have it, by what else varies: "tiny-int4 · continuous". The cells of a curve ascend by the field.
    Map<String, List<ComparedCell>> curves(List<ComparedCell> cells) {
        List<Map<String, String>> settings = cells.stream().map(SweptField::settings).toList();
        Set<String> names = settings.stream().flatMap(each -> each.keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        names.removeIf(each -> each.equals(name) || each.equals(CellSettings.WORKLOAD)
                || settings.stream().map(all -> all.getOrDefault(each, "")).distinct().count() < 2
                || follows(each, name, settings));
        Map<String, List<ComparedCell>> curves = new LinkedHashMap<>();
        for (ComparedCell cell : cells) {
            Map<String, String> own = settings(cell);
            if (own.containsKey(name)) {
                String curve =
                        names.stream().filter(own::containsKey)
                                .map(each -> each.startsWith(TARGET) ? cell.subject().system()
                                        : part(each, own.getOrDefault(each, "")))
                                .distinct().collect(Collectors.joining(" · "));
                curves.computeIfAbsent(curve.isEmpty() ? cell.name() : curve, each -> new ArrayList<>()).add(cell);
            }
        }
        curves.values().forEach(curve -> curve.sort(Comparator.comparingDouble(this::value)));
        return curves;
    }

    private static String part(String name, String value) {
        return PARTS.contains(name) ? value : name.substring(name.indexOf('.') + 1) + " " + value;
    }

    /// Whether each value of one setting goes with a single value of another, so that it is no choice of its own.
    private static boolean follows(String name, String from, List<Map<String, String>> settings) {
        Map<String, String> seen = new LinkedHashMap<>();
        return !PARTS.contains(name) && settings.stream().allMatch(each -> {
            String value = each.getOrDefault(name, "");
            return value.equals(seen.computeIfAbsent(each.getOrDefault(from, ""), key -> value));
        });
    }

    /// With the strength of the load in place of its arrivals.
    private static Map<String, String> settings(ComparedCell compared) {
        Cell cell = compared.summary().cell();
        Map<String, String> settings = new LinkedHashMap<>(CellSettings.of(cell));
        if (cell.subject().platform().equals(ResultFiles.IMPORTED)) {
            settings.remove("requests"); // a result of the run, not a choice
        }
        for (Measure measure : Measure.values()) {
            measure.of(cell.workload().arrivals()).ifPresent(value -> {
                settings.remove("arrivals");
                settings.put(measure.id(), Double.toString(value));
            });
        }
        return settings;
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d{1,15}(\\.\\d{1,15})?([eE]-?\\d{1,3})?");
    }
}
