package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.experiment.Field.Arity;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.inferometer.yaml.YamlWriter;

/// Writes an experiment as the YAML file that [SpecReader] reads back, by the same tables of fields.
///
/// Fields that have their default are left out; a workload that is a preset is its name.
public final class SpecWriter {
    private static final Set<Field<ExperimentSpec, ?>> ALWAYS =
            Set.of(ExperimentFields.ENGINES, ExperimentFields.SCHEDULERS, ExperimentFields.TARGETS);
    private static final String MAPPING_SEPARATOR = "\\.";

    private SpecWriter() {}

    /// The text of the file.
    public static String text(ExperimentSpec spec) {
        Map<String, Object> root = new LinkedHashMap<>();
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            List<String> values = field.write(spec);
            if (field.equals(ExperimentFields.WORKLOADS)) {
                root.put(field.name(), spec.workloads().stream().map(SpecWriter::workload).toList());
            } else if (ALWAYS.contains(field) || !values.equals(field.write(ExperimentSpec.STANDARD))) {
                put(root, field, values);
            }
        }
        return YamlWriter.text(root);
    }

    private static Object workload(WorkloadSpec load) {
        if (new WorkloadPresets().all().contains(load)) {
            return load.name();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        WorkloadFields.ALL.forEach(field -> put(fields, field, field.write(load)));
        return fields;
    }

    /// A key with a dot is one of a mapping.
    private static void put(Map<String, Object> root, Field<?, ?> field, List<String> values) {
        String key = field.key();
        if (key == null || values.isEmpty()) {
            return;
        }
        String[] path = key.split(MAPPING_SEPARATOR, 2);
        Object written =
                field.arity() == Arity.ONE || field.arity() == Arity.FLAG ? values.getFirst() : new ArrayList<>(values);
        if (path.length == 1) {
            root.put(key, written);
        } else {
            @SuppressWarnings("unchecked") Map<String, Object> inner =
                    (Map<String, Object>) root.computeIfAbsent(path[0], name -> new LinkedHashMap<String, Object>());
            inner.put(path[1], written);
        }
    }
}
