package org.inferometer.record;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.LoadKind;

/// Everything that was observed in one run, instants in nanoseconds since the run's anchor; figures are derived from this alone.
///
/// @param requests warm-up included, in order of id
/// @param steps all steps, warm-up included
/// @param telemetry all samples, in order of time
/// @param setup the set-up, as far as figures need it
/// @param events events of the run, warm-up included, in order
public record RunObservations(RequestColumns requests, List<StepReport> steps, List<TelemetrySample> telemetry,
        Setup setup, List<RunEvent> events) {
    /// Observations with requests of any list.
    public RunObservations(List<RequestOutcome> requests, List<StepReport> steps, List<TelemetrySample> telemetry,
            Setup setup, List<RunEvent> events) {
        this(RequestColumns.of(requests), steps, telemetry, setup, events);
    }

    /// Observations without events.
    public RunObservations(List<RequestOutcome> requests, List<StepReport> steps, List<TelemetrySample> telemetry,
            Setup setup) {
        this(RequestColumns.of(requests), steps, telemetry, setup, List.of());
    }

    /// @param lanes lanes of the executor, by index; empty where they are not known
    /// @param laneThreads threads of each lane, by index; empty where lanes are no groups of threads or that is not known
    /// @param poolBlocks blocks of each KV pool, by index
    /// @param maxBatchRows row limit; 0 where there is none
    /// @param cores cores the run could use
    /// @param reusesPrefixes whether the scheduler looks for blocks that other requests left behind
    /// @param computesHere whether the process that was sampled is the one that computed; else it was only the client
    /// @param goal the goals of the run besides speed
    /// @param load how the requests arrived
    public record Setup(List<Lane> lanes, List<Integer> laneThreads, List<Integer> poolBlocks, int maxBatchRows,
            int cores, boolean reusesPrefixes, boolean computesHere, DeploymentGoal goal, LoadKind load) {
        /// A set-up whose lanes take any work and share one pool, without reuse of prefixes.
        ///
        /// @param lanes how many; 0 where that is not known
        /// @param kvPoolBlocks blocks of the pool; 0 where that is not known
        public Setup(int lanes, int maxBatchRows, int cores, int kvPoolBlocks) {
            this(lanes == 0 ? List.of() : LaneLayout.sharing(lanes).lanes(), List.of(), List.of(kvPoolBlocks),
                    maxBatchRows, cores, false, true, DeploymentGoal.NONE, LoadKind.UNKNOWN);
        }

        /// The same set-up under a load of another kind.
        public Setup arriving(LoadKind kind) {
            return new Setup(lanes, laneThreads, poolBlocks, maxBatchRows, cores, reusesPrefixes, computesHere, goal,
                    kind);
        }

        /// The lane with an id, where the set-up knows it.
        public Optional<Lane> lane(LaneId id) {
            return id.index() >= 0 && id.index() < lanes.size() ? Optional.of(lanes.get(id.index())) : Optional.empty();
        }

        /// Blocks of the pool that a lane works in; 0 where that is not known.
        public int poolBlocks(LaneId id) {
            int pool = lane(id).map(lane -> lane.pool().index()).orElse(poolBlocks.size() == 1 ? 0 : -1);
            return pool >= 0 && pool < poolBlocks.size() ? poolBlocks.get(pool) : 0;
        }

        /// Lanes that compute; the others only copy.
        public int computingLanes() {
            return (int) lanes.stream().filter(lane -> lane.role() != Lane.Role.TRANSFER).count();
        }

        /// Whether keys and values are moved between pools.
        public boolean movesBetweenPools() {
            return computingLanes() < lanes.size();
        }

        /// Whether a step copied keys and values instead of computing.
        public boolean isTransfer(StepReport step) {
            return lane(step.lane()).map(lane -> lane.role() == Lane.Role.TRANSFER).orElse(step.movedBytes() > 0);
        }
    }
}
