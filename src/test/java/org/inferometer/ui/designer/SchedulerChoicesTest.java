package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.options.Selection;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.designer.SchedulerChoices.SchedulerChoice;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchedulerChoicesTest {
    private final LibraryTwin library = new LibraryTwin(Path.of("no-such-folder", "results"));
    private final DesignerViewModel designer = new DesignerViewModel(
            DesktopTwin.designer(new ScriptedBenchmark(library, 0), SchedulerRegistry.standard().descriptions()),
            new InlineUi().work(), null);
    private final SchedulerChoices choices = designer.schedulers();

    @BeforeEach
    void listEngines() {
        designer.setEngines(DesktopTwin.engines());
    }

    private SchedulerChoice named(String key) {
        return choices.all().stream().filter(choice -> choice.key().equals(key)).findFirst().orElseThrow();
    }

    private static OptionViewModel option(SchedulerChoice choice, String name) {
        return choice.options().stream().filter(option -> option.description().answersTo(name)).findFirst()
                .orElseThrow();
    }

    @Test
    void oneSchedulerCanStandThereWithOtherOptions() {
        choices.all().forEach(choice -> choice.selected().set(false));
        named("parallel").selected().set(true);
        SchedulerChoice second = choices.duplicate(named("parallel"));
        assertThat(designer.spec()).isEmpty();
        assertThat(designer.check()).contains("designer.schedulers");
        assertThat(designer.schedulersError().get())
                .isEqualTo("parallel is selected twice. Change an option of one, or remove it.");
        option(second, "streams").text().set("3");
        assertThat(designer.schedulersError().get()).isEmpty();
        assertThat(designer.spec().orElseThrow().schedulers()).containsExactly(Selection.of("parallel"),
                new Selection("parallel", Map.of("streams", "3")));
        assertThat(choices.all().indexOf(second)).isEqualTo(choices.all().indexOf(named("parallel")) + 1);
        choices.remove(second);
        choices.remove(named("parallel"));
        assertThat(designer.spec().orElseThrow().schedulers()).containsExactly(Selection.of("parallel"));
    }

    @Test
    void aSpecificationWithTwoOfOneNameComesOutAsItWentIn() {
        ExperimentSpec asked = new ExperimentSpec("two", List.of("tiny-fp8"),
                List.of(Selection.of("naive"), Selection.parse("parallel:streams=2,limits=per_stream"),
                        Selection.parse("parallel:streams=3")),
                List.of(Experiments.SHORT), Selection.of("host"), 3, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .withBaseline("parallel:streams=3");
        designer.load(asked);
        assertThat(designer.spec().orElseThrow().schedulers().stream().map(Selection::toString))
                .containsExactly("naive", "parallel:streams=2,limits=per_stream", "parallel:streams=3");
        assertThat(designer.spec().orElseThrow().baseline()).isEqualTo("parallel:streams=3");
        designer.load(Experiments.QUICK);
        assertThat(choices.all()).hasSize(SchedulerRegistry.standard().names().size());
    }

    @Test
    void theFirstIsTheBaselineUntilAnotherIsChosen() {
        assertThat(choices.baselines().stream().map(Object::toString)).containsExactly("naive", "continuous");
        assertThat(designer.spec().orElseThrow().baseline()).isNull();
        choices.baseline().set(choices.baselines().get(1));
        assertThat(designer.spec().orElseThrow().baseline()).isEqualTo("continuous");
        option(named("continuous"), "seqs").text().set("8");
        assertThat(designer.spec().orElseThrow().baseline()).isEqualTo("continuous:max_num_seqs=8");
        named("continuous").selected().set(false);
        assertThat(designer.spec().orElseThrow().baseline()).isNull();
    }

    @Test
    void manyOptionsAreGroupedByWhatTheyAreSharedWith() {
        List<OptionGroup> groups = named("parallel").groups();
        assertThat(groups.stream().map(OptionGroup::title)).containsExactly("parallel only", "Same as simple");
        assertThat(groups.getFirst().options().stream().map(option -> option.description().name()))
                .contains("streams", "limits").doesNotContain("chunk_unit");
        assertThat(groups.getLast().options().stream().map(option -> option.description().name()))
                .contains("chunk_unit", "capacity_scheduler_policy");
        assertThat(named("naive").groups()).hasSize(1);
    }

    @Test
    void everyOptionIsInItsFormOnceAndValidByDefault() {
        for (SchedulerChoice choice : choices.all()) {
            List<OptionViewModel> shown = choice.groups().stream().flatMap(group -> group.options().stream()).toList();
            assertThat(shown).containsExactlyInAnyOrderElementsOf(choice.options());
            assertThat(shown).allMatch(OptionViewModel::valid).allMatch(option -> option.changed().isEmpty());
        }
    }

    @Test
    void severalNumbersOfRequestsMakeALoadEach() {
        designer.workload().requests().text().set("25, 50,100");
        assertThat(designer.workload().requests().echo().get()).isEqualTo("3 loads: 25, 50, 100 measured requests");
        assertThat(designer.spec().orElseThrow().workloads().stream().map(load -> load.name() + " " + load.requests()))
                .containsExactly("short-25 25", "short-50 50", "short-100 100");
        ExperimentSpec asked = designer.spec().orElseThrow();
        designer.load(asked);
        assertThat(designer.workload().requests().text().get()).isEqualTo("25, 50, 100");
        assertThat(designer.spec()).contains(asked);
        designer.workload().requests().text().set("25, 25");
        assertThat(designer.check()).contains("field.requests");
        assertThat(designer.workload().requests().error().get()).isEqualTo("25 is given twice. Keep one.");
    }

    @Test
    void whatTheBackendIsGivenIsPartOfTheSpecification() {
        OptionViewModel lanes = designer.backend().options().getFirst();
        lanes.text().set("2");
        assertThat(designer.spec().orElseThrow().backends())
                .containsExactly(new Selection("host", Map.of("lanes", "2")));
        lanes.text().set("many");
        assertThat(designer.spec()).isEmpty();
        assertThat(designer.check()).contains("backend.lanes");
    }

    @Test
    void lanesAreSaidOnceForAllSchedulersThatHaveTheSame() {
        List<SchedulerLanes> lanes = new ArrayList<>();
        lanes.add(new SchedulerLanes(Selection.of("naive"), LaneLayout.sharing(1), List.of(2)));
        lanes.add(new SchedulerLanes(Selection.of("simple"), LaneLayout.sharing(1), List.of(2)));
        assertThat(
                PlanPreview.of(new Service(List.of(), lanes), Experiments.QUICK, new RunTimeHistory(List.of())).lanes())
                .isEqualTo("1 lane of 2 threads");
        lanes.add(new SchedulerLanes(Selection.parse("parallel:streams=2"), LaneLayout.sharing(2), List.of(1, 1)));
        assertThat(
                PlanPreview.of(new Service(List.of(), lanes), Experiments.QUICK, new RunTimeHistory(List.of())).lanes())
                .isEqualTo("1 lane of 2 threads: naive, simple\n2 lanes of 1 thread each: parallel:streams=2");
    }

    @Test
    void whatKeepsAnExperimentFromRunningIsSaidBefore() {
        PlanPreview preview = PlanPreview.of(
                new Service(List.of(new PlanFault("backend", "host:lanes=2 is too few for streams=3.")), List.of()),
                Experiments.QUICK, new RunTimeHistory(List.of()));
        assertThat(preview.estimate()).startsWith("Cannot run: ").contains("host:lanes=2 is too few for streams=3.");
        assertThat(preview.lanes()).isEmpty();
    }

    private record Service(List<PlanFault> faults, List<SchedulerLanes> known) implements BenchmarkService {
        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return faults;
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(1, 1, 1, 1, 1);
        }

        @Override
        public List<SchedulerLanes> lanes(ExperimentSpec spec) {
            return known;
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) {
            throw new IllegalStateException();
        }
    }
}
