package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
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
import org.inferometer.record.RunRecord;
import org.jspecify.annotations.Nullable;

/// What differs between the two sides of a pair, and whether that keeps them from being compared.
final class SideDifferences {
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
}
