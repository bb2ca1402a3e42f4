package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadGrid;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.options.Option;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// The form gives back the experiment that it was filled from.
class DesignerFormProperties {
    private final LibraryTwin library = new LibraryTwin(Path.of("no-such-folder", "results"));

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    void experimentComesOutAsItWentIn(@ForAll("experiments") ExperimentSpec spec) {
        DesignerViewModel designer = designer();
        designer.load(spec);
        assertThat(designer.spec()).contains(spec);
        assertThat(designer.check()).isEmpty();
    }

    @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
    void changedRunsChangeNothingElse(@ForAll("experiments") ExperimentSpec spec) {
        DesignerViewModel designer = designer();
        designer.load(spec);
        designer.phaseFields().getFirst().text().set(spec.runs() == 7 ? "8" : "7");
        assertThat(designer.spec()).contains(spec.withRuns(spec.runs() == 7 ? 8 : 7).named("bench"));
    }

    @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
    void enginesStandBesideTheOtherTargets(@ForAll("driven") ExperimentSpec spec) {
        DesignerViewModel designer = designer();
        designer.load(spec);
        assertThat(designer.targets().selections()).isEqualTo(spec.targets().subList(1, spec.targets().size()));
        designer.backend().chosen().set(designer.backend().choices().getFirst());
        designer.engines().all().getFirst().selected().set(true);
        designer.schedulers().all().getFirst().selected().set(true);
        ExperimentSpec mixed = designer.spec().orElseThrow();
        assertThat(mixed.engines()).hasSize(1);
        assertThat(mixed.targets()).isEqualTo(spec.targets().subList(1, spec.targets().size()));
        assertThat(designer.schedulers().baselines()).extracting(SchedulerChoices.Baseline::label)
                .containsExactlyElementsOf(mixed.systems());
        designer.schedulers().baseline().set(designer.schedulers().baselines().getLast());
        assertThat(designer.spec().orElseThrow().baselineSystem()).contains(mixed.systems().getLast());
    }

    @Example
    void everyFieldOfTheFormIsDrawn() {
        List<ExperimentSpec> drawn = experiments().sampleStream().limit(200).toList();
        assertThat(ExperimentFields.FORM).allSatisfy(field -> assertThat(drawn.stream().map(field::write).distinct())
                .as("values of " + field.name()).hasSizeGreaterThan(1));
    }

    private DesignerViewModel designer() {
        DesignerServices twin =
                DesktopTwin.designer(new ScriptedBenchmark(library, 0), SchedulerRegistry.standard().descriptions());
        BackendChoice http =
                new BackendChoice(Selection.of("http"), "Server", OptionRecords.describe(HttpOptions.class), true);
        DesignerViewModel designer = new DesignerViewModel(new DesignerServices(twin.benchmarks(), twin.engineFolder(),
                twin.engines(), twin.schedulers(), twin.workloads(), List.of(twin.backends().getFirst(), http),
                Map.of(), twin.quick(), twin.presets(), twin.reader()), new InlineUi().work(), null);
        designer.setEngines(DesktopTwin.engines());
        return designer;
    }

    /// Options as a target has them.
    record HttpOptions(@Option(name = "url", standard = "", help = "Address.") String url,
            @Option(name = "name", standard = "", help = "Name in tables.") String name) {}

    @Provide
    Arbitrary<ExperimentSpec> driven() {
        Arbitrary<List<Selection>> targets = listed(Arbitraries.of("a", "b", "c").map(
                name -> new Selection("http", new TreeMap<>(Map.of("url", "http://" + name + ":8000", "name", name)))));
        return Combinators.combine(targets, workloads())
                .as((servers, loads) -> ExperimentSpec.STANDARD.onTargetsOnly(servers).withWorkloads(loads));
    }

    @Provide
    Arbitrary<ExperimentSpec> experiments() {
        Arbitrary<List<String>> engines = listed(Arbitraries.of("tiny-bf16", "tiny-fp8", "smollm-135m-int4"));
        Arbitrary<List<Selection>> schedulers = listed(Arbitraries.of(SchedulerRegistry.standard().names())
                .flatMap(name -> Arbitraries.of(Map.<String, String>of(), Map.of("max_num_seqs", "3"))
                        .map(options -> new Selection(name, name.equals("continuous") ? options : Map.of()))));
        Arbitrary<Selection> backends = Arbitraries.of("host", "host:lanes=2", "host:lanes=0").map(Selection::parse);
        Arbitrary<ExperimentSpec> ofEngines =
                Combinators.combine(engines, schedulers, backends, Arbitraries.of(0L, 1L << 28), Arbitraries.of(0, 16))
                        .as((names, policies, backend, kv, rows) -> {
                            ExperimentSpec spec = ExperimentSpec.STANDARD.withEngines(names).withLimits(List.of(kv),
                                    ExperimentSpec.AskedLimits.of(rows, 0, 0));
                            spec = ExperimentFields.SCHEDULERS.with(spec, policies);
                            return ExperimentFields.BACKEND.with(spec, List.of(backend));
                        });
        Arbitrary<ExperimentSpec> mixed = Combinators.combine(ofEngines, driven())
                .as((spec, driven) -> ExperimentFields.TARGETS.with(spec, driven.targets()));
        Arbitrary<ExperimentSpec> subjects =
                Combinators.combine(Arbitraries.oneOf(ofEngines, driven(), mixed), Arbitraries.of(-1, 0))
                        .as((spec, baseline) -> baseline < 0 ? spec : spec.withBaseline(spec.systems().getLast()));
        Arbitrary<DeploymentGoal> goals =
                Combinators.combine(Arbitraries.of("", "ttft=500ms"), Arbitraries.of(0.0, 2.5))
                        .as((limits, price) -> new DeploymentGoal(ServiceObjective.parse(limits), price));
        return Combinators
                .combine(subjects, workloads(), Arbitraries.integers().between(1, 1000),
                        Arbitraries.integers().between(0, 100), Arbitraries.longs(),
                        Arbitraries.integers().between(10, 1000), goals, Arbitraries.of(true, false))
                .as((spec, loads, runs, warmUp, seed, millis, goal, search) -> {
                    boolean rising = LoadGrid.of(loads).flatMap(LoadGrid::sweep).isPresent();
                    ExperimentSpec made = ExperimentFields.WARM_UP.with(
                            spec.withWorkloads(loads).withRuns(runs).withGoal(goal)
                                    .searching(search && rising && !goal.objective().equals(ServiceObjective.NONE)),
                            List.of(warmUp));
                    made = ExperimentFields.SEED.with(made, List.of(seed));
                    if (seed % 2 == 0) {
                        made = ExperimentFields.UNTIL.with(made,
                                ExperimentFields.UNTIL.parse(warmUp % 2 == 0 ? "ttft_p50=2%" : "e2e_mean=5%"));
                        made = ExperimentFields.MAX_RUNS.with(made, List.of(3 + warmUp));
                    }
                    return ExperimentFields.SAMPLE_EVERY.with(made, List.of(millis));
                });
    }

    private static Arbitrary<List<WorkloadSpec>> workloads() {
        Arbitrary<WorkloadSpec> preset = Arbitraries.of(new WorkloadPresets().all());
        Arbitrary<List<Integer>> counts = listed(Arbitraries.integers().between(1, 900));
        Arbitrary<ArrivalProcess> arrivals =
                Arbitraries.of("closed:concurrency=3", "poisson:rate=0.75", "gamma:rate=2").map(ArrivalProcess::parse);
        Arbitrary<List<WorkloadSpec>> counted = Combinators.combine(preset, counts, arrivals)
                .as((load, numbers, arriving) -> LoadGrid.counted(List.of(load.withArrivals(arriving)), numbers));
        Arbitrary<List<WorkloadSpec>> swept = Combinators
                .combine(preset, counts, Arbitraries.of("rate=0.5,1,2", "concurrency=1,2,4,8"))
                .as((load, numbers, sweep) -> LoadSweep.parse(sweep).over(LoadGrid.counted(List.of(load), numbers)));
        Arbitrary<List<WorkloadSpec>> timed = preset.map(load -> List
                .of(load.withRequests(0).withRefinements(load.refinements().withDuration(20_000_000_000L))));
        return Arbitraries.oneOf(counted, swept, timed, listed(preset));
    }

    private static <T> Arbitrary<List<T>> listed(Arbitrary<T> values) {
        return values.set().ofMinSize(1).ofMaxSize(3).map(ArrayList::new);
    }
}
