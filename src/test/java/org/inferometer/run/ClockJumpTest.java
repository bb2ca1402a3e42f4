package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentTimes;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.AnchoredClock;
import org.inferometer.units.JumpingClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The wall clock jumps by years with each reading.
@Timeout(60)
class ClockJumpTest {
    private static final ExperimentSpec SPEC =
            SampleRecords.spec(1).onTargetsOnly(List.of(Selection.parse("null:name=nothing")));

    @TempDir
    Path folder;

    private final ResultFiles store = new ResultFiles();

    @Test
    void anExperimentTakesTheTimeThatWentBy() throws Exception {
        JumpingClock clock = new JumpingClock();
        Instant started = clock.wall();
        List<RunPlan> plans = IntStream.range(0, 2).mapToObj(this::planned).toList();
        ExperimentManifest planned = SampleRecords.running("id", SPEC, plans, started);
        ExperimentRun run = new ExperimentRun(folder.resolve("id"), planned, RunQueue.of(plans),
                new ExperimentListener() {}, new EngineCatalog(folder.resolve("engines")), store, new Host(), clock);
        long begun = clock.seconds();
        run.start();
        ExperimentManifest ended = run.await();

        assertThat(ended.status()).isEqualTo(RunStatus.COMPLETE);
        assertThat(ended.times().started()).isEqualTo(started);
        assertThat(ended.times().duration().orElseThrow()).isBetween(Duration.ofSeconds(1),
                Duration.ofSeconds(clock.seconds() - begun + 1));
    }

    @Test
    void stampsOfARunFollowItsNanoseconds() {
        AnchoredClock clock = new AnchoredClock(new JumpingClock());
        Instant last = clock.anchorWall();
        for (int i = 0; i < 10; i++) {
            Instant now = clock.wall();
            assertThat(Duration.between(last, now)).isEqualTo(Duration.ofSeconds(1));
            last = now;
        }
    }

    @Test
    void aRecordWhoseClockWasSetBackHasNoDuration() {
        assertThat(new ExperimentTimes(Instant.EPOCH, Instant.EPOCH.minusSeconds(1), null).duration()).isEmpty();
    }

    private RunPlan planned(int run) {
        return SamplePlans.plan("id", run, 0, SPEC.cells().getFirst(), run, "",
                folder.resolve("id").resolve(SampleRecords.folderName(run)).toString(), 4, 42, 100, 0,
                new Limits(0, 0, 0), LaneLayout.sharing(1));
    }

    /// Writes the record of each run at once.
    private final class Host implements FreeHost {
        @Override
        public Path workspace() {
            return folder;
        }

        @Override
        public Session start(RunPlan plan) {
            return new Session() {
                @Override
                public WorkerExit listen(Consumer<WorkerFrame> frames) {
                    try {
                        SampleRecords.writeRun(store, Path.of(plan.folder()), plan, RunStatus.COMPLETE, 20);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return new WorkerExit(0, new WorkerFrame.Finished(RunStatus.COMPLETE, ""), "", null);
                }

                @Override
                public void cancel() {
                    throw new AssertionError("not cancelled");
                }

                @Override
                public void close() {}
            };
        }
    }
}
