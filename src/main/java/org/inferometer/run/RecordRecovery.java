package org.inferometer.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunManifest.RunOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.WindowUse;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;

/// Reads the record that a worker left. If the worker died, or says that it failed, the record gets that outcome and its cause.
final class RecordRecovery {
    private final Path experiment;
    private final RecordStore store;
    private final Clock clock;

    RecordRecovery(Path experiment, RecordStore store, Clock clock) {
        this.experiment = experiment;
        this.store = store;
        this.clock = clock;
    }

    /// The record of a run whose worker has ended.
    RunRecord read(RunPlan plan, WorkerExit exit, ExperimentManifest manifest, boolean cancelled) {
        Path folder = experiment.resolve(plan.folderName());
        RunRecord record;
        try {
            record = store.readRun(folder);
        } catch (IOException e) {
            String unreadable = "The record cannot be read (" + FileFault.describe(folder, e) + ").";
            String why = exit.failed() ? exit.cause() : unreadable;
            return notMeasured(plan, why, manifest, cancelled);
        }
        if (!died(record) && !contradicts(record, exit)) {
            return record;
        }
        RunOutcome outcome = cancelled ? RunOutcome.of(RunStatus.CANCELLED, "")
                : RunOutcome.of(RunStatus.FAILED, cause(record, exit));
        return saved(record, record.manifest().ended(outcome));
    }

    /// The record of a run that counts as failed although it was measured.
    RunRecord failed(RunRecord record, RunFailure why) {
        RunOutcome outcome = RunOutcome.of(RunStatus.FAILED, String.valueOf(why.getMessage()));
        return saved(record, record.manifest().ended(outcome));
    }

    /// Adds to the record of an ended run what the window of the caller did meanwhile.
    RunRecord shownBy(RunRecord record, WindowUse use) {
        return saved(record, record.manifest().shownBy(use));
    }

    private RunRecord saved(RunRecord record, RunManifest manifest) {
        save(experiment.resolve(record.folderName()), manifest);
        return new RunRecord(record.folderName(), manifest, record.observations(), record.notes());
    }

    /// The record of a run that left none.
    RunRecord notMeasured(RunPlan plan, String why, ExperimentManifest manifest, boolean cancelled) {
        RunManifest ended = RunManifest.notMeasured(plan, manifest.machine(), clock.wall(),
                cancelled ? RunStatus.CANCELLED : RunStatus.FAILED, cancelled ? "" : why);
        save(experiment.resolve(plan.folderName()), ended);
        return new RunRecord(plan.folderName(), ended, new RunObservations(List.of(), List.of(), List.of(),
                new RunObservations.Setup(0, 0, manifest.machine().logicalCores(), 0)), List.of());
    }

    private static boolean died(RunRecord record) {
        return record.manifest().status() == RunStatus.INTERRUPTED || record.manifest().status() == RunStatus.RUNNING;
    }

    /// As with a disk that failed after the record was marked as complete.
    private static boolean contradicts(RunRecord record, WorkerExit exit) {
        return record.manifest().status() == RunStatus.COMPLETE && exit.failed();
    }

    /// "The worker was killed (SIGKILL; the machine may be out of memory). 38 of 96 requests are recorded."
    private static String cause(RunRecord record, WorkerExit exit) {
        long recorded = record.observations().requests().stream().filter(request -> !request.warmUp()).count();
        int planned = record.manifest().plan().workload().requests();
        return exit.cause() + " " + recorded + (planned > 0 ? " of " + planned : "") + " requests are recorded.";
    }

    /// A full disk must not hide why the run failed: the caller has the cause, and a record that stays as it was is read as
    /// interrupted.
    private void save(Path folder, RunManifest manifest) {
        try {
            store.saveRun(folder, manifest);
        } catch (IOException e) {
            System.getLogger(RecordRecovery.class.getName()).log(System.Logger.Level.WARNING,
                    "The outcome of a run cannot be written: {0}", FileFault.describe(folder, e));
        }
    }
}
