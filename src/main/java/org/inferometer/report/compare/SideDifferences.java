package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.finding.PairContrast;
import org.inferometer.finding.PairContrast.Common;
import org.inferometer.finding.PairContrast.SettingChange;
import org.inferometer.finding.SideDifference;
import org.inferometer.finding.SideDifference.OfProperty;
import org.inferometer.finding.SideDifference.Property;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.MachineDescription.Environment;
import org.inferometer.record.RunRecord;
import org.inferometer.report.FigureText;
import org.jspecify.annotations.Nullable;

/// What differs between the two sides of a pair, and whether that keeps them from being compared.
final class SideDifferences {
    /// Share of all cores from which other programs are named.
    private static final double BUSY = 0.1;

    private SideDifferences() {}

    /// Why the two are not comparable; empty if they are. Precision, scheduler, backend and limits may differ.
    static List<SideDifference> of(ComparedSide base, ComparedSide candidate) {
        List<SideDifference> differences = new ArrayList<>();
        property(Property.MODEL, base.model(), candidate.model()).ifPresent(differences::add);
        requests(base, candidate).ifPresentOrElse(differences::add,
                () -> differences.addAll(OtherWork.of(base.figures(), candidate.figures())));
        property(Property.DEVICE, device(base.machine()), device(candidate.machine())).ifPresent(differences::add);
        return List.copyOf(differences);
    }

    private static Optional<SideDifference> property(Property property, @Nullable String base,
            @Nullable String candidate) {
        return base != null && base.equals(candidate) ? Optional.empty()
                : Optional.of(new OfProperty(property, base, candidate));
    }

    private static @Nullable String device(MachineDescription machine) {
        return !machine.hasProcessor() ? null : machine.processor() + ", " + machine.logicalCores() + " cores"
                + (machine.gpus().isEmpty() ? "" : ", " + String.join(", ", machine.gpus()));
    }

    private static Optional<SideDifference> requests(ComparedSide base, ComparedSide candidate) {
        if (base.workloads().isEmpty() || candidate.workloads().isEmpty()) {
            return Optional.of(
                    new SideDifference.UnknownRequests(base.workloads().isEmpty(), candidate.workloads().isEmpty()));
        }
        Set<Long> shared = new TreeSet<>(base.workloads().keySet());
        shared.retainAll(candidate.workloads().keySet());
        int seeds = Math.max(base.workloads().size(), candidate.workloads().size());
        if (shared.size() < seeds) {
            return Optional.of(new SideDifference.UnsharedSeeds(shared.size(), seeds));
        }
        // Servers have another vocabulary, so the same lengths have other token ids.
        boolean alike = base.workloads().equals(candidate.workloads())
                || (Stream.of(base, candidate).anyMatch(side -> side.cell().subject() instanceof TargetSubject)
                        && base.cell().workload().equals(candidate.cell().workload()));
        return alike ? Optional.empty() : Optional
                .of(new SideDifference.OtherDraws(base.cell().workload().name(), candidate.cell().workload().name()));
    }

    /// What differs, settings included, and what both share.
    static PairContrast contrast(ComparedSide base, ComparedSide candidate) {
        List<SideDifference> differences = of(base, candidate);
        return new PairContrast(settings(base, candidate), differences, common(base, candidate, differences));
    }

    /// The engine goes by its precision where that is all that differs of it.
    private static List<SettingChange> settings(ComparedSide base, ComparedSide candidate) {
        String before = SideNames.precision(base);
        String after = SideNames.precision(candidate);
        boolean precision = Objects.equals(base.model(), candidate.model()) && !before.isEmpty() && !after.isEmpty();
        return CellSettings.changes(base.cell(), candidate.cell()).stream()
                .map(change -> precision && change.setting().equals(CellSettings.ENGINE)
                        ? new SettingChange("precision", before, after) : change)
                .toList();
    }

    private static List<Common> common(ComparedSide base, ComparedSide candidate, List<SideDifference> differences) {
        List<Common> common = new ArrayList<>(List.of(Common.MODEL, Common.WORKLOAD, Common.SEEDS, Common.DEVICE));
        for (SideDifference difference : differences) {
            common.removeAll(switch (difference) {
                case OfProperty property -> List.of(switch (property.property()) {
                    case MODEL -> Common.MODEL;
                    case DEVICE -> Common.DEVICE;
                });
                case SideDifference.UnknownRequests _,SideDifference.UnsharedSeeds _,SideDifference.OtherDraws _ ->
                    List.of(Common.WORKLOAD, Common.SEEDS);
                case SideDifference.OtherLengths _ -> List.of(Common.WORKLOAD);
            });
        }
        if (base.cell().subject() instanceof EngineSubject one
                && candidate.cell().subject() instanceof EngineSubject other) {
            add(common, Common.SCHEDULER, one.scheduler().equals(other.scheduler()));
            add(common, Common.BACKEND, one.backend().equals(other.backend()));
            add(common, Common.LIMITS, one.limits().equals(other.limits()));
        } else if (base.cell().subject() instanceof TargetSubject) {
            add(common, Common.TARGET, base.cell().subject().equals(candidate.cell().subject()));
        }
        common.add(Common.DEFINITIONS);
        return List.copyOf(common);
    }

    private static void add(List<Common> common, Common property, boolean equal) {
        if (equal) {
            common.add(property);
        }
    }

    /// Bytes of a position's keys and values in the runs; 0 where that is not known, or differs.
    static long positionBytes(List<RunRecord> runs) {
        List<Long> bytes =
                runs.stream().map(run -> run.manifest().system().pools()).filter(pools -> pools.blockTokens() > 0)
                        .map(pools -> pools.blockBytes() / pools.blockTokens()).distinct().toList();
        return bytes.size() == 1 ? bytes.getFirst() : 0;
    }

    /// A sentence with both sizes of a KV cache whose format changed although the settings are the same; empty if they are equal, not known, or the settings say why they differ.
    static Optional<String> kvCache(ComparedSide base, ComparedSide candidate) {
        long before = base.origin().kvPositionBytes();
        long after = candidate.origin().kvPositionBytes();
        boolean alike = Objects.equals(base.model(), candidate.model())
                && Stream.of("backend", "backend.kv_dtype").allMatch(name -> Objects
                        .equals(CellSettings.of(base.cell()).get(name), CellSettings.of(candidate.cell()).get(name)));
        return before == after || before == 0 || after == 0 || !alike ? Optional.empty()
                : Optional.of("The KV cache has another format with the same kv_dtype: " + before
                        + " bytes a position (base), " + after + " (candidate). Measure both with one version.");
    }

    /// What differs between two machines, or on one at two times, besides the device: one sentence with all properties, and one for a machine that others used; empty where nothing differs. A
    /// property that one side does not know is named; one that neither knows is not.
    static List<String> environment(MachineDescription base, MachineDescription candidate) {
        Map<String, String> before = environment(base);
        Map<String, String> after = environment(candidate);
        List<String> differing =
                before.keySet().stream().filter(name -> !Objects.equals(before.get(name), after.get(name)))
                        .map(name -> name + " " + text(before.get(name)) + " → " + text(after.get(name))).toList();
        List<String> sentences = new ArrayList<>();
        if (!differing.isEmpty()) {
            sentences.add("Environment that differs: " + String.join("; ", differing) + ".");
        }
        busy("base", base).ifPresent(sentences::add);
        busy("candidate", candidate).ifPresent(sentences::add);
        return sentences;
    }

    /// Its properties by name; those that are not known say so.
    static Map<String, String> environment(MachineDescription machine) {
        Environment environment = machine.environment();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("operating system", known(machine.operatingSystem()));
        properties.put("Java", known(machine.javaRuntime()));
        properties.put("Java flags",
                environment == null ? FigureText.NOT_KNOWN : environment.javaFlags().isEmpty() ? "none"
                        : environment.javaFlags());
        properties.put("CPU governor", known(environment == null ? null : environment.governor()));
        properties.put("GPU driver", known(environment == null ? null : environment.gpuDriver()));
        properties.put("GPU clocks", known(environment == null ? null : environment.gpuClocks()));
        properties.put("Inferometer", known(machine.inferometerVersion()));
        return properties;
    }

    private static String known(@Nullable String text) {
        return text == null || text.isEmpty() ? FigureText.NOT_KNOWN : text;
    }

    private static String text(@Nullable String property) {
        return property == null ? FigureText.NOT_KNOWN : property;
    }

    private static Optional<String> busy(String side, MachineDescription machine) {
        Environment environment = machine.environment();
        Double load = environment == null ? null : environment.backgroundLoad();
        return load == null || load < BUSY ? Optional.empty() : Optional.of(String.format(Locale.ROOT,
                "Other programs used %.0f %% of all cores before the first run of the %s.", load * 100, side));
    }
}
