package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SpecOptions;
import org.inferometer.experiment.Subject;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionKind;
import org.inferometer.options.Selection;
import org.inferometer.record.RunPlan;
import org.inferometer.record.SamplePlans;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.NullTargetKind;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.target.edgellm.EdgeLlmTargetKind;
import org.inferometer.target.http.HttpTargetKind;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.Refinements;
import org.inferometer.workload.WorkloadExtents;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlannerTest {
    private static final SchedulerRegistry SCHEDULERS = with(SplitScheduler.DESCRIPTION);
    private static final long HEAP_BYTES = 8L << 30;
    private final Planner planner = planner(new TargetKinds(List.of()));

    private static Planner planner(TargetKinds targets) {
        return new Planner(new EngineCatalog(Path.of("engines")).snapshot(), SCHEDULERS,
                new Backends(List.of(new InstantBackend())), targets, new WorkloadExtents(), HEAP_BYTES);
    }

    private static SchedulerRegistry with(SchedulerDescription<?> toy) {
        return new SchedulerRegistry(
                Stream.concat(SchedulerRegistry.standard().descriptions().stream(), Stream.of(toy)).toList());
    }

    private static ExperimentSpec spec(String backend, long kvBytes, int rows, int inFlight, String... schedulers) {
        WorkloadSpec basic = new WorkloadPresets().find("basic").withArrivals(new ArrivalProcess.ClosedLoop(inFlight));
        return new ExperimentSpec("test", List.of("tiny-int4"), Stream.of(schedulers).map(Selection::parse).toList(),
                List.of(basic), Selection.parse(backend), 1, 2, 1, 100, kvBytes,
                ExperimentSpec.AskedLimits.of(rows, 0, 0));
    }

    private List<String> faults(ExperimentSpec spec) {
        return planner.faults(spec).stream().map(fault -> fault.where() + ": " + fault.sentence()).toList();
    }

    @Test
    void lanesThatWereAskedForMustBeThoseThatTheSchedulerNeeds() {
        assertThat(faults(spec("host:lanes=3", 0, 0, 4, "split:gen=2", "naive"))).isEmpty();
        assertThat(faults(spec("host:lanes=2", 0, 0, 4, "split:gen=2", "naive")))
                .containsExactly("schedulers: split:gen=2 needs 3 lanes and host:lanes=2 has 2."
                        + " Leave the backend's lanes out, or change the scheduler's options.");
    }

    @Test
    void poolLargerThanTheMemoryIsRefusedInThePlan() {
        assertThat(faults(spec("host", 8L << 30, 0, 4, "naive"))).isEmpty();
        assertThat(faults(spec("host", (8L << 30) + 1, 0, 4, "naive", "continuous")))
                .containsExactly("kv_memory: A KV pool of 8.00 GiB does not fit into the 8.00 GiB of host. Give less.");
        assertThat(faults(spec("host", 900L << 30, 0, 4, "naive")))
                .containsExactly("kv_memory: A KV pool of 900 GiB does not fit into the 8.00 GiB of host. Give less.");
    }

    @Test
    void serverGivenAsBackendSchedulerOrEngineLeadsToTargets() {
        Planner withServers = planner(new TargetKinds(List.of(kind("http", "url"), kind("vllm", "ready"))));
        String vllm = "Give it with --target, as in http:url=http://127.0.0.1:8000,name=vllm for a running one and"
                + " vllm:model=NAME to start one.";
        assertThat(withServers.faults(spec("vllm", 0, 0, 4, "naive", "tgi").withEngines(List.of("http"))))
                .extracting(fault -> fault.where() + ": " + fault.sentence()).containsExactly(
                        "engines: \"http\" is not an engine but a server or tool. Give it with --target, as in"
                                + " http:url=http://127.0.0.1:8000.",
                        "schedulers: \"tgi\" is not a scheduler but a server or tool. Give it with --target, as in"
                                + " http:url=http://127.0.0.1:8000,name=tgi.",
                        "backend: \"vllm\" is not a backend but a server or tool. " + vllm);
        assertThat(faults(spec("vlm", 0, 0, 4, "naive"))).singleElement().asString().startsWith("backend: Unknown");
    }

    private static TargetKind kind(String name, String option) {
        return (TargetKind) Proxy.newProxyInstance(TargetKind.class.getClassLoader(), new Class<?>[]{TargetKind.class},
                (proxy, method, arguments) -> method.getName().equals("options")
                        ? List.of(new OptionDescription(option, List.of(), new OptionKind.Text(), "", "", "", ""))
                        : name);
    }

    private static ExperimentSpec manyCells(String output) {
        List<Selection> schedulers =
                IntStream.rangeClosed(1, 200).mapToObj(size -> Selection.parse("naive:batch_size=" + size)).toList();
        List<WorkloadSpec> workloads =
                IntStream.rangeClosed(1, 100)
                        .mapToObj(length -> new WorkloadPresets().find("basic").withName("w" + length)
                                .withLengths(LengthDistribution.parse("" + length), LengthDistribution.parse(output)))
                        .toList();
        return new ExperimentSpec("many", List.of("tiny-int4"), schedulers, workloads, Selection.of("host"), 1, 2, 1,
                100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    }

    @Test
    @Timeout(5)
    void twentyThousandCellsArePlannedWithinSeconds() throws Exception {
        assertThat(faults(manyCells("4"))).isEmpty();
        assertThat(planner.plan(manyCells("4"), "e", Path.of("results"))).hasSize(20_000);
        assertThat(faults(manyCells("4000000"))).hasSize(20_000);
    }

    @Test
    void moreRunsThanALibraryCanHoldAreRefusedAtOnce() {
        assertThat(faults(manyCells("4").withRuns(6))).containsExactly(
                "runs: More than 100000 runs. Give fewer repetitions, engines, schedulers or workloads.");
    }

    @Test
    @Timeout(5)
    void promptsBeyondTheHeapAreRefusedBeforeTheyAreDrawn() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive");
        WorkloadSpec huge = spec.workloads().getFirst().withRequests(10_000_000)
                .withLengths(LengthDistribution.parse("1000000"), LengthDistribution.parse("1"));
        assertThat(faults(spec.withWorkloads(List.of(huge)))).containsExactly(
                "workloads: basic: The requests of this workload need at least 36.4 TiB of memory; 4.00 GiB are available."
                        + " Ask for fewer requests, a shorter duration, or shorter prompts or answers.");
    }

    @Test
    void instantsBeyondTheHeapAreRefusedBeforeTheRun() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive");
        WorkloadSpec tiny = spec.workloads().getFirst().withLengths(LengthDistribution.parse("1"),
                LengthDistribution.parse("1000"));
        assertThat(faults(spec.withWorkloads(List.of(tiny.withRequests(600_000)))))
                .containsExactly("workloads: basic: " + needs("4.61 GiB"));
        assertThat(faults(spec.withWorkloads(List.of(tiny.withRequests(500_000))))).isEmpty();
    }

    @Test
    void timedLoadBeyondTheHeapIsRefusedBeforeTheRun() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive");
        WorkloadSpec timed = spec.workloads().getFirst().withRequests(0)
                .withLengths(LengthDistribution.parse("1"), LengthDistribution.parse("1"))
                .withRefinements(Refinements.NONE.withDuration(7_200_000_000_000L));
        List<ArrivalProcess> tooFast = List.of(new ArrivalProcess.Constant(4000), new ArrivalProcess.Poisson(4000),
                new ArrivalProcess.Gamma(4000, 0.5),
                new ArrivalProcess.Ramp(3000, 4500, 4800, ArrivalProcess.Ramp.Gaps.POISSON));
        for (ArrivalProcess arrivals : tooFast) {
            assertThat(faults(spec.withWorkloads(List.of(timed.withArrivals(arrivals)))))
                    .containsExactly("workloads: basic: " + needs("6.76 GiB"));
        }
        assertThat(faults(spec.withWorkloads(List.of(timed.withArrivals(new ArrivalProcess.Constant(500)))))).isEmpty();
    }

    private static String needs(String memory) {
        return "The requests of this workload need at least " + memory + " of memory; 4.00 GiB are available."
                + " Ask for fewer requests, a shorter duration, or shorter prompts or answers.";
    }

    @Test
    void earlyEndsNeedAnEngineOrServerThatKnowsThem() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive");
        WorkloadSpec load = spec.workloads().getFirst();
        ExperimentSpec early = spec.withWorkloads(
                List.of(load.withRefinements(load.refinements().withEarlyEnd(new EarlyEnd(true, List.of("###"))))));
        assertThat(faults(early)).singleElement().asString().endsWith(
                " knows no end of sequence, so its answers cannot end there. Leave ignore_eos=false out, or use an engine of a checkpoint that names its eos_token_id.");
        Planner servers =
                planner(new TargetKinds(List.of(new HttpTargetKind(name -> Optional.empty()), new NullTargetKind())));
        ExperimentSpec http = early.withSubjects(List.of(new Subject.TargetSubject(Selection.of("http"))));
        assertThat(servers.faults(http)).isEmpty();
        assertThat(servers.faults(http.onTargetsOnly(List.of(Selection.of("null"))))).extracting(PlanFault::toString)
                .containsExactly(
                        "targets: null gives answers of the length asked. Leave ignore_eos and stop out of the workloads, or this target.");
    }

    @Test
    void severalAnswersNeedAServer() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive");
        WorkloadSpec warm = spec.workloads().getFirst().withTemperature(1);
        ExperimentSpec several = spec.withWorkloads(List.of(warm.withRefinements(warm.refinements().withAnswers(2))));
        assertThat(faults(several)).containsExactly(
                "workloads: Engines of this program give one answer to a prompt. Leave n out, or measure servers alone.");
        Planner servers = planner(new TargetKinds(List.of(new HttpTargetKind(name -> Optional.empty()),
                new EdgeLlmTargetKind(name -> Optional.empty()), new NullTargetKind())));
        ExperimentSpec http = several.withSubjects(List.of(new Subject.TargetSubject(Selection.of("http"))));
        assertThat(servers.faults(http)).isEmpty();
        assertThat(servers.faults(
                http.onTargetsOnly(List.of(Selection.of("null"), Selection.parse("edgellm:engine_dir=a,binary=b")))))
                .extracting(PlanFault::toString).containsExactly(
                        "targets: null gives one answer to a prompt. Leave n out of the workloads, or this target.",
                        "targets: edgellm gives one answer to a prompt. Leave n out of the workloads, or this target.");
        assertThat(servers.faults(SpecOptions.over(http, Map.of("--keep-text", List.of("true"))).spec()))
                .extracting(PlanFault::toString)
                .containsExactly("workloads: keep_text records one answer to a prompt. Leave n or keep_text out.");
    }

    @Test
    void everyPresetCanBeRunAsItIs() {
        for (Presets.Preset preset : new Presets().all()) {
            ExperimentSpec spec = preset.spec();
            // The backends of this test have no options and no GPU.
            ExperimentSpec plain = ExperimentFields.BACKEND.with(spec,
                    spec.backends().stream().map(backend -> Selection.of(backend.name())).distinct().toList());
            assertThat(faults(plain)).as(spec.name()).isEqualTo(spec.name().equals("graphs")
                    ? List.of("backend: Unknown backend \"cuda\". Valid: host.") : List.of());
            assertThat(spec.systems()).as(spec.name()).startsWith(spec.baselineSystem().orElseThrow());
            assertThat(preset.purpose()).endsWith(".");
        }
    }

    @Test
    void aBatchLimitLeavesEveryLaneARow() {
        assertThat(faults(spec("host", 0, 2, 4, "split"))).isEmpty();
        assertThat(faults(spec("host", 0, 1, 4, "split")))
                .containsExactly("limits.max_batch_size: 1 request in a step cannot use the 2 lanes of split."
                        + " Raise it to 2 or more, or use fewer lanes.");
    }

    @Test
    void defaultLimitsFollowTheLoadAndGiveEveryLaneARow() throws EngineFormatException {
        assertThat(limits(spec("host", 0, 0, 16, "split:gen=3"))).isEqualTo(new Limits(16, 512, 40));
        assertThat(limits(spec("host", 0, 0, 1, "split:gen=3"))).isEqualTo(new Limits(4, 512, 40));
        assertThat(limits(spec("host", 0, 0, 1, "naive"))).isEqualTo(new Limits(1, 512, 40));
    }

    private Limits limits(ExperimentSpec spec) throws EngineFormatException {
        return SamplePlans.engine(planner.plan(spec, "e", Path.of("results")).getFirst()).limits();
    }

    @Test
    void thePlanHasTheLanesAndMemoryForEveryPool() throws EngineFormatException {
        List<RunPlan> plans =
                new ArrayList<>(planner.plan(spec("host", 0, 0, 4, "split", "continuous"), "e", Path.of("results")));
        plans.sort(java.util.Comparator.comparingInt(plan -> plan.index().cell()));
        assertThat(SamplePlans.engine(plans.get(0)).layout().poolShares()).containsExactly(0.2, 0.8);
        assertThat(SamplePlans.engine(plans.get(1)).layout()).isEqualTo(LaneLayout.sharing(1));
        long oneRow = 3 * 16 * 64L;
        assertThat(SamplePlans.engine(plans.get(1)).kvBytes()).isEqualTo(4 * oneRow);
        assertThat(SamplePlans.engine(plans.get(0)).kvBytes() / 1024 * 0.2).isGreaterThanOrEqualTo(4 * 2.0);
        assertThat(planner.engines().lanes(Selection.parse("split:gen=2"), Selection.of("host")).describe())
                .isEqualTo("1 context lane of 1 thread, 2 generation lanes of 1 thread each, 1 transfer lane");
        assertThat(planner.engines().lanes(Selection.of("naive"), Selection.parse("host:lanes=2")).describe())
                .isEqualTo("2 lanes of 1 thread each");
    }

    @Test
    void aKvMemoryTooSmallForOnePoolIsAFaultOfTheCell() {
        assertThat(faults(spec("host", 8 * 1024, 0, 4, "split", "naive"))).singleElement().asString()
                .startsWith("tiny-int4 · split · basic: The KV pool for contexts gets 20 %");
    }

    @Test
    void theBaselineIsOneOfTheSchedulers() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive", "split:gen=1", "split:gen=2");
        assertThat(spec.baselineSystem()).contains("naive");
        assertThat(spec.withBaseline("split:gen=2").baselineSystem()).contains("split:gen=2");
        assertThat(faults(spec.withBaseline("naive"))).isEmpty();
        assertThat(faults(spec.withBaseline("split"))).containsExactly(
                "baseline: 2 systems are named split. Write the baseline with its options: split:gen=1 or split:gen=2.");
        assertThat(faults(spec.withBaseline("nave"))).singleElement().asString()
                .startsWith("baseline: Unknown scheduler or target of this experiment \"nave\". Did you mean naive?");
    }

    @Test
    void enginesStandBesideTargets() throws Exception {
        ExperimentSpec engines = spec("host", 0, 0, 4, "naive");
        ExperimentSpec both = engines
                .withSubjects(List.of(engines.subjects().getFirst(), new Subject.TargetSubject(Selection.of("null"))));
        assertThat(both.subjects()).hasSize(2);
        Planner withNull = planner(new TargetKinds(List.of(new NullTargetKind())));
        assertThat(withNull.faults(both)).isEmpty();
        assertThat(withNull.plan(both, "e", Path.of("results"))).extracting(run -> run.cell().label())
                .containsExactlyInAnyOrder("tiny-int4 · naive · basic", "null · basic");
        assertThat(withNull.faults(both.withEngines(List.of()))).extracting(PlanFault::toString).containsExactly(
                "targets: Schedulers and backends belong to engines, and there is no engine. Add one, or leave them out.");
        ExperimentSpec named = ExperimentFields.TARGETS.with(both, List.of(Selection.parse("null:name=naive")));
        assertThat(withNull.faults(named)).extracting(PlanFault::toString).containsExactly(
                "targets: The name of a null target stands twice in tables. Name it, as in null:name=first,...");
    }

    @Test
    void rangesAreThoseOfTheTable() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive").withRuns(0);
        WorkloadSpec load = spec.workloads().getFirst();
        assertThat(faults(spec.withWorkloads(List.of(load.withRequests(10_000_001), load.withRequests(0)))))
                .containsExactly("runs: \"0\" is not a whole number from 1 to 1000.",
                        "workloads: basic: requests: \"10000001\" is not a whole number from 1 to 10000000.",
                        "workloads: basic: It has 0 requests. Give a number from 1, or a duration.");
    }

    @Test
    void widthsThatCannotBeReachedAreFaults() {
        ExperimentSpec spec = spec("host", 0, 0, 4, "naive");
        assertThat(faults(ExperimentFields.MAX_RUNS.with(spec, List.of(9)))).containsExactly(
                "max_runs: The most runs belong to until, as in until output_throughput=2%. Add it, or give runs.");
        assertThat(faults(until(spec, "recomputed_tokens=2%"))).containsExactly(
                "until: Recomputed tokens has no width in per cent. Choose a time, a rate or an amount.");
        assertThat(faults(until(spec, "e2e_p59=2%"))).singleElement().asString().startsWith("until: ")
                .contains("e2e_p50");
        assertThat(faults(ExperimentFields.MAX_RUNS.with(until(spec.withRuns(5), "e2e_p95=2%"), List.of(4))))
                .containsExactly("max_runs: The most runs are fewer than runs, 5.");
        assertThat(faults(until(spec, "e2e_p95=2%"))).isEmpty();
    }

    private static ExperimentSpec until(ExperimentSpec spec, String target) {
        return ExperimentFields.UNTIL.with(spec, List.of(PrecisionTarget.parse(target)));
    }

    @Test
    void twoTargetsOfOneNameAreRefusedWithoutShowingTheirAddress() {
        TargetPlanner targets = new TargetPlanner(new TargetKinds(List.of(new NullTargetKind())));
        Selection secret = Selection.parse("null:url=http://me:hunter2@host");
        ExperimentSpec spec = new ExperimentSpec("x", List.of(), List.of(), List.of(), Selection.of("host"), 1, 0, 1,
                100, 0, ExperimentSpec.AskedLimits.DEFAULTS).onTargetsOnly(List.of(secret, secret));
        assertThat(targets.faults(spec)).extracting(PlanFault::toString).noneMatch(fault -> fault.contains("hunter2"))
                .anyMatch(fault -> fault.contains("The name of a null target stands twice in tables."));
    }
}
