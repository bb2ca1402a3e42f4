package org.inferometer.ui.bench;

import java.util.function.Consumer;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;

/// Passes everything on to the recorder and tells when the experiment is over.
record EndListener(LiveRecorder recorder, Consumer<ExperimentManifest> over) implements ExperimentListener {
    @Override
    public void building(String engine, double fraction) {
        recorder.building(engine, fraction);
    }

    @Override
    public void started(ExperimentManifest manifest) {
        recorder.started(manifest);
    }

    @Override
    public void runStarted(RunPlan plan) {
        recorder.runStarted(plan);
    }

    @Override
    public void frame(RunPlan plan, WorkerFrame frame) {
        recorder.frame(plan, frame);
    }

    @Override
    public void runEnded(RunPlan plan, RunRecord record) {
        recorder.runEnded(plan, record);
    }

    @Override
    public void ended(ExperimentManifest manifest) {
        over.accept(manifest);
    }
}
