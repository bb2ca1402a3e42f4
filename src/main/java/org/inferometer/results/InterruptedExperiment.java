package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.ExperimentManifest.ExperimentTimes;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;

/// What can be told of an experiment whose manifest never said its end.
final class InterruptedExperiment {
    private InterruptedExperiment() {}

    /// The same experiment, interrupted.
    static ExperimentManifest interrupted(ExperimentManifest written) {
        return written.withOutcome(new ExperimentOutcome(RunStatus.INTERRUPTED, "", written.cells(), null),
                written.times().ended());
    }

    /// An experiment without `experiment.json`, put together from the manifests of its runs.
    ///
    /// @throws ResultFormatException when no run can be read either
    static ExperimentManifest manifest(Path folder, List<String> runFolders, boolean running) throws IOException {
        List<RunManifest> runs = new ArrayList<>();
        List<RunPlan> plans = new ArrayList<>();
        ResultFormatException firstFault =
                new ResultFormatException(folder, "there is neither an experiment.json nor a run in this folder.");
        for (String name : runFolders) {
            try {
                RunManifest run = ManifestJson.readRun(folder.resolve(name).resolve(RunRecorder.MANIFEST));
                runs.add(run);
                plans.add(run.plan().folderName().equals(name) ? run.plan()
                        : run.plan().in(run.plan().subject(), name));
            } catch (ResultFormatException e) {
                firstFault = runs.isEmpty() ? e : firstFault;
            }
        }
        if (runs.isEmpty()) {
            throw firstFault;
        }
        Instant started = runs.stream().map(RunManifest::anchorWall).filter(Objects::nonNull)
                .min(Comparator.naturalOrder()).orElse(null);
        RunPlan first = plans.getFirst();
        RunStatus status = running ? RunStatus.RUNNING : RunStatus.INTERRUPTED;
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, first.index().experiment(), spec(plans),
                List.copyOf(plans), runs.getFirst().machine(), new ExperimentTimes(started, null, null),
                new ExperimentOutcome(status, "", List.of(), null), false);
    }

    private static ExperimentSpec spec(List<RunPlan> plans) {
        RunPlan first = plans.getFirst();
        List<Cell> cells = plans.stream().sorted(Comparator.comparingInt(plan -> plan.index().cell())).map(RunPlan::cell)
                .distinct().toList();
        int repetitions = plans.stream().mapToInt(plan -> plan.index().repetition()).max().orElse(0) + 1;
        Set<String> engines = new LinkedHashSet<>();
        Set<Selection> schedulers = new LinkedHashSet<>();
        Set<Selection> backends = new LinkedHashSet<>();
        Set<Selection> targets = new LinkedHashSet<>();
        for (Cell cell : cells) {
            switch (cell.subject()) {
                case EngineSubject(String engine, Selection scheduler, Selection backend) -> {
                    engines.add(engine);
                    schedulers.add(scheduler);
                    backends.add(backend);
                }
                case TargetSubject(Selection target) -> targets.add(target);
            }
        }
        long kvBytes = first.subject() instanceof PlannedEngine engine ? engine.kvBytes() : 0;
        return new ExperimentSpec(first.index().experiment(), List.copyOf(engines), List.copyOf(schedulers),
                List.copyOf(backends), List.copyOf(targets), cells.stream().map(Cell::workload).distinct().toList(),
                repetitions, first.procedure().warmUpRequests(), first.procedure().workloadSeed(), first.procedure().sampleEveryMillis(), kvBytes,
                ExperimentSpec.AskedLimits.DEFAULTS, null, first.goal(), false);
    }
}
