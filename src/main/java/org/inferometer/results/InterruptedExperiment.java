package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;

/// What can be told of an experiment whose manifest never said its end.
final class InterruptedExperiment {
    private InterruptedExperiment() {}

    /// The same experiment, interrupted.
    static ExperimentManifest interrupted(ExperimentManifest written) {
        return new ExperimentManifest(written.formatVersion(), written.id(), written.spec(), written.plan(),
                written.runFolders(), written.machine(), written.startedWall(), written.endedWall(),
                RunStatus.INTERRUPTED, "", written.cells(), null, written.shareSafe(), written.importedWall());
    }

    /// An experiment without `experiment.json`, put together from the manifests of its runs.
    ///
    /// @throws ResultFormatException when no run can be read either
    static ExperimentManifest manifest(Path folder, List<String> runFolders, boolean running) throws IOException {
        List<RunManifest> runs = new ArrayList<>();
        List<String> names = new ArrayList<>();
        ResultFormatException firstFault =
                new ResultFormatException(folder, "there is neither an experiment.json nor a run in this folder.");
        for (String name : runFolders) {
            try {
                runs.add(ManifestJson.readRun(folder.resolve(name).resolve(RunRecorder.MANIFEST)));
                names.add(name);
            } catch (ResultFormatException e) {
                firstFault = runs.isEmpty() ? e : firstFault;
            }
        }
        if (runs.isEmpty()) {
            throw firstFault;
        }
        List<RunPlan> plans = runs.stream().map(RunManifest::plan).toList();
        Instant started = runs.stream().map(RunManifest::anchorWall).min(Comparator.naturalOrder()).orElseThrow();
        RunPlan first = plans.getFirst();
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, first.experiment(), spec(plans), plans,
                List.copyOf(names), runs.getFirst().machine(), started, null,
                running ? RunStatus.RUNNING : RunStatus.INTERRUPTED, "", List.of(), null, false);
    }

    private static ExperimentSpec spec(List<RunPlan> plans) {
        RunPlan first = plans.getFirst();
        List<Cell> cells = plans.stream().sorted(Comparator.comparingInt(RunPlan::cellIndex)).map(RunPlan::cell)
                .distinct().toList();
        int repetitions = plans.stream().mapToInt(RunPlan::repetition).max().orElse(0) + 1;
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
        return new ExperimentSpec(first.experiment(), List.copyOf(engines), List.copyOf(schedulers),
                List.copyOf(backends), List.copyOf(targets), cells.stream().map(Cell::workload).distinct().toList(),
                repetitions, first.warmUpRequests(), first.workloadSeed(), first.sampleEveryMillis(), kvBytes,
                ExperimentSpec.AskedLimits.DEFAULTS, null, first.goal(), false);
    }
}
