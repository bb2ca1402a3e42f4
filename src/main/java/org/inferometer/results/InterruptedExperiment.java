package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.ExperimentManifest.ExperimentTimes;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;

/// The manifest of an experiment whose process was killed.
final class InterruptedExperiment {
    private InterruptedExperiment() {}

    /// The same experiment, interrupted.
    static ExperimentManifest interrupted(ExperimentManifest written) {
        return written.withOutcome(
                new ExperimentOutcome(RunStatus.INTERRUPTED, "", written.cells(), null, written.outcome().estimates()),
                written.times().ended());
    }

    /// An experiment without `experiment.json`, rebuilt from the manifests of its runs.
    ///
    /// @throws ResultFormatException if no run can be read
    static ExperimentManifest manifest(Path folder, List<String> runFolders, boolean running) throws IOException {
        List<RunManifest> runs = new ArrayList<>();
        List<RunPlan> plans = new ArrayList<>();
        ResultFormatException firstFault =
                new ResultFormatException(folder, "the folder has no experiment.json and no run.");
        for (String name : runFolders) {
            try {
                RunManifest run = ManifestJson.read(folder.resolve(name).resolve(RecordFiles.RUN), RunManifest.class,
                        RunManifest.FORMAT_VERSION);
                runs.add(run);
                plans.add(
                        run.plan().folderName().equals(name) ? run.plan() : run.plan().in(run.plan().subject(), name));
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
        List<Cell> cells = plans.stream().sorted(Comparator.comparingInt(plan -> plan.index().cell()))
                .map(RunPlan::cell).distinct().toList();
        int repetitions = plans.stream().mapToInt(plan -> plan.index().repetition()).max().orElse(0) + 1;
        ExperimentSpec spec = ExperimentSpec.STANDARD.named(first.index().experiment())
                .withSubjects(cells.stream().map(Cell::subject).toList())
                .withWorkloads(cells.stream().map(Cell::workload).distinct().toList()).withRuns(repetitions)
                .withGoal(first.goal());
        spec = ExperimentFields.WARM_UP.with(spec, List.of(first.procedure().warmUpRequests()));
        spec = ExperimentFields.SEED.with(spec, List.of(first.procedure().workloadSeed()));
        return ExperimentFields.SAMPLE_EVERY.with(spec, List.of(first.procedure().sampleEveryMillis()));
    }
}
