package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RunPlan;
import org.inferometer.results.ResultFiles;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// The runs of a file as an experiment: models on servers × workloads. Runs of equal model, server and workload are repetitions of a cell.
///
/// @param plans one per run, in order
record ForeignMatrix(ExperimentSpec spec, List<RunPlan> plans) {
    /// Number of cells of the runs.
    static long cellCount(List<ForeignRun> runs) {
        long servers = runs.stream().map(run -> run.model() + "\n" + run.server()).distinct().count();
        return servers * runs.stream().map(ForeignRun::workload).distinct().count();
    }

    /// @param runs at most [ExperimentSpec#MOST_CELLS] in number and in cells
    static ForeignMatrix of(String experiment, List<ForeignRun> runs) {
        Map<String, Selection> targets = new LinkedHashMap<>();
        Map<String, WorkloadSpec> workloads = new LinkedHashMap<>();
        for (ForeignRun run : runs) {
            targets.putIfAbsent(run.model() + "\n" + run.server(), target(run));
            workloads.putIfAbsent(run.workload(), workload(run));
        }
        ExperimentSpec spec =
                ExperimentSpec.STANDARD.named(experiment).withTargets(targets.values().stream().distinct().toList())
                        .withWorkloads(List.copyOf(workloads.values()));
        spec = ExperimentFields.WARM_UP.with(spec, List.of(0));
        ExperimentSpec matrix = ExperimentFields.SEED.with(spec, List.of(0L));
        Map<Cell, Integer> places = new HashMap<>();
        matrix.cells().forEach(cell -> places.put(cell, places.size()));
        Map<Integer, Integer> repetitions = new HashMap<>();
        List<RunPlan> plans = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            Cell cell = new Cell(new TargetSubject(target(runs.get(i))),
                    Objects.requireNonNull(workloads.get(runs.get(i).workload())));
            int index = Objects.requireNonNull(places.get(cell));
            int repetition = repetitions.merge(index, 1, Integer::sum) - 1;
            plans.add(new RunPlan(new RunPlan.RunIndex(experiment, i, index, repetition),
                    new PlannedTarget(target(runs.get(i))), cell.workload(), String.format(Locale.ROOT, "run-%03d", i),
                    new RunPlan.Procedure(0, repetition, 100), DeploymentGoal.NONE, null));
        }
        int most = repetitions.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        return new ForeignMatrix(matrix.withRuns(most), List.copyOf(plans));
    }

    private static Selection target(ForeignRun run) {
        Map<String, String> options = new LinkedHashMap<>();
        if (!run.model().equals(ForeignRun.UNNAMED)) {
            options.put("model", plain(run.model()));
        }
        options.put("name", plain(run.server()));
        return new Selection(ResultFiles.IMPORTED, options);
    }

    /// Text without the separators of a selection.
    private static String plain(String text) {
        String plain = text.replaceAll("[,=:\\s]+", "_");
        return plain.isEmpty() ? "not-named" : plain;
    }

    /// The recorded lengths and arrivals.
    private static WorkloadSpec workload(ForeignRun run) {
        int fewest = run.requests().stream().mapToInt(request -> request.promptTokens()).min().orElse(1);
        int most = run.requests().stream().mapToInt(request -> request.promptTokens()).max().orElse(1);
        int shortest = run.requests().stream().mapToInt(request -> request.askedOutputTokens()).min().orElse(1);
        int longest = run.requests().stream().mapToInt(request -> request.askedOutputTokens()).max().orElse(1);
        return new WorkloadSpec(run.workload(), length(fewest, most), length(shortest, longest), null, 0,
                ReportedArrivals.of(run), run.requests().size(), 0);
    }

    private static LengthDistribution length(int least, int most) {
        return least >= most ? new LengthDistribution.FixedLength(Math.max(1, least))
                : new LengthDistribution.UniformLength(Math.max(1, least), most);
    }
}
