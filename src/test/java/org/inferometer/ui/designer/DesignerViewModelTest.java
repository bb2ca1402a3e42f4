package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.options.Selection;
import org.inferometer.record.RunStatus;
import org.inferometer.ui.bench.ResultCard;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.designer.SchedulerChoices.SchedulerChoice;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DesignerViewModelTest {
    private final LibraryTwin library = new LibraryTwin(Path.of("no-such-folder", "results"));
    private final DesignerViewModel designer =
            new DesignerViewModel(DesktopTwin.designer(new ScriptedBenchmark(library, 0)), new InlineUi().work(), null);

    @BeforeEach
    void listEngines() {
        designer.setEngines(DesktopTwin.engines());
    }

    @Test
    void theQuickPresetComesOutAsItWentIn() {
        assertThat(designer.spec()).contains(Experiments.QUICK);
        assertThat(designer.check()).isEmpty();
    }

    @Test
    void aChangedFormIsNoLongerThePreset() {
        designer.workload().requests().text().set("1k");
        assertThat(designer.spec()).hasValueSatisfying(spec -> {
            assertThat(spec.name()).isEqualTo("bench");
            assertThat(spec.workloads()).containsExactly(Experiments.SHORT.withRequests(1000));
        });
    }

    @Test
    void otherLengthsMakeACustomLoad() {
        designer.workload().promptTokens().text().set("1..20");
        assertThat(designer.spec().orElseThrow().workloads().getFirst())
                .satisfies(load -> assertThat(load.name()).isEqualTo("custom")).satisfies(
                        load -> assertThat(load.promptTokens()).isEqualTo(new LengthDistribution.UniformLength(1, 20)));
    }

    @Test
    void choosingAPresetFillsTheLengthsAndKeepsArrivals() {
        designer.workload().preset().set("chat");
        assertThat(designer.spec().orElseThrow().workloads())
                .containsExactly(Experiments.CHAT.withArrivals(new ArrivalProcess.Poisson(4)).withRequests(24));
    }

    @Test
    void detailsOfTheLoadAreSetAndRemoved() {
        FieldViewModel<?> duration = detail("Duration");
        duration.text().set("20s");
        designer.workload().requests().text().set("");
        detail("Temperature").text().set("0.7");
        detail("Top k").text().set("40");
        detail("Answers").text().set("2");
        detail("Ignore eos").text().set("false");
        WorkloadSpec load = designer.spec().orElseThrow().workloads().getFirst();
        assertThat(load).isEqualTo(Experiments.SHORT.withRequests(0).withTemperature(0.7)
                .withRefinements(Experiments.SHORT.refinements().withDuration(20_000_000_000L).withTopK(40)
                        .withAnswers(2).withEarlyEnd(new EarlyEnd(true, List.of()))));
        designer.load(designer.spec().orElseThrow());
        assertThat(detail("Top k").text().get()).isEqualTo("40");
        designer.workload().requests().text().set("24");
        designer.workload().details().forEach(field -> field.text().set(""));
        assertThat(designer.spec().orElseThrow().workloads()).containsExactly(Experiments.SHORT.withRequests(24));
        detail("Top k").text().set("many");
        assertThat(designer.spec()).isEmpty();
        assertThat(designer.check()).contains("field.top-k");
    }

    private FieldViewModel<?> detail(String label) {
        return designer.workload().details().stream().filter(field -> field.naming().label().equals(label)).findFirst()
                .orElseThrow();
    }

    @Test
    void arrivalsOfAnyKindCanBeWritten() {
        designer.workload().arrivals().set(null);
        designer.workload().otherArrivals().text().set("gamma:rate=4,burstiness=0.5");
        assertThat(designer.spec().orElseThrow().workloads())
                .containsExactly(Experiments.SHORT.withArrivals(new ArrivalProcess.Gamma(4, 0.5)));
        designer.workload().otherArrivals().text().set("gama:rate=4");
        assertThat(designer.spec()).isEmpty();
        assertThat(designer.check()).contains("field.arrivals");
    }

    @Test
    void anAddedServerLeavesTheChosenEngines() {
        ExperimentSpec before = designer.spec().orElseThrow();
        Selection server = Selection.parse("http:url=http://127.0.0.1:8000");
        designer.addTarget(server);
        designer.addTarget(server);
        assertThat(designer.spec().orElseThrow())
                .isEqualTo(ExperimentFields.TARGETS.with(before, List.of(server)).named("bench"));
    }

    @Test
    void limitsTakeSeveralValues() {
        designer.limitFields().get(1).text().set("1, 2, 4");
        assertThat(designer.spec().orElseThrow().limits().maxBatchRows()).isEqualTo(List.of(1, 2, 4));
        designer.limitFields().get(1).check();
        assertThat(designer.limitFields().get(1).echo().get()).isEqualTo("1 request, 2 requests, 4 requests");
    }

    @Test
    void closedLoopsAndRatesExcludeEachOther() {
        designer.workload().arrivals().set(Measure.CONCURRENCY);
        designer.workload().strength(Measure.CONCURRENCY).text().set("32");
        designer.workload().strength(Measure.RATE).text().set("nonsense");
        assertThat(designer.spec().orElseThrow().workloads().getFirst().arrivals())
                .isEqualTo(new ArrivalProcess.ClosedLoop(32));
    }

    @Test
    void onlyOptionsThatDifferFromTheirDefaultAreWritten() {
        SchedulerChoice dynamic = designer.schedulers().all().get(1);
        dynamic.selected().set(true);
        dynamic.options().get(0).text().set("32");
        dynamic.options().get(1).text().set("0.050");
        assertThat(designer.spec().orElseThrow().schedulers())
                .contains(new Selection("dynamic", Map.of("max_batch_size", "32")));
    }

    @Test
    void theFirstFaultFromTheTopIsNamed() {
        designer.engines().all().forEach(choice -> choice.selected().set(false));
        designer.schedulers().all().get(2).options().get(0).text().set("1000");
        designer.workload().requests().text().set("");
        assertThat(designer.spec()).isEmpty();
        assertThat(designer.check()).contains("designer.engines");
        assertThat(designer.engines().error().get()).isEqualTo("Select at least one engine.");
        designer.engines().all().get(1).selected().set(true);
        assertThat(designer.engines().error().get()).isEmpty();
        assertThat(designer.check()).contains("continuous.max_batch_size");
        assertThat(designer.schedulers().all().get(2).options().get(0).error().get())
                .isEqualTo("Must be 1 to 256 requests.");
    }

    @Test
    void damagedEnginesCannotTakePart() {
        EngineChoice damaged = designer.engines().all().getLast();
        assertThat(damaged.usable()).isFalse();
        assertThat(damaged.detail()).contains("build it again");
    }

    @Test
    void aNewListKeepsWhatWasTicked() {
        designer.engines().all().forEach(choice -> choice.selected().set(choice.name().equals("tiny-bf16")));
        designer.setEngines(DesktopTwin.engines());
        assertThat(designer.spec().orElseThrow().engines()).isEqualTo(List.of("tiny-bf16"));
    }

    @Test
    void commandOfAServerNamesTargetAndSloButNoBackend() {
        ExperimentSpec driven = new ExperimentSpec("bench", List.of(), List.of(), Experiments.QUICK.workloads(),
                Selection.of("host"), 2, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .onTargetsOnly(List.of(Selection.parse("http:url=http://127.0.0.1:8000")))
                .withGoal(new DeploymentGoal(ServiceObjective.parse("ttft=500ms"), 2));
        assertThat(RunCommandLine.of(driven).orElseThrow())
                .contains("--target http:url=http://127.0.0.1:8000", "--slo ttft=500ms", "--price 2")
                .doesNotContain("--backend", "--scheduler");
    }

    @Test
    void theCommandRunsTheSameExperiment() {
        designer.schedulers().all().get(2).options().get(0).text().set("32");
        assertThat(RunCommandLine.of(designer.spec().orElseThrow())).contains(
                "./inferometer run --engine tiny-fp8 --engine tiny-int4 --scheduler naive --scheduler continuous:max_batch_size=32"
                        + " --backend host --workload short --rate 4 --requests 24 --runs 1 --warmup 4 --seed 1 --sample-every 100ms");
    }

    @Test
    void thePresetIsRunByItsNameAndItsLoadThroughIt() {
        ExperimentSpec quick = new Presets().find("quick");
        assertThat(RunCommandLine.of(quick)).contains("./inferometer run quick");
        ExperimentSpec twice =
                new ResultCard(Experiments.manifest("id", quick, RunStatus.COMPLETE, null, Instant.EPOCH),
                        Path.of("id"), null, List.of(), List.of(), "").withMoreRuns();
        assertThat(RunCommandLine.of(twice)).hasValueSatisfying(
                command -> assertThat(command).startsWith("./inferometer run quick --engine tiny-fp8")
                        .contains("--runs 3").doesNotContain("--workload"));
    }

    @Test
    void commandOverThePresetNamesTheBaselineQuoted() {
        ExperimentSpec quick = new Presets().find("quick");
        ExperimentSpec driven = new ExperimentSpec("bench", List.of(), List.of(), quick.workloads(),
                Selection.of("host"), 2, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .onTargetsOnly(List.of(Selection.parse("http:url=http://127.0.0.1:8000/v1?a=1&b=2")));
        assertThat(RunCommandLine.of(driven).orElseThrow())
                .contains(" --target 'http:url=http://127.0.0.1:8000/v1?a=1&b=2' ");
        ExperimentSpec based = new ExperimentSpec("bench", quick.engines(), quick.schedulers(), quick.workloads(),
                quick.backends().getFirst(), 2, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .withBaseline("continuous");
        assertThat(RunCommandLine.of(based).orElseThrow()).startsWith("./inferometer run quick --engine ")
                .contains(" --baseline continuous ");
    }

    @Test
    void lengthsOfOnesOwnHaveNoCommand() {
        designer.workload().promptTokens().text().set("1..20");
        assertThat(RunCommandLine.of(designer.spec().orElseThrow())).isEmpty();
    }

    @Test
    void memoryOfTheLargestEngineIsKnownBeforeTheRun() {
        assertThat(designer.preview().get().memory())
                .contains(new PlanPreview.MemoryNeed(15L << 20, 64L << 20, 24L << 30));
        assertThat(new PlanPreview.MemoryNeed(10, 4, 14).over()).isFalse();
        assertThat(new PlanPreview.MemoryNeed(10, 5, 14).over()).isTrue();
    }
}
