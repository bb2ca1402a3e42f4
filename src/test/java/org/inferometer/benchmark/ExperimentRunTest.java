package org.inferometer.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.inferometer.benchmark.ScriptedWorker.Manner;
import org.inferometer.engine.EngineCatalog;
import org.inferometer.options.Selection;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How an experiment ends when something comes between, with worker processes that measure nothing and records that lie there before.
@Timeout(60)
class ExperimentRunTest {
    private static final ExperimentSpec SPEC = SampleRecords.spec(1).withTargets(List.of(Selection.parse("null:name=nothing")));

    @TempDir
    Path folder;

    private final ResultFiles store = new ResultFiles();

    @Test
    void aListenerThatThrowsLeavesNoWorkerBehind() throws Exception {
        CompletableFuture<Long> pid = new CompletableFuture<>();
        ExperimentManifest manifest = end(Manner.OBEDIENT, new ExperimentListener() {
            @Override
            public void frame(RunPlan plan, WorkerFrame frame) {
                pid.complete(ScriptedWorker.pid(frame));
                throw new IllegalStateException("made up");
            }
        });
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure()).contains("made up");
        assertThat(ScriptedWorker.lives(pid.get())).isFalse();
    }

    private ExperimentManifest end(Manner manner, ExperimentListener listener) throws IOException, InterruptedException {
        ExperimentRun run = run(manner, SPEC, listener);
        run.start();
        return run.await();
    }

    /// Two runs whose records lie there already.
    private ExperimentRun run(Manner manner, ExperimentSpec spec, ExperimentListener listener) throws IOException {
        List<RunPlan> plans = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Path runFolder = folder.resolve(SampleRecords.folderName(i));
            RunPlan plan = new RunPlan("id", i, 0, spec.cells().getFirst(), i, "", runFolder.toString(), 4, 42, 100, 0, new Limits(0, 0, 0), null);
            SampleRecords.writeRun(store, runFolder, plan, RunStatus.COMPLETE, 20);
            plans.add(plan);
        }
        ExperimentManifest planned = new ExperimentManifest(
                ExperimentManifest.FORMAT_VERSION, "id", spec, plans, plans.stream().map(RunPlan::folderName).toList(), SampleRecords.MACHINE,
                Instant.EPOCH, null, RunStatus.RUNNING, "", List.of(), null, false);
        return new ExperimentRun(
                folder, planned, RunQueue.of(plans), listener, new EngineCatalog(folder.resolve("engines")), store,
                new Workers(ScriptedWorker.command(manner), folder.resolve("measuring.lock")), new SystemClock());
    }
}
