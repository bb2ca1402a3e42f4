package org.inferometer.experiment;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// Reads an experiment from a YAML file; every fault is found before anything is said, each with its line.
///
/// The keys: `name`, `engines`, `schedulers`, `workloads` (preset names or mappings), `backend`, `runs`, `warmup`, `seed`,
/// `sample_every`, `kv_memory`, `baseline`, `targets` (in place of engines, schedulers and
/// backend), `slo`, `price` (an hour), `sweep` (`concurrency=1,2,4` or `rate=1,2,4`),
/// `search` (`concurrency=1..64` or `rate=1..64`), `limits` (`max_batch_size`, `max_num_tokens`, `max_length`).
public final class SpecReader {
    private static final long MAX_FILE_BYTES = 1 << 20;
    private static final List<String> KEYS =
            List.of("name", "engines", "schedulers", "workloads", "backend", "runs", "warmup", "seed", "sample_every",
                    "kv_memory", "baseline", "targets", "slo", "price", "sweep", "search", "limits");
    private static final List<String> LIMIT_KEYS = List.of("max_batch_size", "max_num_tokens", "max_length");

    private final WorkloadPresets presets = new WorkloadPresets();

    /// The experiment of a file.
    ///
    /// @throws PlanException with all faults, each with file and line
    public ExperimentSpec read(Path file) throws PlanException {
        return read(text(file), String.valueOf(file.getFileName()));
    }

    ExperimentSpec read(String text, String fileName) throws PlanException {
        List<PlanFault> faults = new ArrayList<>();
        YamlMapping root = YamlMapping.parse(text, fileName, faults);
        root.allowOnly(KEYS);
        List<Selection> targets = root.values("targets", false, Selection::parse);
        String stem = fileName.replaceFirst("\\.ya?ml$", "");
        ExperimentSpec spec =
                new ExperimentSpec(root.text("name").orElse(stem), root.texts("engines", targets.isEmpty()),
                        root.values("schedulers", targets.isEmpty(), Selection::parse), loads(root),
                        root.value("backend", Selection::parse).orElse(Selection.of("host")),
                        (int) root.whole("runs", 1, 1000).orElse(3), (int) root.whole("warmup", 0, 1_000_000).orElse(4),
                        root.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(42),
                        root.value("sample_every", value -> (int) (QuantityText.parseNanos(value) / 1_000_000))
                                .orElse(100),
                        root.value("kv_memory", QuantityText::parseBytes).orElse(0L), limits(root),
                        root.text("baseline").orElse(null), targets, goal(root), root.has("search"));
        if (!faults.isEmpty()) {
            throw new PlanException(faults);
        }
        return spec;
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
            return new ExperimentSpec.AskedLimits((int) limits.whole("max_batch_size", 1, 65_536).orElse(0),
                    (int) limits.whole("max_num_tokens", 1, 1 << 22).orElse(0),
                    (int) limits.whole("max_length", 1, 1 << 22).orElse(0));
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
        for (YamlMapping.Item item : root.items("workloads", true)) {
            item.text().ifPresentOrElse(name -> item.attempt(() -> presets.find(name)).ifPresent(workloads::add),
                    () -> item.mapping().ifPresent(mapping -> workloads.add(reader.read(mapping))));
        }
        return workloads;
    }

    private static String text(Path file) throws PlanException {
        String name = String.valueOf(file.getFileName());
        try {
            if (!Files.isRegularFile(file)) {
                throw new PlanException(
                        List.of(new PlanFault(name, "No such file. Give a YAML file or the name of a preset.")));
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new PlanException(List.of(new PlanFault(name, "Larger than 1 MiB, which no experiment needs.")));
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new PlanException(List.of(new PlanFault(name, "Not UTF-8. Save the file as UTF-8.")));
        } catch (IOException e) {
            throw new PlanException(List.of(new PlanFault(name, "Cannot be read: " + e.getMessage())));
        }
    }
}
