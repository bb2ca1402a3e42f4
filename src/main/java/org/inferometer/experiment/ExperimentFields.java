package org.inferometer.experiment;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.inferometer.experiment.Field.Arity;
import org.inferometer.experiment.Field.Naming;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The table of an experiment's fields, in the order in which they are shown and applied: options, keys of YAML files,
/// ranges, help. Defaults are those of [ExperimentSpec#STANDARD].
public final class ExperimentFields {
    private static final int MOST_POSITIONS = 1 << 22;
    private static final FieldType<Selection> SELECTION = new FieldType<>("NAME[:opt=value,...]", "a name with options",
            "", Selection::parse, Selection::toString, false, Selection::parts);
    private static final FieldType<String> NAME = FieldType.text("NAME");

    /// Engines.
    public static final Field<ExperimentSpec, String> ENGINES = Field.list(named("Engines", "--engine", "engines"),
            NAME, Arity.LIST, "engines", "Engine to run. See: inferometer engines list.", "");
    /// Schedulers.
    public static final Field<ExperimentSpec, Selection> SCHEDULERS =
            Field.list(named("Schedulers", "--scheduler", "schedulers"), SELECTION, Arity.LIST, "schedulers",
                    "Scheduler, with options after a colon. See: inferometer help schedulers.", "");
    /// Backends; forms have one.
    public static final Field<ExperimentSpec, Selection> BACKEND =
            Field.list(named("Backend", "--backend", "backend"), SELECTION, Arity.LIST, "backends",
                    "Backend: host or cuda, with options, as in host:threads=2. See: inferometer help backends.", "");
    /// Targets.
    public static final Field<ExperimentSpec, Selection> TARGETS = Field.list(named("Targets", "--target", "targets"),
            SELECTION, "targets",
            "Benchmark target, alone or beside engines: a server or tool, as in http:url=http://localhost:8000; repeat it for more. See: inferometer help targets.",
            "none");
    /// The baseline.
    public static final Field<ExperimentSpec, String> BASELINE =
            Field.component(named("Baseline", "--baseline", "baseline"),
                    new FieldType<>("NAME[:opt=value,...]", "a name, also with options", "", Function.identity(),
                            Function.identity()),
                    "baseline", null, "Scheduler or target that the others are compared with, whole or by its name.",
                    "the first");
    /// Workloads, by name on the command line.
    public static final Field<ExperimentSpec, WorkloadSpec> WORKLOADS =
            new Field<>(named("Workloads", "--workload", "workloads"),
                    // Names of files may have commas.
                    new FieldType<>("NAME|prompts:FILE|trace:FILE", "a workload", "", new WorkloadPresets()::find,
                            WorkloadSpec::name, false,
                            text -> text.contains(":") ? List.of(text) : List.of(text.split(",", -1))),
                    Arity.LIST, "Workload preset, prompts file or recorded trace. See: inferometer help workloads.",
                    "short", spec -> List.of(), ExperimentSpec::withWorkloads);
    /// Requests in flight, for all workloads.
    public static final Field<ExperimentSpec, Integer> CONCURRENCY = loads("In flight", "--concurrency",
            new FieldType<>("N", range(ArrivalProcess.ClosedLoop.class), "requests in flight",
                    text -> ((ArrivalProcess.ClosedLoop) ArrivalProcess
                            .parse("closed:concurrency=" + FieldType.expanded(text))).concurrency(),
                    String::valueOf),
            "Closed loop: N requests in flight, each answer makes room for the next.",
            (Integer inFlight) -> load -> load.withSlots(inFlight));
    /// Poisson arrivals, for all workloads.
    public static final Field<ExperimentSpec, Double> RATE = loads("Rate", "--rate",
            new FieldType<>("R", range(ArrivalProcess.Poisson.class), "requests a second",
                    text -> ((ArrivalProcess.Poisson) ArrivalProcess.parse("poisson:rate=" + FieldType.expanded(text)))
                            .requestsPerSecond(),
                    String::valueOf),
            "Open loop: Poisson arrivals, R requests a second on average.",
            (Double rate) -> load -> load.withArrivals(new ArrivalProcess.Poisson(rate)));
    /// Arrivals of any kind, for all workloads.
    public static final Field<ExperimentSpec, ArrivalProcess> ARRIVALS =
            loads("Arrivals", "--arrivals", WorkloadFields.ARRIVALS.type(),
                    "How requests arrive, as in gamma:rate=4,burstiness=0.5. See: inferometer help arrivals.",
                    (ArrivalProcess arrivals) -> load -> load.withArrivals(arrivals));
    /// Tokens of a prompt, for all workloads.
    public static final Field<ExperimentSpec, LengthDistribution> PROMPT_TOKENS =
            loads("Prompt tokens", "--prompt-tokens", WorkloadFields.PROMPT_TOKENS.type(),
                    "Tokens of a prompt: 512, 64..256 or lognormal(100, 0.7, 4..512).",
                    (LengthDistribution lengths) -> load -> WorkloadFields.PROMPT_TOKENS.with(load, List.of(lengths)));
    /// Tokens of an answer, for all workloads.
    public static final Field<ExperimentSpec, LengthDistribution> OUTPUT_TOKENS = loads("Output tokens",
            "--output-tokens", WorkloadFields.OUTPUT_TOKENS.type(), "Tokens of an answer, written in the same way.",
            (LengthDistribution lengths) -> load -> WorkloadFields.OUTPUT_TOKENS.with(load, List.of(lengths)));
    /// How long requests are sent, for all workloads.
    public static final Field<ExperimentSpec, Long> DURATION = loads("Duration", "--duration",
            WorkloadFields.DURATION.type(),
            "Stop sending after this long in place of a number of requests, as in 60s; with --requests, whichever comes first.",
            (Long nanos) -> load -> WorkloadFields.DURATION.with(load, List.of(nanos)));
    /// When failures stop a run, for all workloads.
    public static final Field<ExperimentSpec, Double> STOP_AFTER_FAILURES = loads("Stop after failures",
            "--stop-after-failures", WorkloadFields.STOP_AFTER_FAILURES.type(),
            "Stop a run when more than this share of its requests has failed, as in 10%; of 20 requests or more.",
            (Double share) -> load -> WorkloadFields.STOP_AFTER_FAILURES.with(load, List.of(share)));
    /// Whether answers go on beyond the model's end of sequence, for all workloads.
    public static final Field<ExperimentSpec, Boolean> IGNORE_EOS =
            loads("Ignore end of sequence", "--ignore-eos", WorkloadFields.IGNORE_EOS.type(),
                    "Whether answers go on beyond the model's end of sequence; true unless a workload says otherwise.",
                    (Boolean ignored) -> load -> WorkloadFields.IGNORE_EOS.with(load, List.of(ignored)));
    /// A text that ends answers, for all workloads.
    public static final Field<ExperimentSpec, String> STOP =
            loads("Stop", "--stop", WorkloadFields.STOP.type(), "A text that ends an answer; files can give several.",
                    (String text) -> load -> WorkloadFields.STOP.with(load, List.of(text)));
    /// Numbers of requests, for all workloads.
    public static final Field<ExperimentSpec, Integer> REQUESTS = new Field<>(named("Requests", "--requests", null),
            WorkloadFields.REQUESTS.type(), Arity.LIST,
            "Measured requests a run; several make a workload each, as in 25,50,100.", "as in the workload",
            spec -> List.of(), (spec, counts) -> spec.withWorkloads(LoadGrid.counted(spec.workloads(), counts)));
    /// Fields over several values; repeated, a product of them.
    public static final Field<ExperimentSpec, Sweep> SWEEP = sweep(KnownOptions.NONE);
    /// A range of loads that is searched.
    public static final Field<ExperimentSpec, LoadSweep> SEARCH = new Field<>(named("Search", "--search", "search"),
            FieldType.of("WHAT=LEAST..MOST", "a range of loads", LoadSweep::grid), Arity.ONE,
            "Find the highest load that meets --slo: concurrency=1..64 or rate=0.5..20, in steps of a tenth.", "none",
            spec -> List.of(),
            (spec, sweeps) -> spec.withWorkloads(sweeps.getFirst().over(spec.workloads())).searching(true));
    /// Limits that each request must meet.
    public static final Field<ExperimentSpec, ServiceObjective> OBJECTIVE = Field.component(
            named("SLO", "--slo", "slo"), FieldType.of("LIMITS|NAME", "limits", ServiceObjective::parse),
            "goal.objective", ServiceObjective.NONE,
            "Limits that each request must meet, as in ttft=500ms,tpot=50ms,e2e=10s, or MLPerf's: see inferometer help slos. Gives goodput.",
            "none");
    /// Price of the machine.
    public static final Field<ExperimentSpec, Double> PRICE = Field.component(
            named("Price per hour", "--price", "price"), FieldType.decimal(0, 1e9, "a price"), "goal.pricePerHour", 0.0,
            "Price of the machine per hour, in any currency. Gives the cost of a million output tokens.", "none");
    /// Repetitions.
    public static final Field<ExperimentSpec, Integer> RUNS =
            Field.component(named("Repetitions", "--runs", "runs"), FieldType.whole(1, 1000, "runs of each cell"),
                    "runs", null, "Repetitions of each cell; one gives no interval and no verdict.", "");
    /// How narrow an interval shall become.
    public static final Field<ExperimentSpec, PrecisionTarget> UNTIL =
            Field.component(named("Until", "--until", "until"),
                    FieldType.of("METRIC=WIDTH%", "a metric with a width", PrecisionTarget::parse), "until", null,
                    "Add runs until half the 95 % interval of a metric is this narrow, as in output_throughput=2%: "
                            + "of the difference to the baseline, of the figure where a load has one cell.",
                    "none");
    /// The most repetitions.
    public static final Field<ExperimentSpec, Integer> MAX_RUNS = Field.component(
            named("Most runs", "--max-runs", "max_runs"), FieldType.whole(3, 1000, "runs of each cell"), "maxRuns", 0,
            "With --until, the most runs of each cell.", Integer.toString(PrecisionTarget.MOST_RUNS));
    /// Requests before measuring.
    public static final Field<ExperimentSpec, Integer> WARM_UP = Field.component(named("Warm-up", "--warmup", "warmup"),
            FieldType.whole(0, 1_000_000, "requests before measuring"), "warmUpRequests", null,
            "Requests before measuring starts; they enter no figure.", "");
    /// Source of random draws.
    public static final Field<ExperimentSpec, Long> SEED = Field.component(named("Seed", "--seed", "seed"),
            FieldType.seed(), "seed", null, "Source of every random draw.", "");
    /// Period of samples.
    public static final Field<ExperimentSpec, Integer> SAMPLE_EVERY =
            Field.component(named("Sample every", "--sample-every", "sample_every"), FieldType.millis(10, 1000),
                    "sampleEveryMillis", null, "Period of memory and CPU samples, 10ms to 1s.", "");

    /// Whether prompts and answers are recorded as text.
    public static final Field<ExperimentSpec, Boolean> KEEP_TEXT =
            Field.flag(named("Keep text", "--keep-text", "keep_text"), "keepText",
                    "Record prompts and answers as text. Shared copies leave them out.");
    /// Sizes of the KV memory.
    public static final Field<ExperimentSpec, Long> KV_MEMORY =
            Field.list(named("KV memory", "--kv-memory", "kv_memory"), FieldType.bytes(1L << 50), Arity.LIST, "kvBytes",
                    "Size of the KV pool, as in 512MiB.", "what the workload can use");
    /// Limits of a step's requests.
    public static final Field<ExperimentSpec, Integer> MAX_BATCH_SIZE =
            Field.list(named("Requests in a step", "--max-batch-size", "limits.max_batch_size"),
                    FieldType.whole(1, 65_536, "requests"), Arity.LIST, "limits.maxBatchRows",
                    "Requests in a step; several make a cell each, as in 1,2,4.",
                    "the engine's, else what the workload can use");
    /// Limits of a step's positions.
    public static final Field<ExperimentSpec, Integer> MAX_NUM_TOKENS =
            Field.list(named("Positions in a step", "--max-num-tokens", "limits.max_num_tokens"),
                    FieldType.whole(1, MOST_POSITIONS, "positions"), Arity.LIST, "limits.maxStepPositions",
                    "Positions in a step.", "what the workload needs");
    /// Limits of a request's positions.
    public static final Field<ExperimentSpec, Integer> MAX_LENGTH =
            Field.list(named("Positions of a request", "--max-length", "limits.max_length"),
                    FieldType.whole(1, MOST_POSITIONS, "positions"), Arity.LIST, "limits.maxSequencePositions",
                    "Positions a request may reach.", "the engine's, else what the workload can reach");

    /// Fields of an experiment that take several values as a sweep does; workloads and options have their own.
    static final List<Field<ExperimentSpec, ?>> SWEPT =
            List.of(REQUESTS, KV_MEMORY, MAX_BATCH_SIZE, MAX_NUM_TOKENS, MAX_LENGTH);

    /// All fields. The name has no option; presets and files bring their own.
    public static final List<Field<ExperimentSpec, ?>> ALL = List.of(
            Field.component(named("Name", null, "name"), NAME, "name", null, "Name of the experiment.", "the file's"),
            ENGINES, SCHEDULERS, BACKEND, TARGETS, BASELINE, WORKLOADS, CONCURRENCY, RATE, ARRIVALS, PROMPT_TOKENS,
            OUTPUT_TOKENS, DURATION, REQUESTS, STOP_AFTER_FAILURES, IGNORE_EOS, STOP, SEARCH, OBJECTIVE, PRICE, RUNS,
            UNTIL, MAX_RUNS, WARM_UP, SEED, SAMPLE_EVERY, KEEP_TEXT, KV_MEMORY, MAX_BATCH_SIZE, MAX_NUM_TOKENS,
            MAX_LENGTH, SWEEP);

    /// Fields of the designer's form beside subjects and workload, in its order.
    public static final List<Field<ExperimentSpec, ?>> FORM =
            List.of(RUNS, UNTIL, MAX_RUNS, WARM_UP, SEED, SAMPLE_EVERY, OBJECTIVE, PRICE);

    /// Limits of engines in the designer's form, in its order.
    public static final List<Field<ExperimentSpec, ?>> FORM_LIMITS =
            List.of(KV_MEMORY, MAX_BATCH_SIZE, MAX_NUM_TOKENS, MAX_LENGTH);

    private ExperimentFields() {}

    /// [#SWEEP], which finds options by their names alone.
    static Field<ExperimentSpec, Sweep> sweep(KnownOptions known) {
        return new Field<>(named("Sweep", "--sweep", "sweep"),
                FieldType.of("FIELD=VALUE,VALUE...", "a field and its values", Sweep::parse), Arity.MANY,
                "A field over several values, as in concurrency=1,2,4 or prompt_tokens=64,256; repeat it for a product. See: inferometer help sweeps.",
                "none", spec -> List.of(), (spec, sweeps) -> Sweep.product(sweeps, spec, known));
    }

    /// The default of a field in words; empty where it has none.
    public static String standard(Field<ExperimentSpec, ?> field) {
        return field.standard().isEmpty() ? String.join(", ", field.write(ExperimentSpec.STANDARD)) : field.standard();
    }

    /// The range of an arrival process with one option.
    private static String range(Class<? extends Record> arrivals) {
        return "a number from " + OptionRecords.describe(arrivals).getFirst().range();
    }

    private static Naming named(String label, @Nullable String option, @Nullable String key) {
        return new Naming(label, option, key);
    }

    /// A field that changes all workloads in the same way.
    private static <T> Field<ExperimentSpec, T> loads(String label, String option, FieldType<T> type, String help,
            Function<T, UnaryOperator<WorkloadSpec>> change) {
        return new Field<>(named(label, option, null), type, Arity.ONE, help, "as in the workload", spec -> List.of(),
                (spec, values) -> {
                    List<WorkloadSpec> changed =
                            spec.workloads().stream().map(change.apply(values.getFirst())).toList();
                    // A preset's workloads may differ in nothing else; their names would then be false.
                    if (shapes(spec.workloads()) == spec.workloads().size() && shapes(changed) < changed.size()) {
                        throw new IllegalArgumentException("The workloads "
                                + String.join(", ", spec.workloads().stream().map(WorkloadSpec::name).toList())
                                + " would become the same. Leave the option out, or choose one with --workload.");
                    }
                    return spec.withWorkloads(changed);
                });
    }

    private static long shapes(List<WorkloadSpec> workloads) {
        return workloads.stream().map(each -> each.withName("")).distinct().count();
    }
}
