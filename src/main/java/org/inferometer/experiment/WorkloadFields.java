package org.inferometer.experiment;

import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.inferometer.experiment.Field.Arity;
import org.inferometer.experiment.Field.Naming;
import org.inferometer.units.LetterCase;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.Refinements;
import org.inferometer.workload.Sessions;
import org.inferometer.workload.TimeDistribution;
import org.inferometer.workload.TraceReplay;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The table of a workload's fields, in the order in which they are applied: keys of YAML files, ranges, help.
///
/// Fields that the command line sets for all workloads of an experiment are in [ExperimentFields]; they share types and
/// setters with these.
public final class WorkloadFields {
    private static final WorkloadPresets PRESETS = new WorkloadPresets();
    private static final FieldType<LengthDistribution> LENGTHS =
            FieldType.of("LENGTHS", "64, 1..20 or lognormal(median, sigma, min..max)", LengthDistribution::parse);
    private static final FieldType<Long> UP_TO_A_DAY = FieldType.nanos(1, TimeDistribution.LONGEST_NANOS);
    private static final FieldType<TimeDistribution> TIMES =
            FieldType.of("TIMES", "2s, exponential(2s) or lognormal(2s, 0.8)", TimeDistribution::parse);

    /// Tokens of a prompt.
    public static final Field<WorkloadSpec, LengthDistribution> PROMPT_TOKENS =
            required("prompt_tokens", LENGTHS, "Tokens of a prompt.", WorkloadSpec::promptTokens,
                    (load, lengths) -> load.withLengths(lengths, load.outputTokens()));
    /// Tokens of an answer.
    public static final Field<WorkloadSpec, LengthDistribution> OUTPUT_TOKENS =
            required("output_tokens", LENGTHS, "Tokens of an answer.", WorkloadSpec::outputTokens,
                    (load, lengths) -> load.withLengths(load.promptTokens(), lengths));
    /// How requests arrive.
    public static final Field<WorkloadSpec, ArrivalProcess> ARRIVALS =
            required("arrivals", FieldType.of("NAME:opt=value,...", "an arrival process", ArrivalProcess::parse),
                    "How requests arrive, as in gamma:rate=4,burstiness=0.5.", WorkloadSpec::arrivals,
                    WorkloadSpec::withArrivals);
    /// How long requests are sent; in place of a number of requests, unless that is set after it.
    public static final Field<WorkloadSpec, Long> DURATION = optional("duration", UP_TO_A_DAY,
            "Stop sending after this long; with a number of requests, whichever comes first.",
            load -> positive(load.refinements().durationNanos()),
            (load, nanos) -> load.withRequests(0).withRefinements(load.refinements().withDuration(nanos)));
    /// Measured requests of a run.
    public static final Field<WorkloadSpec, Integer> REQUESTS =
            optional("requests", FieldType.whole(1, 10_000_000, "measured requests"), "Measured requests of a run.",
                    load -> load.requests() == 0 ? null : load.requests(), WorkloadSpec::withRequests);

    /// When failures stop a run.
    public static final Field<WorkloadSpec, Double> STOP_AFTER_FAILURES =
            optional("stop_after_failures", FieldType.share("a share of requests"),
                    "Stop a run when more than this share of its requests has failed, of 20 or more.",
                    load -> load.refinements().stopAfterFailures() == 0 ? null : load.refinements().stopAfterFailures(),
                    (load, share) -> load.withRefinements(load.refinements().withStopAfterFailures(share)));

    /// Whether answers go on beyond the model's end of sequence.
    public static final Field<WorkloadSpec, Boolean> IGNORE_EOS = new Field<>(named("ignore_eos"), FieldType.flag(),
            Arity.ONE, "Answers go on beyond the model's end of sequence, so that each has the length asked.", "true",
            load -> load.refinements().earlyEnd().endOfSequence() ? List.of(false) : List.of(),
            (load, values) -> ending(load, load.refinements().earlyEnd().withEndOfSequence(values.contains(false))));
    /// Texts that end an answer.
    public static final Field<WorkloadSpec, String> STOP =
            new Field<>(named("stop"), FieldType.verbatim("TEXT", "a text"), Arity.MANY, "Texts that end an answer.",
                    "none", load -> load.refinements().earlyEnd().texts(),
                    (load, texts) -> ending(load, load.refinements().earlyEnd().withTexts(texts)));

    /// All fields.
    public static final List<Field<WorkloadSpec, ?>> ALL = List.of(
            base("preset", FieldType.text("NAME"), "Preset whose fields are taken where others are not written.", ""),
            base("trace", FieldType.text("FILE[,opt=value,...]"), "Recorded traffic to replay.", "trace:"),
            required("name", FieldType.text("NAME"), "Name in tables.", WorkloadSpec::name, WorkloadSpec::withName),
            PROMPT_TOKENS, OUTPUT_TOKENS,
            optional("prompts", FieldType.text("FILE"), "File of prompts, sent in its order.", WorkloadSpec::promptFile,
                    (load, file) -> load.withPromptFile(file).withRequests(0)),
            new Field<>(named("vary_prompts"), FieldType.flag(), Arity.ONE,
                    "Texts of a file or trace get a line in front that no other request has.", "false",
                    load -> load.refinements().varyPrompts() ? List.of(true) : List.of(),
                    (load, values) -> load.withRefinements(load.refinements().withVaryPrompts(values.contains(true)))),
            required("shared_prefix", FieldType.whole(0, 1 << 20, "tokens"), "Tokens that all prompts begin with.",
                    WorkloadSpec::sharedPrefixTokens, WorkloadSpec::withSharedPrefix),
            required("prefix_groups", FieldType.whole(1, 10_000, "prefixes"), "Number of different shared prefixes.",
                    load -> load.refinements().prefixGroups(),
                    (load, groups) -> load.withRefinements(load.refinements().withPrefixGroups(groups))),
            ARRIVALS, DURATION, REQUESTS,
            optional("turns", LENGTHS, "Turns of a session.", session(Sessions::turns),
                    (load, turns) -> with(load,
                            load.refinements().sessions() instanceof Sessions old
                                    ? new Sessions(turns, old.think(), old.mostTokens())
                                    : new Sessions(turns, TimeDistribution.NONE, 0))),
            optional("think", TIMES, "Time from the end of a turn to the next.", session(Sessions::think),
                    (load, think) -> with(load,
                            new Sessions(sessions(load).turns(), think, sessions(load).mostTokens()))),
            optional("max_context", FieldType.whole(1, 1 << 20, "tokens"),
                    "Tokens after which a session ends, prompt and answer together.",
                    session(sessions -> sessions.mostTokens() == 0 ? null : sessions.mostTokens()),
                    (load, most) -> with(load, new Sessions(sessions(load).turns(), sessions(load).think(), most))),
            optional("timeout", UP_TO_A_DAY, "Time after which a request is cancelled.",
                    load -> positive(load.refinements().deadlines().timeoutNanos()), deadlines("timeoutNanos")),
            optional("cancel_rate", FieldType.decimal(0, 1, "a share of requests"),
                    "Share of requests that users give up.",
                    load -> load.refinements().deadlines().cancelRate() == 0 ? null
                            : load.refinements().deadlines().cancelRate(),
                    deadlines("cancelRate")),
            optional("cancel_after", TIMES, "When these users give up, after sending.",
                    load -> load.refinements().deadlines().cancelAfter().equals(TimeDistribution.NONE) ? null
                            : load.refinements().deadlines().cancelAfter(),
                    deadlines("cancelAfter")),
            STOP_AFTER_FAILURES,
            required("temperature", FieldType.decimal(0, 100, "a temperature"), "Temperature of sampling.",
                    WorkloadSpec::temperature, WorkloadSpec::withTemperature),
            optional("top_k", FieldType.whole(1, 1 << 20, "tokens"), "Sample from this many likeliest tokens.",
                    load -> load.refinements().topK() == 0 ? null : load.refinements().topK(),
                    (load, tokens) -> load.withRefinements(load.refinements().withTopK(tokens))),
            optional("top_p", FieldType.decimal(0.0001, 1, "a probability"),
                    "Sample from the likeliest tokens of this probability.",
                    load -> load.refinements().topP() == 0 ? null : load.refinements().topP(),
                    (load, share) -> load.withRefinements(load.refinements().withTopP(share))),
            IGNORE_EOS, STOP,
            new Field<>(new Naming("Answers", null, "n"), FieldType.whole(1, Refinements.MOST_ANSWERS, "answers"),
                    Arity.ONE, "Answers to each prompt; servers only.", "1",
                    load -> load.refinements().answers() == 1 ? List.of() : List.of(load.refinements().answers()),
                    (load, values) -> load.withRefinements(load.refinements().withAnswers(values.getFirst()))));

    private WorkloadFields() {}

    /// A field that chooses all others and is written as the fields it chose.
    private static Field<WorkloadSpec, String> base(String key, FieldType<String> type, String help, String prefix) {
        return new Field<>(named(key), FieldType.of(type.label(), type.expected(), text -> {
            PRESETS.find(prefix + text);
            return text;
        }), Arity.ONE, help, "",
                load -> load.refinements().trace() instanceof TraceReplay trace && !prefix.isEmpty()
                        ? List.of(trace.toString()) : List.of(),
                (load, names) -> PRESETS.find(prefix + names.getFirst()));
    }

    private static <T> Field<WorkloadSpec, T> required(String key, FieldType<T> type, String help,
            Function<WorkloadSpec, T> get, BiFunction<WorkloadSpec, T, WorkloadSpec> set) {
        return new Field<>(named(key), type, Arity.ONE, help, "", load -> List.of(get.apply(load)),
                (load, values) -> set.apply(load, values.getFirst()));
    }

    private static <T> Field<WorkloadSpec, T> optional(String key, FieldType<T> type, String help,
            Function<WorkloadSpec, @Nullable T> get, BiFunction<WorkloadSpec, T, WorkloadSpec> set) {
        return new Field<>(named(key), type, Arity.ONE, help, "", load -> {
            T value = get.apply(load);
            return value == null ? List.of() : List.of(value);
        }, (load, values) -> set.apply(load, values.getFirst()));
    }

    private static Naming named(String key) {
        return new Naming(LetterCase.capitalized(key).replace('_', ' '), null, key);
    }

    private static WorkloadSpec ending(WorkloadSpec load, EarlyEnd ends) {
        return load.withRefinements(load.refinements().withEarlyEnd(ends));
    }

    private static @Nullable Long positive(long value) {
        return value == 0 ? null : value;
    }

    private static <T> Function<WorkloadSpec, @Nullable T> session(Function<Sessions, @Nullable T> get) {
        return load -> load.refinements().sessions() instanceof Sessions sessions ? get.apply(sessions) : null;
    }

    private static Sessions sessions(WorkloadSpec load) {
        if (load.refinements().sessions() == null) {
            throw new IllegalArgumentException(
                    "It is a setting of sessions, and \"turns\" is missing." + " Add turns, such as turns: 2..6.");
        }
        return Objects.requireNonNull(load.refinements().sessions());
    }

    private static WorkloadSpec with(WorkloadSpec load, Sessions sessions) {
        return load.withRefinements(load.refinements().withSessions(sessions));
    }

    private static <T> BiFunction<WorkloadSpec, T, WorkloadSpec> deadlines(String component) {
        return (load, value) -> load.withRefinements(
                load.refinements().withDeadlines(RecordCopy.with(load.refinements().deadlines(), component, value)));
    }
}
