package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.inferometer.scheduling.SchedulerPlugin;
import org.jspecify.annotations.Nullable;

/// `run.json`: plan, machine and outcome of a run. Written when the run starts and replaced when it ends.
///
/// @param anchorWall wall clock at instant 0 of the run; absent if an imported file does not contain it
/// @param window what the desktop's window did meanwhile; absent where that is not known
public record RunManifest(@JsonProperty("formatVersion") int formatVersion, @JsonProperty("plan") RunPlan plan,
        @JsonProperty("machine") MachineDescription machine, @JsonProperty("system") SystemUnderTest system,
        @JsonProperty("workloadHash") String workloadHash, @JsonProperty("anchorWall") @Nullable Instant anchorWall,
        @JsonProperty("outcome") RunOutcome outcome, @JsonProperty("window") @Nullable WindowUse window) {
    /// A run of which the window is not known.
    public RunManifest(int formatVersion, RunPlan plan, MachineDescription machine, SystemUnderTest system,
            String workloadHash, @Nullable Instant anchorWall, RunOutcome outcome) {
        this(formatVersion, plan, machine, system, workloadHash, anchorWall, outcome, null);
    }

    /// The version this program writes.
    public static final int FORMAT_VERSION = 3;

    /// The target of a run whose engine is in the process.
    public static final String IN_PROCESS = "in-process engine";

    /// A run that has started.
    public static RunManifest started(RunPlan plan, MachineDescription machine, SystemUnderTest system,
            String workloadHash, @Nullable Instant anchorWall) {
        return new RunManifest(FORMAT_VERSION, plan, machine, system, workloadHash, anchorWall, RunOutcome.RUNNING);
    }

    /// A run that ended before it measured anything.
    ///
    /// @param why one sentence where the status is FAILED, else empty
    public static RunManifest notMeasured(RunPlan plan, MachineDescription machine, Instant wall, RunStatus status,
            String why) {
        String target = switch (plan.subject()) {
            case PlannedSubject.PlannedEngine _ -> IN_PROCESS;
            case PlannedSubject.PlannedTarget(var driven) -> driven.toString();
        };
        return started(plan, machine, SystemUnderTest.of(target), "", wall).ended(RunOutcome.of(status, why));
    }

    /// The same run with this outcome.
    public RunManifest ended(RunOutcome how) {
        return new RunManifest(formatVersion, plan, machine, system, workloadHash, anchorWall, how, window);
    }

    /// The same run on a server that said this about itself.
    public RunManifest servedBy(ServerIdentity server) {
        SystemUnderTest served = new SystemUnderTest(system.target(), system.executor(),
                server.model().isEmpty() ? system.model() : server.model(), system.precision(),
                system.syntheticWeights(), system.pools(), server, system.variables(), system.quality(),
                system.plugin());
        return new RunManifest(formatVersion, plan, machine, served, workloadHash, anchorWall, outcome, window);
    }

    /// The same run, shown by a window.
    public RunManifest shownBy(WindowUse use) {
        return new RunManifest(formatVersion, plan, machine, system, workloadHash, anchorWall, outcome, use);
    }

    /// The moments that a person marked, in order.
    public List<RunMarker> markers() {
        return window == null ? List.of() : window.markers();
    }

    /// The status of the outcome.
    public RunStatus status() {
        return outcome.status();
    }

    /// The engine or target of the run.
    ///
    /// @param target "in-process engine", or the selection of a target outside this process
    /// @param executor description of the executor: "host, 2 threads, ..."; empty outside this process
    /// @param syntheticWeights whether the weights are random numbers
    /// @param server what a server says about itself; absent for engines, for other targets, and where it was not recorded
    /// @param variables names of the environment variables that the target uses; empty where that was not recorded
    /// @param quality of the engine's predictions; absent where it was not judged before the run, and for servers
    /// @param plugin that the scheduler comes from; absent for schedulers of this program, and for servers
    public record SystemUnderTest(@JsonProperty("target") String target, @JsonProperty("executor") String executor,
            @JsonProperty("model") String model, @JsonProperty("precision") String precision,
            @JsonProperty("syntheticWeights") boolean syntheticWeights, @JsonProperty("pools") Pools pools,
            @JsonProperty("server") @Nullable ServerIdentity server, @JsonProperty("variables") List<String> variables,
            @JsonProperty("quality") @Nullable MeasuredQuality quality,
            @JsonProperty("plugin") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SchedulerPlugin plugin) {
        public SystemUnderTest {
            variables = List.copyOf(Objects.requireNonNullElse(variables, List.of()));
        }

        /// A system that is no server.
        public SystemUnderTest(String target, String executor, String model, String precision, boolean syntheticWeights,
                Pools pools) {
            this(target, executor, model, precision, syntheticWeights, pools, null, List.of(), null, null);
        }

        /// The same engine with what is known of its quality, and where its scheduler comes from.
        public SystemUnderTest with(@Nullable MeasuredQuality known, @Nullable SchedulerPlugin origin) {
            return new SystemUnderTest(target, executor, model, precision, syntheticWeights, pools, server, variables,
                    known, origin);
        }

        /// A system of which only the target is known.
        public static SystemUnderTest of(String target) {
            return new SystemUnderTest(target, "", "", "", false, Pools.UNKNOWN);
        }
    }

    /// @param lanes lanes of the executor
    /// @param blocks blocks of each pool
    /// @param laneThreads threads of each lane, by index; empty where lanes are no groups of threads or that is not known
    /// @param reusesPrefixes whether the scheduler uses the prefix cache
    public record Pools(@JsonProperty("lanes") int lanes, @JsonProperty("blockTokens") int blockTokens,
            @JsonProperty("blocks") List<Integer> blocks, @JsonProperty("blockBytes") long blockBytes,
            @JsonProperty("laneThreads") List<Integer> laneThreads,
            @JsonProperty("reusesPrefixes") boolean reusesPrefixes) {
        /// Of a target outside this process.
        public static final Pools UNKNOWN = new Pools(0, 0, List.of(), 0, List.of(), false);
    }

    /// The status and outcome of a run.
    ///
    /// @param failure one sentence where the status is FAILED, else empty
    /// @param droppedSamples telemetry samples that could not be kept
    /// @param verdict absent until the run has ended
    public record RunOutcome(@JsonProperty("status") RunStatus status, @JsonProperty("failure") String failure,
            @JsonProperty("droppedSamples") long droppedSamples, @JsonProperty("verdict") @Nullable Verdict verdict) {
        /// Of a run that has not ended.
        public static final RunOutcome RUNNING = new RunOutcome(RunStatus.RUNNING, "", 0, null);

        /// An end without a verdict.
        public static RunOutcome of(RunStatus status, String failure) {
            return new RunOutcome(status, failure, 0, null);
        }
    }
}
