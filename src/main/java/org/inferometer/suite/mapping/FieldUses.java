package org.inferometer.suite.mapping;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.suite.mapping.MappedTest.MappedField;
import org.inferometer.suite.mapping.MappedTest.MappedField.Use;
import org.inferometer.suite.serving.Section;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Collects what becomes of each field of a configuration; a field that no one names is not used.
final class FieldUses {
    /// Why fields are not used: the longest part of a path that fits.
    private static final Map<String, String> REASONS = Map.ofEntries(Map.entry("metadata", "It describes the test."),
            Map.entry("metadata.metrics", "Figures come from this program's record."),
            Map.entry("benchmark.metrics", "Figures come from this program's record."),
            Map.entry("metadata.accuracy", "It belongs to an accuracy test."),
            Map.entry("accuracy", "It belongs to an accuracy test."),
            Map.entry("slurm", "It belongs to a job of TensorRT-LLM."),
            Map.entry("environment", "It belongs to a launch of TensorRT-LLM."),
            Map.entry("hardware", "The machine has what it has."), Map.entry("profiling", "Nsight does not run here."),
            Map.entry("benchmark", "This program's own client measures."),
            Map.entry("sequence", "It is an older spelling, and the benchmark's fields are used."));

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, MappedField> uses = new LinkedHashMap<>();
    private final List<String> blocked = new ArrayList<>();

    FieldUses(Section file) {
        collect("", file.values());
    }

    private void collect(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> mapping && !mapping.isEmpty()) {
            mapping.forEach((key, inner) -> collect(path.isEmpty() ? String.valueOf(key) : path + "." + key, inner));
        } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
            for (int i = 0; i < list.size(); i++) {
                collect(path + "[" + i + "]", list.get(i));
            }
        } else {
            values.put(path, value == null ? "" : OneLine.of(value.toString()));
        }
    }

    /// Notes why the test cannot run here.
    void block(String sentence) {
        blocked.add(sentence);
    }

    /// Why the test cannot run here; empty if it can.
    List<String> blocked() {
        return blocked;
    }

    /// Notes a use if the configuration has the field.
    void used(String path, String sentence) {
        note(path, Use.USED, sentence);
    }

    /// Notes another use than the configuration means.
    void changed(String path, String sentence) {
        note(path, Use.CHANGED, sentence);
    }

    /// Notes that a field, or all below it, does nothing.
    void unused(String path, String sentence) {
        note(path, Use.NOT_USED, sentence);
        values.keySet().stream().filter(each -> each.startsWith(path + ".")).toList()
                .forEach(each -> note(each, Use.NOT_USED, sentence));
    }

    /// Notes a use of all fields below a path.
    void allUsed(String path, String sentence) {
        values.keySet().stream().filter(each -> each.startsWith(path + ".")).toList()
                .forEach(each -> note(each, Use.USED, sentence));
    }

    /// Notes that fields below a path do nothing, unless a use is noted.
    void restUnused(String path, String sentence) {
        values.keySet().stream().filter(each -> each.startsWith(path + ".") && !uses.containsKey(each)).toList()
                .forEach(each -> note(each, Use.NOT_USED, sentence));
    }

    private void note(String path, Use use, String sentence) {
        Optional.ofNullable(values.get(path))
                .ifPresent(value -> uses.put(path, new MappedField(path, value, use, sentence)));
    }

    /// All fields, in the order of the file.
    ///
    /// @param other why a worker's field is not used
    List<MappedField> all(String other) {
        List<MappedField> fields = new ArrayList<>();
        values.forEach((path, value) -> {
            MappedField use = uses.get(path);
            fields.add(use != null ? use : new MappedField(path, value, Use.NOT_USED, reason(path, other)));
        });
        return fields;
    }

    private static String reason(String path, String other) {
        String part = path;
        while (!part.isEmpty()) {
            String reason = REASONS.get(part);
            if (reason != null) {
                return reason;
            }
            part = part.substring(0, Math.max(0, part.lastIndexOf('.')));
        }
        return other;
    }
}
