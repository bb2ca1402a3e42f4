package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.inferometer.experiment.Cell;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;

/// One side of a comparison: a cell over its runs, or a single run, with what decides whether it may be held against another.
///
/// @param name "2026-11-21_quick#2 (tiny-int4 · continuous · short)"
/// @param workloads hash of the drawn workload by the seed that it was drawn from
/// @param formatVersion of the record, which the definitions of the metrics go with
/// @param grades verdicts of its runs that have one
public record ComparedSide(String name, Cell cell, String model, List<CellFigure> figures, Map<Long, String> workloads,
        MachineDescription machine, int formatVersion, List<Verdict.Grade> grades) {

    /// What stands where another tool's file does not tell.
    public static final String UNKNOWN = "not known";

    /// What stands between a result and the part of it that is meant.
    public static final char PART = '#';

    /// The cells of an experiment that have a complete run.
    public static List<ComparedSide> cells(ExperimentRecord experiment) {
        List<ComparedSide> sides = new ArrayList<>();
        for (CellSummary cell : experiment.manifest().cells()) {
            List<RunRecord> runs =
                    experiment.runs().stream().filter(run -> run.manifest().plan().cellIndex() == cell.cellIndex()
                            && run.manifest().status() == RunStatus.COMPLETE).toList();
            sides.add(of(experiment, Integer.toString(cell.cellIndex() + 1), cell.cell(), cell.model(), cell.figures(),
                    runs));
        }
        return List.copyOf(sides);
    }

    /// The side that a word names: a cell by its number from 1 or by its label, or a run by its folder; empty where there is none.
    public static Optional<ComparedSide> part(ExperimentRecord experiment, String part) {
        Optional<ComparedSide> cell = cells(experiment).stream()
                .filter(side -> side.name().contains(PART + part + " (") || side.cell().label().equals(part))
                .findFirst();
        return cell.or(() -> experiment.runs().stream().filter(run -> run.folderName().equals(part)).findFirst()
                .map(run -> of(experiment, part, run.manifest().plan().cell(), run.manifest().model(),
                        CellFigures.of(List.of(RunFigures.of(run.observations()))), List.of(run))));
    }

    private static ComparedSide of(ExperimentRecord experiment, String part, Cell cell, String model,
            List<CellFigure> figures, List<RunRecord> runs) {
        Map<Long, String> workloads = new TreeMap<>();
        List<Verdict.Grade> grades = new ArrayList<>();
        for (RunRecord run : runs) {
            RunManifest manifest = run.manifest();
            // An imported run does not know what was drawn.
            if (!manifest.workloadHash().isEmpty()) {
                workloads.put(manifest.plan().workloadSeed(), manifest.workloadHash());
            }
            Optional.ofNullable(manifest.verdict()).map(Verdict::grade).ifPresent(grades::add);
        }
        MachineDescription machine =
                runs.isEmpty() ? experiment.manifest().machine() : runs.getFirst().manifest().machine();
        return new ComparedSide(experiment.manifest().id() + PART + part + " (" + cell.label() + ")", cell, model,
                figures, workloads, machine, experiment.manifest().formatVersion(), List.copyOf(grades));
    }

    /// One of its figures, by the metric's id.
    public Optional<CellFigure> figure(String metricId) {
        return figures.stream().filter(figure -> figure.metric().id().equals(metricId)).findFirst();
    }

    /// Whether some run of it must not be relied on.
    public boolean invalid() {
        return grades.contains(Verdict.Grade.INVALID);
    }

    /// What stands between the two, in sentences; empty where they may be ranked. Precision, scheduler, backend and limits are what is
    /// compared, and are no differences.
    public List<String> differencesFrom(ComparedSide base) {
        List<String> differences = new ArrayList<>();
        if (base.model.equals(UNKNOWN) || model.equals(UNKNOWN)) {
            differences
                    .add(unknown("model", base, base.model, model) + " Whether both ran the same one cannot be told.");
        } else {
            differing(differences, "model", base.model, model);
        }
        if (base.workloads.isEmpty() || workloads.isEmpty()) {
            differences.add("What was asked is not known of both, so nobody can say that it was the same.");
        } else if (!base.workloads.keySet().equals(workloads.keySet())) {
            differences.add("The seeds differ: " + base.workloads.keySet() + " and " + workloads.keySet()
                    + "; the requests were drawn anew.");
        } else if (!base.workloads.equals(workloads)) {
            differences.add("The workloads differ: " + base.cell.workload().name() + " and " + cell.workload().name()
                    + " ask other requests of equal seeds.");
        }
        if (base.machine.processor().equals(UNKNOWN) || machine.processor().equals(UNKNOWN)) {
            differences.add(unknown("device", base, device(base.machine), device(machine))
                    + " A difference may come from other hardware as well as from what was compared.");
        } else {
            differing(differences, "device", device(base.machine), device(machine));
        }
        differing(differences, "version of the record", Integer.toString(base.formatVersion),
                Integer.toString(formatVersion));
        return List.copyOf(differences);
    }

    /// Which side does not tell something.
    private String unknown(String what, ComparedSide base, String ofBase, String ofThis) {
        if (ofBase.equals(ofThis)) {
            return "The " + what + " of neither side is known: both were imported, and the files do not tell.";
        }
        return "The " + what + " of " + (ofBase.equals(UNKNOWN) ? "the base, " + base.name : "the candidate, " + name)
                + ", is not known; that of the "
                + (ofBase.equals(UNKNOWN) ? "candidate is " + ofThis : "base is " + ofBase) + ".";
    }

    private static void differing(List<String> differences, String what, String base, String candidate) {
        if (!base.equals(candidate)) {
            differences.add("The " + what + " differs: " + base + " and " + candidate + ".");
        }
    }

    private static String device(MachineDescription machine) {
        return machine.processor().equals(UNKNOWN) ? UNKNOWN : machine.processor() + ", " + machine.logicalCores()
                + " cores" + (machine.gpus().isEmpty() ? "" : ", " + String.join(", ", machine.gpus()));
    }
}
