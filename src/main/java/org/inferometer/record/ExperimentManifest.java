package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.jspecify.annotations.Nullable;

/// `experiment.json`: the specification, the plan, the machine and the outcome of an experiment.
///
/// @param id name of the experiment's folder: "2026-11-21_141503_quick"
/// @param plan planned runs in the order of execution
/// @param anonymized whether paths, hosts and users were removed
public record ExperimentManifest(@JsonProperty("formatVersion") int formatVersion, @JsonProperty("id") String id,
        @JsonProperty("spec") ExperimentSpec spec, @JsonProperty("plan") List<RunPlan> plan,
        @JsonProperty("machine") MachineDescription machine, @JsonProperty("times") ExperimentTimes times,
        @JsonProperty("outcome") ExperimentOutcome outcome, @JsonProperty("anonymized") boolean anonymized) {
    /// The version this program writes.
    public static final int FORMAT_VERSION = 3;

    /// When an experiment ran.
    ///
    /// @param started absent if an imported file does not contain it
    /// @param ended absent until it has ended
    /// @param imported when it was imported from another tool's file; absent where it was measured here
    public record ExperimentTimes(@JsonProperty("started") @Nullable Instant started,
            @JsonProperty("ended") @Nullable Instant ended, @JsonProperty("imported") @Nullable Instant imported) {
        /// Of an experiment that has started and not ended.
        public static ExperimentTimes startedAt(Instant started) {
            return new ExperimentTimes(started, null, null);
        }

        /// The same experiment, ended.
        public ExperimentTimes endedAt(@Nullable Instant end) {
            return new ExperimentTimes(started, end, imported);
        }

        /// When it started; empty where that is not known.
        public Optional<Instant> start() {
            return Optional.ofNullable(started);
        }

        /// When it was added to the results; the library sorts by it.
        public Instant added() {
            return imported != null ? imported : started != null ? started : Instant.EPOCH;
        }

        /// How long it took, where start and end are known and the clock was not set back between them.
        public Optional<Duration> duration() {
            return started == null || ended == null || ended.isBefore(started) ? Optional.empty()
                    : Optional.of(Duration.between(started, ended));
        }
    }

    /// The status and outcome of an experiment.
    ///
    /// @param failure one sentence where the status is FAILED, else empty
    /// @param cells summary of each cell that has at least one ended run
    /// @param verdict absent until the experiment has ended
    /// @param estimates the highest load of each subject of a search; absent where nothing was searched, and in older records
    public record ExperimentOutcome(@JsonProperty("status") RunStatus status, @JsonProperty("failure") String failure,
            @JsonProperty("cells") List<CellSummary> cells, @JsonProperty("verdict") @Nullable Verdict verdict,
            @JsonProperty("estimates") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<LoadEstimate> estimates) {
        /// Of an experiment that has not ended a run.
        public static final ExperimentOutcome RUNNING = new ExperimentOutcome(RunStatus.RUNNING, "", List.of(), null);

        /// Of an experiment that searched nothing.
        public ExperimentOutcome(RunStatus status, String failure, List<CellSummary> cells, @Nullable Verdict verdict) {
            this(status, failure, cells, verdict, null);
        }
    }

    /// The highest load of a search that meets the service-level objective, estimated for one subject from all of its runs.
    ///
    /// @param cells indices of its loads in `spec.cells()`, ascending in load
    /// @param estimate requests a second, or requests in flight
    /// @param low lower end of the 95 % interval; absent if that is below the lowest load of the search
    /// @param high its upper end; absent if that is above the highest load
    /// @param shownServed the highest load that is shown to be served; absent if none is
    public record LoadEstimate(@JsonProperty("cells") List<Integer> cells, @JsonProperty("estimate") double estimate,
            @JsonProperty("low") @Nullable Double low, @JsonProperty("high") @Nullable Double high,
            @JsonProperty("shownServed") @Nullable Double shownServed) {}

    /// The figures of one cell over its runs.
    ///
    /// @param cellIndex index in `spec.cells()`
    /// @param runs ended runs behind the figures
    /// @param invalidRuns how many of them are INVALID; absent where that is not known
    /// @param slo whether the load meets the SLO; absent without an SLO, in older records and in files of other tools
    /// @param quality of the engine's predictions; absent where it was not judged before the runs, and for servers
    public record CellSummary(@JsonProperty("cellIndex") int cellIndex, @JsonProperty("cell") Cell cell,
            @JsonProperty("model") String model, @JsonProperty("precision") String precision,
            @JsonProperty("runs") int runs, @JsonProperty("invalidRuns") @Nullable Integer invalidRuns,
            @JsonProperty("figures") List<CellFigure> figures, @JsonProperty("slo") @Nullable SloResult slo,
            @JsonProperty("quality") @Nullable MeasuredQuality quality) {
        /// A cell whose quality is not known.
        public CellSummary(int cellIndex, Cell cell, String model, String precision, int runs,
                @Nullable Integer invalidRuns, List<CellFigure> figures, @Nullable SloResult slo) {
            this(cellIndex, cell, model, precision, runs, invalidRuns, figures, slo, null);
        }

        /// A cell without an SLO.
        public CellSummary(int cellIndex, Cell cell, String model, String precision, int runs,
                @Nullable Integer invalidRuns, List<CellFigure> figures) {
            this(cellIndex, cell, model, precision, runs, invalidRuns, figures, null);
        }

        /// A cell of which the verdicts are not known.
        public CellSummary(int cellIndex, Cell cell, String model, String precision, int runs,
                List<CellFigure> figures) {
            this(cellIndex, cell, model, precision, runs, null, figures, null);
        }

        /// Whether one of its runs is known to be INVALID, so that it is never ranked.
        public boolean hasInvalidRuns() {
            return invalidRuns != null && invalidRuns > 0;
        }
    }

    /// The name for people: that of its specification, or its id without the time stamp.
    public String name() {
        return spec.name().equals(id) ? ExperimentId.of(id).name() : spec.name();
    }

    /// The status of the outcome.
    public RunStatus status() {
        return outcome.status();
    }

    /// The failure of the outcome, or empty.
    public String failure() {
        return outcome.failure();
    }

    /// The summaries of the outcome.
    public List<CellSummary> cells() {
        return outcome.cells();
    }

    /// The verdict of the outcome.
    public @Nullable Verdict verdict() {
        return outcome.verdict();
    }

    /// The estimate of the highest load of a cell's subject; empty where none was searched.
    public Optional<LoadEstimate> estimate(int cellIndex) {
        List<LoadEstimate> estimates = outcome.estimates();
        return estimates == null ? Optional.empty()
                : estimates.stream().filter(each -> each.cells().contains(cellIndex)).findFirst();
    }

    /// Folder names of the planned runs, in the order of execution.
    public List<String> runFolders() {
        return plan.stream().map(RunPlan::folderName).toList();
    }

    /// The same experiment with another specification.
    public ExperimentManifest withSpec(ExperimentSpec other) {
        return new ExperimentManifest(formatVersion, id, other, plan, machine, times, outcome, anonymized);
    }

    /// The same experiment with the machine as the computing process described it.
    public ExperimentManifest withMachine(MachineDescription described) {
        return new ExperimentManifest(formatVersion, id, spec, plan, described, times, outcome, anonymized);
    }

    /// The same experiment with one more planned run.
    public ExperimentManifest withRun(RunPlan run) {
        return new ExperimentManifest(formatVersion, id, spec, Stream.concat(plan.stream(), Stream.of(run)).toList(),
                machine, times, outcome, anonymized);
    }

    /// The same experiment with this outcome.
    ///
    /// @param end absent while it has not ended
    public ExperimentManifest withOutcome(ExperimentOutcome other, @Nullable Instant end) {
        return new ExperimentManifest(formatVersion, id, spec, plan, machine, times.endedAt(end), other, anonymized);
    }

    /// The same experiment, failed, with the summaries so far.
    ///
    /// @param why one sentence
    public ExperimentManifest failed(String why, Instant when) {
        return withOutcome(new ExperimentOutcome(RunStatus.FAILED, why, cells(), verdict(), outcome.estimates()), when);
    }
}
