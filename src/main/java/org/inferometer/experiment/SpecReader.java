package org.inferometer.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.experiment.Field.Arity;
import org.inferometer.units.FileFault;
import org.inferometer.units.FileTooLargeException;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.PlainText;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlMapping;
import org.inferometer.yaml.YamlNode;
import org.inferometer.yaml.YamlReader;

/// Reads an experiment from a YAML file by the tables [ExperimentFields] and [WorkloadFields]. All faults are found at
/// once, each with its line and its key.
public final class SpecReader {
    private static final YamlReader.Limits LIMITS = new YamlReader.Limits(1 << 20, 20, 20);

    private final WorkloadPresets presets = new WorkloadPresets();
    private final KnownOptions known;

    /// A reader to which sweeps name the owner of an option.
    public SpecReader() {
        this(KnownOptions.NONE);
    }

    /// @param known the options that a sweep may name
    public SpecReader(KnownOptions known) {
        this.known = known;
    }

    /// The experiment of a file.
    ///
    /// @throws PlanException with all faults, each with file and line
    public ExperimentSpec read(Path file) throws PlanException {
        String name = PlainText.of(String.valueOf(file.getFileName()));
        YamlFaults faults = new YamlFaults();
        try {
            return spec(YamlReader.read(file, LIMITS, faults), name, faults);
        } catch (IOException e) {
            throw new PlanException(
                    new PlanFault(name, FileFault.reason(e) + ". Give a YAML file or the name of a preset."), e);
        } catch (OutOfMemoryError e) {
            FileTooLargeException large = HeapLimit.exceeded(file);
            throw new PlanException(new PlanFault(name, large.sentence()), large);
        }
    }

    ExperimentSpec read(String text, String fileName) throws PlanException {
        YamlFaults faults = new YamlFaults();
        return spec(YamlReader.parse(text, LIMITS, faults), fileName, faults);
    }

    /// The faults of a plan at the keys of the file that it was read from.
    public List<PlanFault> located(Path file, List<PlanFault> faults) {
        YamlFaults ignored = new YamlFaults();
        try {
            Optional<YamlMapping> root = YamlReader.read(file, LIMITS, ignored);
            return faults.stream().map(fault -> root.map(mapping -> located(file, mapping, fault)).orElse(fault))
                    .toList();
        } catch (IOException e) {
            return faults;
        }
    }

    private static PlanFault located(Path file, YamlMapping root, PlanFault fault) {
        YamlMapping.Entry entry = root.entries().get(fault.where().replaceFirst("\\..*", ""));
        return entry == null ? fault : new PlanFault(PlainText.of(file.getFileName() + ":" + entry.keyLine()),
                fault.where() + ": " + fault.sentence());
    }

    private ExperimentSpec spec(Optional<YamlMapping> root, String fileName, YamlFaults faults) throws PlanException {
        Optional<ExperimentSpec> spec = root.map(mapping -> spec(mapping, fileName));
        if (!faults.isEmpty()) {
            throw new PlanException(faults.list().stream()
                    .map(fault -> new PlanFault(fileName + ":" + fault.line(), fault.sentence())).toList());
        }
        return spec.orElseThrow();
    }

    private ExperimentSpec spec(YamlMapping root, String fileName) {
        allowOnly(root, ExperimentFields.ALL);
        boolean engines = root.has("engines") || !root.has("targets");
        ExperimentSpec base = ExperimentSpec.STANDARD.named(fileName.replaceFirst("\\.ya?ml$", ""));
        for (String required : engines ? List.of("engines", "schedulers") : List.<String>of()) {
            root.items(required, true);
        }
        List<WorkloadSpec> workloads = workloads(root);
        boolean sweptLoad = root.has("sweep") && root.items("sweep", false).stream()
                .anyMatch(item -> item.plainText().filter(Sweep::ofLoad).isPresent());
        if (sweptLoad && root.has("search")) {
            root.fault("search", "search: Give only one of sweep, search: a load has one way to arrive.");
        }
        ExperimentSpec start = (engines ? base : base.onTargetsOnly(List.of())).withWorkloads(workloads);
        return fields(start, root,
                ExperimentFields.ALL.stream().filter(field -> !field.equals(ExperimentFields.WORKLOADS))
                        .<Field<ExperimentSpec, ?>>map(
                                field -> field.equals(ExperimentFields.SWEEP) ? ExperimentFields.sweep(known) : field)
                        .toList());
    }

    private List<WorkloadSpec> workloads(YamlMapping root) {
        List<WorkloadSpec> workloads = new ArrayList<>();
        for (YamlNode item : root.items("workloads", true)) {
            item.plainText().ifPresentOrElse(name -> item.attempt(() -> presets.find(name)).ifPresent(workloads::add),
                    () -> item.mapping().ifPresent(mapping -> {
                        allowOnly(mapping, WorkloadFields.ALL);
                        workloads.add(fields(presets.find("short"), mapping, WorkloadFields.ALL));
                    }));
        }
        return workloads;
    }

    private static <R extends Record> void allowOnly(YamlMapping root, List<Field<R, ?>> fields) {
        List<String> keys = fields.stream().flatMap(field -> Optional.ofNullable(field.key()).stream()).toList();
        root.allowOnly(keys.stream().map(key -> key.replaceFirst("\\..*", "")).distinct().toList());
    }

    /// The base with the fields that a mapping has; those with a dot in their key are in a mapping of it.
    private static <R extends Record> R fields(R base, YamlMapping root, List<Field<R, ?>> fields) {
        R record = base;
        Map<String, List<Field<R, ?>>> inner = new LinkedHashMap<>();
        for (Field<R, ?> field : fields) {
            String key = field.key();
            int dot = key == null ? -1 : key.indexOf('.');
            if (key != null && dot < 0) {
                record = field(record, root, field, key);
            } else if (key != null) {
                inner.computeIfAbsent(key.substring(0, dot), outer -> new ArrayList<>()).add(field);
            }
        }
        for (Map.Entry<String, List<Field<R, ?>>> entry : inner.entrySet()) {
            Optional<YamlMapping> mapping = root.mapping(entry.getKey());
            if (mapping.isPresent()) {
                record = inner(record, mapping.get(), entry.getKey().length() + 1, entry.getValue());
            }
        }
        return record;
    }

    private static <R extends Record> R inner(R base, YamlMapping mapping, int prefix, List<Field<R, ?>> fields) {
        R record = base;
        mapping.allowOnly(fields.stream().map(field -> field.name().substring(prefix)).toList());
        for (Field<R, ?> field : fields) {
            record = field(record, mapping, field, field.name().substring(prefix));
        }
        return record;
    }

    private static <R extends Record> R field(R record, YamlMapping mapping, Field<R, ?> field, String key) {
        List<YamlNode> nodes = mapping.node(key)
                .map(node -> field.arity() == Arity.ONE || field.arity() == Arity.FLAG ? List.of(node) : node.items())
                .orElse(List.of());
        Function<String, String> sound = text -> sound(field, key, text);
        List<String> texts = nodes.stream()
                .flatMap(node -> (field.type().verbatim() ? node.rawValue(sound) : node.value(sound)).stream())
                .toList();
        return texts.isEmpty() || texts.size() < nodes.size() ? record
                : field.read(record, texts, sentence -> mapping.fault(key, key + ": " + sentence));
    }

    /// A text whose value the field takes.
    private static String sound(Field<?, ?> field, String key, String text) {
        try {
            field.type().read(text);
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }
}
