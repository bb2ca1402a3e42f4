package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadGrid;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.options.Selection;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SearchTest {
    private static final WorkloadSpec CLOSED = Experiments.SHORT.withArrivals(new ArrivalProcess.ClosedLoop(1));
    private static final ExperimentSpec SWEEP =
            Experiments.QUICK.withWorkloads(LoadSweep.grid("concurrency=1..64").over(List.of(CLOSED)))
                    .withGoal(new DeploymentGoal(ServiceObjective.parse("ttft=500ms"), 0));
    private final LibraryTwin library = new LibraryTwin(Path.of("no-such-folder", "results"));
    private final ScriptedBenchmark service = new ScriptedBenchmark(library, 0);
    private final DesignerViewModel designer =
            new DesignerViewModel(DesktopTwin.designer(service), new InlineUi().work(), null);

    @BeforeEach
    void listEngines() {
        designer.setEngines(DesktopTwin.engines());
    }

    @Test
    void aSearchComesOutAsItWentIn() {
        designer.load(SWEEP.searching());
        assertThat(designer.spec()).contains(SWEEP.searching());
        assertThat(designer.workload().strength(Measure.CONCURRENCY).text().get()).isEqualTo("1..64");
        assertThat(designer.workload().preset().get()).isEqualTo("short");
        designer.load(SWEEP);
        assertThat(designer.spec()).contains(SWEEP);
    }

    @Test
    void severalCountsUnderSeveralRatesComeOutAsTheyWentIn() {
        List<WorkloadSpec> counted = LoadGrid.counted(List.of(Experiments.SHORT), List.of(25, 50));
        ExperimentSpec spec = Experiments.QUICK.withWorkloads(LoadSweep.parse("rate=0.5,1,2").over(counted));
        designer.load(spec);
        assertThat(designer.spec()).contains(spec);
        assertThat(designer.searchable().get()).isFalse();
    }

    @Test
    void aSearchNeedsLimitsAndSeveralLoads() {
        designer.load(Experiments.QUICK);
        assertThat(designer.searchable().get()).isFalse();
        designer.search().set(true);
        assertThat(designer.spec().orElseThrow().search()).isFalse();
        designer.workload().strength(Measure.RATE).text().set("1, 2, 4");
        assertThat(designer.searchable().get()).isFalse();
        designer.phaseFields().stream().filter(field -> field.naming().key().equals("field.slo")).findFirst()
                .orElseThrow().text().set("ttft=1s");
        assertThat(designer.searchable().get()).isTrue();
        assertThat(designer.spec().orElseThrow().search()).isTrue();
        designer.search().set(false);
        assertThat(designer.spec().orElseThrow().search()).isFalse();
    }

    @Test
    void theEstimateOfASearchCountsItsStepsAndNotEveryCell() {
        int loads = SWEEP.workloads().size();
        assertThat(PlanPreview.of(service, SWEEP, new RunTimeHistory(List.of())).estimate())
                .startsWith(4 * loads + " runs, ");
        assertThat(PlanPreview.of(service, SWEEP.searching().withRuns(3), new RunTimeHistory(List.of())).estimate())
                .startsWith("Search over " + loads + " loads: 32 to 64 runs, 768 to 1536 measured requests.");
    }

    @Test
    void timedLoadsAreEstimatedByTheirTime() {
        WorkloadSpec timed = CLOSED.withRequests(0).withRefinements(CLOSED.refinements().withDuration(20_000_000_000L));
        ExperimentSpec sweep = SWEEP.withWorkloads(LoadSweep.grid("concurrency=1..2").over(List.of(timed)));
        assertThat(PlanPreview.of(service, sweep, new RunTimeHistory(List.of())).estimate())
                .startsWith("8 runs, for 20 s each. Weights");
        assertThat(PlanPreview.of(service, sweep.searching(), new RunTimeHistory(List.of())).estimate())
                .contains(" runs, for 20 s each. Weights");
        ExperimentSpec mixed = SWEEP.withWorkloads(List.of(timed, CLOSED.withName("counted").withRequests(25)));
        assertThat(
                PlanPreview.of(service, mixed.onTargetsOnly(List.of(Selection.parse("http:url=http://localhost:8000"))),
                        new RunTimeHistory(List.of())).estimate())
                .startsWith("2 runs against the target, for 20 s or 25 requests each.");
    }

    @Test
    void theCommandSaysTheSearch() {
        ExperimentSpec mixed = Experiments.QUICK.withGoal(SWEEP.goal()).withWorkloads(LoadSweep.grid("concurrency=1..8")
                .over(List.of(Experiments.SHORT.withArrivals(new ArrivalProcess.ClosedLoop(1)))));
        assertThat(RunCommandLine.of(mixed.searching())).hasValueSatisfying(command -> assertThat(command)
                .contains(" --search concurrency=1..8 ").doesNotContain("--concurrency").contains("--slo ttft=500ms"));
        assertThat(RunCommandLine.of(mixed))
                .hasValueSatisfying(command -> assertThat(command).contains(" --sweep concurrency=1,2,3,4,5,6,7,8"));
        ExperimentSpec listed =
                mixed.withWorkloads(LoadSweep.parse("concurrency=1,2,4").over(List.of(Experiments.SHORT)));
        assertThat(RunCommandLine.of(listed))
                .hasValueSatisfying(command -> assertThat(command).contains(" --sweep concurrency=1,2,4"));
        assertThat(RunCommandLine.of(listed.searching())).isEmpty();
    }
}
