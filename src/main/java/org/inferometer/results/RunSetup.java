package org.inferometer.results;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.RunPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.LoadKind;

/// The set-up of a run that figures need, from its manifest.
final class RunSetup {
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");
    private static final int MOST_LANES = 1 << 10;

    private RunSetup() {}

    static Setup of(RunManifest manifest) {
        RunPlan plan = manifest.plan();
        PlannedEngine engine = plan.subject() instanceof PlannedEngine ours ? ours : null;
        RunManifest.Pools pools = manifest.system().pools();
        // If the executor opened other lanes or pools than planned, their roles are unknown.
        LaneLayout planned = engine == null ? null : engine.layout();
        boolean asPlanned = planned != null && pools.lanes() == planned.lanes().size()
                && pools.blocks().size() == planned.poolShares().size();
        List<Lane> lanes = planned != null && asPlanned ? planned.lanes() : List.of();
        return new Setup(lanes, asPlanned ? pools.laneThreads() : List.of(), pools.blocks(),
                engine == null ? 0 : engine.limits().maxBatchRows(), manifest.machine().logicalCores(),
                pools.reusesPrefixes(), engine != null, plan.goal(), LoadKind.of(plan.workload()));
    }

    /// @throws ResultFormatException if a count or size is out of range
    static void requireSound(Path file, RunManifest manifest) throws ResultFormatException {
        RunPlan plan = manifest.plan();
        RunManifest.Pools pools = manifest.system().pools();
        Instant anchor = manifest.anchorWall();
        require(file, anchor == null || (!anchor.isBefore(Instant.EPOCH) && anchor.isBefore(LATEST)),
                "the start of the run is out of range.");
        require(file, plan.index().run() >= 0 && plan.index().cell() >= 0 && plan.index().repetition() >= 0,
                "the run's number, cell or repetition is negative.");
        require(file, pools.lanes() >= 0 && pools.lanes() <= MOST_LANES && pools.blockTokens() >= 0
                && pools.blockBytes() >= 0 && pools.blocks().size() <= MOST_LANES
                && pools.blocks().stream().allMatch(blocks -> blocks >= 0) && pools.laneThreads().size() <= MOST_LANES
                && pools.laneThreads().stream().allMatch(threads -> threads >= 0), "the lanes or pools are invalid.");
        require(file,
                (!(plan.subject() instanceof PlannedEngine engine) || engine.limits().maxBatchRows() >= 0)
                        && manifest.machine().logicalCores() >= 0 && manifest.outcome().droppedSamples() >= 0
                        && plan.workload().requests() >= 0,
                "a count is negative.");
    }

    private static void require(Path file, boolean holds, String sentence) throws ResultFormatException {
        if (!holds) {
            throw new ResultFormatException(file, sentence + " This is not a record of Inferometer.");
        }
    }
}
