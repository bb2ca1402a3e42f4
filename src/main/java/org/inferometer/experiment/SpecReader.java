package org.inferometer.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.options.Selection;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlMapping;
import org.inferometer.yaml.YamlNode;
import org.inferometer.yaml.YamlReader;

/// Reads an experiment from a YAML file; every fault is found before anything is said, each with its line.
///
/// The keys: `name`, `engines`, `schedulers`, `workloads` (preset names or mappings), `backend`, `runs`, `warmup`, `seed`,
/// `sample_every`, `kv_memory`, `baseline`, `targets` (in place of engines, schedulers and
/// backend), `slo`, `price` (an hour), `sweep` (`concurrency=1,2,4` or `rate=1,2,4`),
/// `search` (`concurrency=1..64` or `rate=1..64`), `limits` (`max_batch_size`, `max_num_tokens`, `max_length`).
public final class SpecReader {
    private static final YamlReader.Limits LIMITS = new YamlReader.Limits(1 << 20, 20, 20);
    private static final List<String> KEYS =
            List.of("name", "engines", "schedulers", "workloads", "backend", "runs", "warmup", "seed", "sample_every",
                    "kv_memory", "baseline", "targets", "slo", "price", "sweep", "search", "limits");
    private static final List<String> LIMIT_KEYS = List.of("max_batch_size", "max_num_tokens", "max_length");

    private final WorkloadPresets presets = new WorkloadPresets();

    /// The experiment of a file.
    ///
    /// @throws PlanException with all faults, each with file and line
    public ExperimentSpec read(Path file) throws PlanException {
        String name = String.valueOf(file.getFileName());
        YamlFaults faults = new YamlFaults();
        try {
            return spec(YamlReader.read(file, LIMITS, faults), name, faults);
        } catch (IOException e) {
            throw new PlanException(
                    List.of(new PlanFault(name, e.getMessage() + " Give a YAML file or the name of a preset.")));
        }
    }

    ExperimentSpec read(String text, String fileName) throws PlanException {
        YamlFaults faults = new YamlFaults();
        return spec(YamlReader.parse(text, LIMITS, faults), fileName, faults);
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
        root.allowOnly(KEYS);
        List<Selection> targets = root.values("targets", false, Selection::parse);
        String stem = fileName.replaceFirst("\\.ya?ml$", "");
        return new ExperimentSpec(root.text("name").orElse(stem),
                root.values("engines", targets.isEmpty(), Function.identity()),
                root.values("schedulers", targets.isEmpty(), Selection::parse), backends(root, targets), targets,
                loads(root), root.value("runs", whole(1, 1000)).orElse(3),
                root.value("warmup", whole(0, 1_000_000)).orElse(4),
                root.value("seed", text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE)).orElse(42L),
                root.value("sample_every", value -> (int) (QuantityText.parseNanos(value) / 1_000_000)).orElse(100),
                root.value("kv_memory", QuantityText::parseBytes).orElse(0L), limits(root),
                root.text("baseline").orElse(null), goal(root), root.has("search"));
    }

    private static List<Selection> backends(YamlMapping root, List<Selection> targets) {
        Optional<Selection> backend = root.value("backend", Selection::parse);
        return backend.map(List::of).orElse(targets.isEmpty() ? List.of(Selection.of("host")) : List.of());
    }

    private static DeploymentGoal goal(YamlMapping root) {
        return new DeploymentGoal(root.value("slo", ServiceObjective::parse).orElse(ServiceObjective.NONE),
                root.value("price", SpecReader::price).orElse(0.0));
    }

    /// A price an hour.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static double price(String text) {
        try {
            return new DeploymentGoal(ServiceObjective.NONE, Double.parseDouble(text)).pricePerHour();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no price; write a number, as in 2.50.", e);
        }
    }

    private ExperimentSpec.AskedLimits limits(YamlMapping root) {
        return root.mapping("limits").map(limits -> {
            limits.allowOnly(LIMIT_KEYS);
            return new ExperimentSpec.AskedLimits(limits.value("max_batch_size", whole(1, 65_536)).orElse(0),
                    limits.value("max_num_tokens", whole(1, 1 << 22)).orElse(0),
                    limits.value("max_length", whole(1, 1 << 22)).orElse(0));
        }).orElse(ExperimentSpec.AskedLimits.DEFAULTS);
    }

    private List<WorkloadSpec> loads(YamlMapping root) {
        List<WorkloadSpec> workloads = workloads(root);
        Optional<LoadSweep> search = root.value("search", LoadSweep::grid);
        return root.value("sweep", LoadSweep::parse).or(() -> search).map(sweep -> sweep.over(workloads))
                .orElse(workloads);
    }

    private List<WorkloadSpec> workloads(YamlMapping root) {
        List<WorkloadSpec> workloads = new ArrayList<>();
        WorkloadReader reader = new WorkloadReader(presets);
        for (YamlNode item : root.items("workloads", true)) {
            item.plainText().ifPresentOrElse(name -> item.attempt(() -> presets.find(name)).ifPresent(workloads::add),
                    () -> item.mapping().ifPresent(mapping -> workloads.add(reader.read(mapping))));
        }
        return workloads;
    }

    static Function<String, Integer> whole(int min, int max) {
        return text -> (int) whole(text, min, max);
    }

    private static long whole(String text, long min, long max) {
        long number;
        try {
            number = Long.parseLong(text.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a whole number; write one from " + min + " to " + max + ".", e);
        }
        if (number < min || number > max) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is out of range; write a whole number from " + min + " to " + max + ".");
        }
        return number;
    }
}
