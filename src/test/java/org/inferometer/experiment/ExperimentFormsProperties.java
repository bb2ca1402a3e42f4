package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.inferometer.options.Selection;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.DeadlineDistribution;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.Refinements;
import org.inferometer.workload.Sessions;
import org.inferometer.workload.TimeDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// Every form of an experiment is read back to an equal experiment.
class ExperimentFormsProperties {
    private static final long SECOND = 1_000_000_000L;
    private static final WorkloadPresets PRESETS = new WorkloadPresets();

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void yamlIsReadBack(@ForAll("experiments") ExperimentSpec spec) throws PlanException {
        assertThat(new SpecReader().read(SpecWriter.text(spec), "file.yaml")).isEqualTo(spec);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void optionsOverTheirBaseAreReadBack(@ForAll("experiments") ExperimentSpec spec) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            if (field.option() != null && !field.write(spec).isEmpty()) {
                options.put(field.option(), field.write(spec));
            }
        }
        ExperimentSpec base = ExperimentSpec.STANDARD.named(spec.name()).withWorkloads(spec.workloads());
        assertThat(SpecOptions.over(base, options)).isEqualTo(new SpecOptions(spec, List.of()));
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void commandIsReadBack(@ForAll("commands") ExperimentSpec spec) {
        List<String> words = words(RunCommandLine.of(spec).orElseThrow());
        assertThat(words.subList(0, 2)).containsExactly("./inferometer", "run");
        boolean preset = words.size() > 2 && !words.get(2).startsWith("--");
        ExperimentSpec base = preset ? new Presets().find(words.get(2)) : ExperimentSpec.STANDARD;
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (int i = preset ? 3 : 2; i < words.size(); i += 2) {
            options.computeIfAbsent(words.get(i), option -> new ArrayList<>()).add(words.get(i + 1));
        }
        SpecOptions read = SpecOptions.over(base, options);
        assertThat(read.faults()).isEmpty();
        assertThat(read.spec().named(spec.name())).isEqualTo(spec);
    }

    @Property(tries = 25, edgeCases = EdgeCasesMode.NONE)
    void commandOfAnyExperimentIsRightOrAFile(@ForAll("experiments") ExperimentSpec spec) throws PlanException {
        Optional<String> command = RunCommandLine.of(spec);
        if (command.isPresent()) {
            commandIsReadBack(spec);
        } else {
            List<String> lines = RunCommandLine.lines(spec).lines().toList();
            assertThat(new SpecReader().read(String.join("\n", lines.subList(1, lines.size() - 2)) + "\n", "x.yaml"))
                    .isEqualTo(spec);
        }
    }

    /// A component that is not drawn is not tested by the properties above.
    @Example
    void everyComponentIsDrawn() {
        assertThat(undrawn(Arbitraries.oneOf(experiments(), commands()).sampleStream().limit(300).toList())).isEmpty();
    }

    /// The components that are alike in all records, with the components of records in them.
    private static List<String> undrawn(List<? extends Record> records) {
        List<String> alike = new ArrayList<>();
        for (RecordComponent component : records.getFirst().getClass().getRecordComponents()) {
            Set<@Nullable Object> values = records.stream().map(each -> RecordCopy.get(each, component.getName()))
                    .collect(Collectors.toCollection(HashSet::new));
            if (values.size() < 2) {
                alike.add(component.getName());
            } else if (component.getType().isRecord()) {
                undrawn(values.stream().filter(Objects::nonNull).map(Record.class::cast).toList())
                        .forEach(inner -> alike.add(component.getName() + "." + inner));
            }
        }
        return alike;
    }

    /// Any experiment that the types allow and the planner takes.
    @Provide
    Arbitrary<ExperimentSpec> experiments() {
        return specs(workload().list().ofMinSize(1).ofMaxSize(3));
    }

    /// Experiments whose workloads options can say.
    @Provide
    Arbitrary<ExperimentSpec> commands() {
        Arbitrary<List<WorkloadSpec>> shapes = Arbitraries.of(PRESETS.all()).set().ofMinSize(1).ofMaxSize(2)
                .map(set -> (List<WorkloadSpec>) new ArrayList<>(set));
        Arbitrary<List<Integer>> counts = Arbitraries.integers().between(1, 900).set().ofMinSize(1).ofMaxSize(3)
                .map(set -> (List<Integer>) new ArrayList<>(set));
        Arbitrary<List<WorkloadSpec>> arriving =
                Combinators
                        .combine(shapes, counts, arrivals(),
                                nanos().injectNull(0.5))
                        .as((loads, numbers, arrivals, duration) -> LoadGrid.counted(
                                loads.stream().map(load -> load.withArrivals(arrivals))
                                        .map(load -> duration == null ? load
                                                : WorkloadFields.DURATION.with(load, List.of(duration)))
                                        .toList(),
                                numbers));
        // Numbers too small for the first strength become one, which no option says.
        Arbitrary<List<WorkloadSpec>> swept = Combinators.combine(shapes, counts, sweeps())
                .as((loads, numbers, sweep) -> sweep.over(LoadGrid.counted(loads, numbers.stream()
                        .map(number -> number + 6 * (int) Math.ceil(sweep.values().getFirst())).toList())));
        Arbitrary<ExperimentSpec> rising = Combinators.combine(specs(swept), Arbitraries.of(true, false))
                .as((spec, search) -> spec.searching(search && LoadGrid.of(spec.workloads()).flatMap(LoadGrid::sweep)
                        .flatMap(LoadSweep::range).isPresent()));
        // More cells than the planner takes are refused as options too.
        return Arbitraries.oneOf(specs(arriving), rising, Arbitraries.of(new Presets().all()).map(Presets.Preset::spec))
                .filter(spec -> spec.cellCount() <= ExperimentSpec.MOST_CELLS);
    }

    private static Arbitrary<LoadSweep> sweeps() {
        Arbitrary<LoadSweep> inFlight = Arbitraries.integers().between(1, 5000).set().ofMinSize(2).ofMaxSize(5)
                .map(set -> new LoadSweep(LoadSweep.Measure.CONCURRENCY,
                        set.stream().sorted().map(Integer::doubleValue).toList()));
        return Arbitraries.oneOf(inFlight, Arbitraries.of("rate=0.5..20", "concurrency=1..64").map(LoadSweep::grid));
    }

    private static Arbitrary<ExperimentSpec> specs(Arbitrary<List<WorkloadSpec>> workloads) {
        Arbitrary<ExperimentSpec> engines = Combinators
                .combine(names().set().ofMinSize(1).ofMaxSize(3), selections(), selections(),
                        several(Arbitraries.longs().between(1, 1L << 50)), several(whole(1, 65_536)),
                        several(whole(1, 1 << 22)), several(whole(1, 1 << 22)), workloads)
                .as((names, schedulers, backends, kv, rows, step, length, loads) -> {
                    ExperimentSpec spec = ExperimentSpec.STANDARD.withEngines(List.copyOf(names)).withWorkloads(loads)
                            .withLimits(kv, new ExperimentSpec.AskedLimits(rows, step, length));
                    spec = ExperimentFields.SCHEDULERS.with(spec, schedulers);
                    return ExperimentFields.BACKEND.with(spec, backends);
                });
        Arbitrary<ExperimentSpec> targets = Combinators.combine(selections(), workloads)
                .as((driven, loads) -> ExperimentSpec.STANDARD.onTargetsOnly(driven).withWorkloads(loads));
        Arbitrary<ExperimentSpec> mixed = Combinators.combine(engines, selections())
                .as((spec, driven) -> ExperimentFields.TARGETS.with(spec, driven));
        Arbitrary<DeploymentGoal> goals = Combinators
                .combine(Arbitraries.of("", "ttft=500ms", "ttft=1ns,tpot=3ms,e2e=2s,share=0.9", "mlperf-gpt-oss-120b"),
                        Arbitraries.doubles().ofScale(12).between(0, 1e9))
                .as((limits, price) -> new DeploymentGoal(ServiceObjective.parse(limits), price));
        return Combinators
                .combine(Arbitraries.oneOf(engines, targets, mixed), whole(1, 1000), whole(0, 1_000_000),
                        Arbitraries.longs(), whole(10, 1000), goals, Arbitraries.integers().between(-1, 2), texts())
                .as((spec, runs, warmUp, seed, millis, goal, baseline, name) -> {
                    ExperimentSpec made = ExperimentFields.RUNS.with(spec, List.of(runs)).withGoal(goal).named(name);
                    made = ExperimentFields.KEEP_TEXT.with(made, List.of(seed % 2 == 0));
                    made = ExperimentFields.WARM_UP.with(made, List.of(warmUp));
                    made = ExperimentFields.SEED.with(made, List.of(seed));
                    made = ExperimentFields.SAMPLE_EVERY.with(made, List.of(millis));
                    if (seed % 3 == 0) {
                        made = ExperimentFields.UNTIL.with(made, List.of(PrecisionTarget
                                .parse((millis % 2 == 0 ? "e2e_p95=" : "tpot_mean=") + (1 + millis % 99) / 2.0 + "%")));
                    }
                    if (seed % 2 == 0) {
                        made = ExperimentFields.MAX_RUNS.with(made, List.of(3 + warmUp % 998));
                    }
                    return baseline < 0 || baseline >= made.systems().size() ? made
                            : made.withBaseline(made.systems().get(baseline));
                });
    }

    private static <T> Arbitrary<List<T>> several(Arbitrary<T> values) {
        return values.set().ofMaxSize(3).map(List::copyOf);
    }

    private static Arbitrary<List<Selection>> selections() {
        return Combinators.combine(names(), Arbitraries.maps(names(), names()).ofMaxSize(2))
                .as((name, options) -> new Selection(name, options)).list().uniqueElements().ofMinSize(1).ofMaxSize(3);
    }

    private static final List<String> STOPS = List.of("###", "a, \"b\"\n");

    private static Arbitrary<WorkloadSpec> workload() {
        Arbitrary<Sessions> sessions = Combinators.combine(lengths(), times(), whole(0, 1 << 20)).as(Sessions::new);
        Arbitrary<DeadlineDistribution> deadlines = Combinators.combine(Arbitraries.oneOf(nanos(), Arbitraries.of(0L)),
                Arbitraries.doubles().ofScale(12).between(0, 1), times()).as(DeadlineDistribution::new);
        Arbitrary<Refinements> refinements = Combinators
                .combine(Arbitraries.oneOf(nanos(), Arbitraries.of(0L)), whole(1, 10_000), sessions.injectNull(0.5),
                        deadlines)
                .as((duration, groups, turns, patience) -> new Refinements(duration, groups, turns, patience, null)
                        .withTopK(groups % 3).withTopP(groups % 2 * 0.5).withAnswers(1 + groups % 4)
                        .withVaryPrompts(groups % 2 == 0)
                        .withEarlyEnd(new EarlyEnd(groups % 2 == 1, STOPS.subList(0, groups % 3))));
        Arbitrary<WorkloadSpec> drawn = Combinators
                .combine(texts(), lengths(), lengths(), whole(0, 1 << 20), arrivals(), whole(1, 10_000_000),
                        Arbitraries.doubles().ofScale(12).between(0, 100), refinements)
                .as((name, prompt, output, prefix, arrivals, requests, temperature, refined) -> new WorkloadSpec(name,
                        prompt, output, null, prefix, arrivals, requests, temperature, refined));
        Arbitrary<WorkloadSpec> files =
                Combinators.combine(texts(), drawn).as((file, load) -> load.withPromptFile(file).withRequests(0));
        Arbitrary<WorkloadSpec> traces = Arbitraries
                .of("a.csv", "b.jsonl,unit=s,block_size=16,output=64,sessions=true",
                        "C:\\traces, old\\a.csv,speed=0.5,requests=100,from=2,too_long=leave_out,model=gpt4")
                .map(trace -> PRESETS.find("trace:" + trace));
        return Arbitraries.oneOf(drawn, files, traces);
    }

    private static Arbitrary<LengthDistribution> lengths() {
        Arbitrary<Integer> tokens = whole(1, 100_000);
        return Arbitraries.oneOf(tokens.map(LengthDistribution.FixedLength::new),
                tokens.map(least -> new LengthDistribution.UniformLength(least, least + 7)),
                tokens.map(least -> new LengthDistribution.LognormalLength(least + 0.25, 0.8, least, 2 * least)));
    }

    private static Arbitrary<TimeDistribution> times() {
        return nanos().flatMap(nanos -> Arbitraries.of(new TimeDistribution.FixedTime(nanos),
                new TimeDistribution.ExponentialTime(nanos), new TimeDistribution.LognormalTime(nanos, 0.75),
                TimeDistribution.NONE));
    }

    private static Arbitrary<Long> nanos() {
        return Arbitraries.oneOf(Arbitraries.longs().between(1, 24 * 3600 * SECOND),
                Arbitraries.longs().between(1, 3600).map(seconds -> seconds * SECOND));
    }

    private static Arbitrary<ArrivalProcess> arrivals() {
        Arbitrary<Double> rates = Arbitraries.doubles().ofScale(12).between(0.001, 1_000_000);
        return Arbitraries.oneOf(whole(1, 100_000).map(ArrivalProcess.ClosedLoop::new),
                rates.map(ArrivalProcess.Poisson::new), rates.map(ArrivalProcess.Constant::new),
                rates.map(rate -> new ArrivalProcess.Gamma(rate, 0.5)),
                rates.map(rate -> new ArrivalProcess.Ramp(0, rate, 30, ArrivalProcess.Ramp.Gaps.CONSTANT)));
    }

    private static Arbitrary<Integer> whole(int least, int most) {
        return Arbitraries.integers().between(least, most);
    }

    private static Arbitrary<String> names() {
        return Arbitraries.strings().withChars("abz09._-").ofMinLength(1).ofMaxLength(8)
                .filter(name -> !name.startsWith("-"));
    }

    /// Names and files of people: with blanks, quotes and signs of shells.
    private static Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("ab 0'\"$\\/:#-_é").ofMinLength(1).ofMaxLength(12)
                .map(text -> "x" + text.strip());
    }

    /// The words of a command line as a POSIX shell reads them.
    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < command.length(); i++) {
            char sign = command.charAt(i);
            if (sign == '\'') {
                quoted = !quoted;
            } else if (sign == '\\' && !quoted) {
                word.append(command.charAt(++i));
            } else if (sign == ' ' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(sign);
            }
        }
        words.add(word.toString());
        return words;
    }
}
