package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.units.SizeProduct;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// A specified experiment: subjects × workloads, with repetitions, limits and goal.
///
/// The subjects are engines × schedulers × backends, and targets.
///
/// @param targets servers and tools, alone or beside engines
/// @param runs repetitions of each cell
/// @param warmUpRequests requests before measuring starts, drained and left out of every figure
/// @param seed source of every random draw
/// @param sampleEveryMillis telemetry period, 10 to 1000
/// @param kvBytes sizes of the KV memory, of which each makes a cell; empty for the default of [EngineLimits]
/// @param limits batch limits
/// @param baseline the system that the others are compared with, whole or by its name alone; absent for the first
/// @param goal limits and price that the cells are judged by
/// @param search whether to search the rising loads for the highest that meets the goal
/// @param until how narrow an interval shall become before the experiment ends; absent for [#runs] runs of each cell
/// @param maxRuns the most runs of each cell with [#until]; 0 for the default
/// @param keepText whether prompts and answers are recorded as text; shared copies leave them out
public record ExperimentSpec(@JsonProperty("name") String name, @JsonProperty("engines") List<String> engines,
        @JsonProperty("schedulers") List<Selection> schedulers, @JsonProperty("backends") List<Selection> backends,
        @JsonProperty("targets") List<Selection> targets, @JsonProperty("workloads") List<WorkloadSpec> workloads,
        @JsonProperty("runs") int runs, @JsonProperty("warmUpRequests") int warmUpRequests,
        @JsonProperty("seed") long seed, @JsonProperty("sampleEveryMillis") int sampleEveryMillis,
        @JsonProperty("kvBytes") @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<Long> kvBytes,
        @JsonProperty("limits") AskedLimits limits, @JsonProperty("baseline") @Nullable String baseline,
        @JsonProperty("goal") DeploymentGoal goal, @JsonProperty("search") boolean search,
        @JsonProperty("until") @Nullable PrecisionTarget until, @JsonProperty("maxRuns") int maxRuns,
        @JsonProperty("keepText") boolean keepText) {
    /// The most cells that an experiment may have.
    public static final long MOST_CELLS = 100_000;

    /// The most runs that an experiment may have.
    public static final long MOST_RUNS = 100_000;

    /// One short workload under continuous scheduling on the CPU, without an engine: the defaults of all fields.
    public static final ExperimentSpec STANDARD = new ExperimentSpec("custom", List.of(),
            List.of(Selection.of("continuous")), List.of(new WorkloadPresets().find("short")), Selection.of("host"), 3,
            4, 42, 100, 0, AskedLimits.DEFAULTS);

    public ExperimentSpec {
        kvBytes = AskedLimits.chosen(kvBytes);
    }

    /// An experiment with engines on one backend, without goal; its baseline is the first scheduler.
    public ExperimentSpec(String name, List<String> engines, List<Selection> schedulers, List<WorkloadSpec> workloads,
            Selection backend, int runs, int warmUpRequests, long seed, int sampleEveryMillis, long kvBytes,
            AskedLimits limits) {
        this(name, engines, schedulers, List.of(backend), List.of(), workloads, runs, warmUpRequests, seed,
                sampleEveryMillis, List.of(kvBytes), limits, null, DeploymentGoal.NONE, false, null, 0, false);
    }

    /// Batch limits; each combination makes a cell. An empty list takes the default of [EngineLimits].
    ///
    /// @param maxBatchRows requests in a step
    /// @param maxStepPositions positions in a step
    /// @param maxSequencePositions positions of a request
    public record AskedLimits(
            @JsonProperty("maxBatchRows") @JsonFormat(
                    with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<Integer> maxBatchRows,
            @JsonProperty("maxStepPositions") @JsonFormat(
                    with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<Integer> maxStepPositions,
            @JsonProperty("maxSequencePositions") @JsonFormat(
                    with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<Integer> maxSequencePositions) {
        /// All defaults.
        public static final AskedLimits DEFAULTS = of(0, 0, 0);

        public AskedLimits {
            maxBatchRows = chosen(maxBatchRows);
            maxStepPositions = chosen(maxStepPositions);
            maxSequencePositions = chosen(maxSequencePositions);
        }

        /// One value each; 0 for the default.
        public static AskedLimits of(int batchRows, int stepPositions, int sequencePositions) {
            return new AskedLimits(List.of(batchRows), List.of(stepPositions), List.of(sequencePositions));
        }

        /// Without zeros: records of earlier versions have a 0 for the default. Here, so that this class never waits for the outer one,
        /// whose constants need it.
        private static <N extends Number> List<N> chosen(@Nullable List<N> values) {
            return values == null ? List.of() : values.stream().filter(value -> value.longValue() != 0).toList();
        }
    }

    /// The most runs of each cell.
    public int mostRuns() {
        return until == null ? runs : Math.max(runs, maxRuns == 0 ? PrecisionTarget.MOST_RUNS : maxRuns);
    }

    /// The numbers of runs of each cell after which the experiment may end; one where it does not look at its runs.
    public List<Integer> looks() {
        return until == null ? List.of(runs) : PrecisionTarget.looks(runs, mostRuns());
    }

    /// The combinations of limits and KV memory.
    public List<EngineLimits> engineLimits() {
        List<EngineLimits> combined = List.of(EngineLimits.DEFAULTS);
        combined = combined(combined, limits.maxBatchRows(), "maxBatchRows");
        combined = combined(combined, limits.maxStepPositions(), "maxStepPositions");
        combined = combined(combined, limits.maxSequencePositions(), "maxSequencePositions");
        return combined(combined, kvBytes, "kvBytes");
    }

    private boolean limitsVary() {
        return Math.max(Math.max(limits.maxBatchRows().size(), limits.maxStepPositions().size()),
                Math.max(limits.maxSequencePositions().size(), kvBytes.size())) > 1;
    }

    private static List<EngineLimits> combined(List<EngineLimits> base, List<? extends Number> values,
            String component) {
        return values.isEmpty() ? base : base.stream()
                .flatMap(each -> values.stream().map(value -> RecordCopy.with(each, component, value))).toList();
    }

    /// The number of cells, computed before any is made; [Long#MAX_VALUE] where it overflows.
    public long cellCount() {
        OptionalLong engineSubjects = SizeProduct.of(engines.size(), schedulers.size(), backends.size(),
                Math.max(1, limits.maxBatchRows().size()), Math.max(1, limits.maxStepPositions().size()),
                Math.max(1, limits.maxSequencePositions().size()), Math.max(1, kvBytes.size()));
        return engineSubjects.isEmpty() ? Long.MAX_VALUE
                : SizeProduct.of(engineSubjects.getAsLong() + targets.size(), workloads.size()).orElse(Long.MAX_VALUE);
    }

    /// What is measured: engines outermost, then schedulers, backends and limits; targets last.
    public List<Subject> subjects() {
        List<EngineLimits> asked = engines.isEmpty() ? List.of() : engineLimits();
        List<Subject> subjects = new ArrayList<>();
        for (String engine : engines) {
            for (Selection scheduler : schedulers) {
                for (Selection backend : backends) {
                    asked.forEach(each -> subjects.add(new EngineSubject(engine, scheduler, backend, each)));
                }
            }
        }
        targets.forEach(target -> subjects.add(new TargetSubject(target)));
        return subjects;
    }

    /// Every subject under every workload, subjects outermost. Check [#cellCount] first for untrusted input.
    public List<Cell> cells() {
        return subjects().stream().flatMap(subject -> workloads.stream().map(workload -> new Cell(subject, workload)))
                .toList();
    }

    /// The name of a cell beside the others: backend and limits only where they vary.
    public String label(Cell cell) {
        if (!(cell.subject() instanceof EngineSubject engine)) {
            return cell.label();
        }
        EngineSubject varying = new EngineSubject(engine.engine(), engine.scheduler(),
                backends.size() > 1 ? engine.backend() : Subject.HOST,
                limitsVary() ? engine.limits() : EngineLimits.DEFAULTS);
        return new Cell(varying, cell.workload()).label();
    }

    /// The systems that are compared: schedulers with their options, and names of targets.
    public List<String> systems() {
        return Stream.concat(schedulers.stream().map(Selection::toString),
                targets.stream().map(target -> new TargetSubject(target).system())).distinct().toList();
    }

    /// The system that the others are compared with: the one named, else the first; empty where the name fits none or
    /// several.
    public Optional<String> baselineSystem() {
        List<String> systems = systems();
        if (baseline == null) {
            return systems.stream().findFirst();
        }
        List<String> named = systemsNamed(baseline);
        return systems.contains(baseline) ? Optional.of(baseline) : named.size() == 1 ? Optional.of(named.getFirst())
                : Optional.empty();
    }

    /// The systems of a name, whatever their options; those of a swept target follow a blank.
    public List<String> systemsNamed(String name) {
        return systems().stream()
                .filter(system -> system.equals(name) || system.startsWith(name + ":") || system.startsWith(name + " "))
                .toList();
    }

    /// The same experiment compared with another system.
    public ExperimentSpec withBaseline(@Nullable String system) {
        return with("baseline", system);
    }

    /// The same experiment with other engines.
    public ExperimentSpec withEngines(List<String> chosen) {
        return with("engines", chosen);
    }

    /// The same experiment on the product that these subjects belong to.
    public ExperimentSpec withSubjects(List<Subject> subjects) {
        Set<String> models = new LinkedHashSet<>();
        Set<Selection> policies = new LinkedHashSet<>();
        Set<Selection> platforms = new LinkedHashSet<>();
        Set<Selection> driven = new LinkedHashSet<>();
        Set<EngineLimits> asked = new LinkedHashSet<>();
        for (Subject subject : subjects) {
            switch (subject) {
                case EngineSubject(String engine, Selection scheduler, Selection backend, EngineLimits limited) -> {
                    models.add(engine);
                    policies.add(scheduler);
                    platforms.add(backend);
                    asked.add(limited);
                }
                case TargetSubject(Selection target) -> driven.add(target);
            }
        }
        return with("engines", List.copyOf(models)).with("schedulers", List.copyOf(policies))
                .with("backends", List.copyOf(platforms)).with("targets", List.copyOf(driven))
                .withLimits(values(asked, EngineLimits::kvBytes),
                        new AskedLimits(values(asked, EngineLimits::maxBatchRows),
                                values(asked, EngineLimits::maxStepPositions),
                                values(asked, EngineLimits::maxSequencePositions)));
    }

    private static <N extends Number> List<N> values(Set<EngineLimits> asked, Function<EngineLimits, N> value) {
        return asked.stream().map(value).distinct().toList();
    }

    /// The same experiment on targets in place of its engines and of what only engines have.
    public ExperimentSpec onTargetsOnly(List<Selection> driven) {
        return with("engines", List.of()).with("schedulers", List.of()).with("backends", List.of())
                .with("targets", driven).withLimits(List.of(), AskedLimits.DEFAULTS);
    }

    /// The same experiment judged by a goal.
    public ExperimentSpec withGoal(DeploymentGoal judge) {
        return with("goal", judge);
    }

    /// The same experiment, searching for the highest of its loads that meets the goal.
    public ExperimentSpec searching() {
        return searching(true);
    }

    /// The same experiment, searching or running all its loads.
    public ExperimentSpec searching(boolean search) {
        return with("search", search);
    }

    /// The same experiment with other KV memory and batch limits.
    public ExperimentSpec withLimits(List<Long> memoryBytes, AskedLimits asked) {
        return with("kvBytes", memoryBytes).with("limits", asked);
    }

    /// The same experiment with another number of repetitions.
    public ExperimentSpec withRuns(int repetitions) {
        return with("runs", repetitions);
    }

    /// The same experiment under another name.
    public ExperimentSpec named(String changed) {
        return with("name", changed);
    }

    /// The same experiment with other loads.
    public ExperimentSpec withWorkloads(List<WorkloadSpec> loads) {
        return with("workloads", loads);
    }

    /// The same experiment with prompts and answers recorded as text.
    public ExperimentSpec withTexts() {
        return with("keepText", true);
    }

    private ExperimentSpec with(String component, @Nullable Object value) {
        return RecordCopy.with(this, component, value);
    }
}
