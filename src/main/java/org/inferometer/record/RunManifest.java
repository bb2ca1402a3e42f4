package org.inferometer.record;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `run.json`: what a run was and how it ended. Written when the run starts and replaced when it ends.
///
/// @param target what was driven: "in-process engine", or the selection of a target outside this process
/// @param executor what computed: "host, 2 threads, ..."
/// @param syntheticWeights whether the engine's weights are random numbers
/// @param anchorWall the wall clock at instant 0 of the run; [#UNKNOWN_WALL] of an imported one whose file does not tell
/// @param failure one sentence where the status is FAILED, else empty
/// @param droppedSamples telemetry samples that could not be kept
/// @param verdict absent until the run has ended
public record RunManifest(int formatVersion, RunPlan plan, MachineDescription machine, String model, String precision,
        boolean syntheticWeights, String workloadHash, String target, String executor, Pools pools, Instant anchorWall,
        RunStatus status, String failure, long droppedSamples, @Nullable Verdict verdict) {
    /// The version this program writes.
    public static final int FORMAT_VERSION = 2;

    /// Stands for a wall clock that nobody wrote down.
    public static final Instant UNKNOWN_WALL = Instant.EPOCH;

    /// The target of a run whose engine is in the process.
    public static final String IN_PROCESS = "in-process engine";

    /// @param lanes lanes of the executor
    /// @param blocks blocks of each pool
    /// @param laneThreads threads of each lane, by index; empty where lanes are no groups of threads or that is not known
    /// @param reusesPrefixes whether the scheduler looks for blocks that other requests left behind
    public record Pools(int lanes, int blockTokens, List<Integer> blocks, long blockBytes, List<Integer> laneThreads,
            boolean reusesPrefixes) {
        /// Of a target outside this process.
        public static final Pools UNKNOWN = new Pools(0, 0, List.of(), 0);

        /// Pools of lanes of which no more is known.
        public Pools(int lanes, int blockTokens, List<Integer> blocks, long blockBytes) {
            this(lanes, blockTokens, blocks, blockBytes, List.of(), false);
        }
    }

    /// The same run, ended.
    public RunManifest ended(RunStatus how, String why, long dropped, @Nullable Verdict judged) {
        return new RunManifest(formatVersion, plan, machine, model, precision, syntheticWeights, workloadHash, target,
                executor, pools, anchorWall, how, why, dropped, judged);
    }
}
