package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;

class LoadSearchTest {
    private static final DeploymentGoal GOAL = new DeploymentGoal(ServiceObjective.parse("ttft=100ms,share=0.99"), 0);

    private static ExperimentSpec spec(int schedulers, int runs) {
        List<Selection> chosen = List.of(Selection.of("naive"), Selection.of("continuous")).subList(0, schedulers);
        return new ExperimentSpec("search", List.of("tiny-int4"), chosen,
                LoadSweep.parse("concurrency=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16")
                        .over(List.of(new WorkloadPresets().find("short"))),
                Selection.of("host"), runs, 0, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS).withGoal(GOAL)
                .searching();
    }

    /// A run of a hundred requests of which a share meets the objective; misses are apart from each other.
    private static RunRecord record(RunPlan plan, double met) {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long first = i * 37 % 100 < Math.round(met * 100) ? 50_000_000L : 500_000_000L;
            requests.add(new RequestOutcome(new RequestId(i), false, 4, 1, 0, 0, 0, 0, first, RequestStatus.OK, "",
                    new long[]{first}));
        }
        RunManifest manifest = new RunManifest(RunManifest.FORMAT_VERSION, plan, SampleRecords.MACHINE,
                new RunManifest.SystemUnderTest("", "", "", "", false, RunManifest.Pools.UNKNOWN), "", Instant.EPOCH,
                new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, null));
        return new RunRecord(plan.folderName(), manifest,
                new RunObservations(requests, List.of(), List.of(),
                        new RunObservations.Setup(LaneLayout.sharing(1).lanes(), List.of(), List.of(100), 4, 2, false,
                                true, GOAL, LoadKind.UNKNOWN)),
                List.of());
    }

    /// The cells in the order in which they were run, given what share of each cell's requests meets the objective.
    private static List<Integer> searched(ExperimentSpec spec, IntToDoubleFunction metAt) throws EngineFormatException {
        LoadSearch search = new LoadSearch(spec,
                (run, cell, repetition) -> SamplePlans.plan("x", run, cell, spec.cells().get(cell), repetition, "",
                        Path.of("run-" + run).toString(), 0, 1, 100, 0, new Limits(0, 0, 0), LaneLayout.sharing(1)));
        List<RunRecord> ended = new ArrayList<>();
        for (Optional<RunPlan> next = search.next(ended); next.isPresent(); next = search.next(ended)) {
            assertThat(next.get().index().run()).isEqualTo(ended.size());
            int cell = next.get().index().cell();
            assertThat(next.get().index().repetition()).isEqualTo(
                    (int) ended.stream().filter(run -> run.manifest().plan().index().cell() == cell).count());
            ended.add(record(next.get(), metAt.applyAsDouble(cell)));
        }
        return ended.stream().map(run -> run.manifest().plan().index().cell()).toList();
    }

    @Test
    void runsGoToBothSidesOfTheEstimate() throws EngineFormatException {
        // 16 loads, concurrency 1 to 16; served up to index 9.
        assertThat(spec(1, 3).cells()).hasSize(16);
        assertThat(searched(spec(1, 3), cell -> cell <= 9 ? 1 : 0.5)).containsExactly(7, 11, 8, 9, 10, 8, 7, 8);
    }

    @Test
    void theWholeGridMayBeServedOrNoneOfIt() throws EngineFormatException {
        assertThat(searched(spec(1, 2), cell -> 1)).containsExactly(7, 11, 14, 15, 15, 15);
        assertThat(searched(spec(1, 2), cell -> 0)).endsWith(0, 1, 0);
    }

    @Test
    void aLoadThatFallsShortWhenRepeatedMovesTheEstimateDown() throws EngineFormatException {
        TreeMap<Integer, Integer> asked = new TreeMap<>();
        List<Integer> order = searched(spec(1, 3), cell -> {
            int repetition = asked.merge(cell, 1, Integer::sum);
            return cell < 9 || cell == 9 && repetition == 1 ? 1 : 0;
        });
        assertThat(order).containsExactly(7, 11, 8, 9, 10, 9, 6, 7);
    }

    @Test
    void loadsBelowAreRepeatedUntilOneIsShownToBeServed() throws EngineFormatException {
        DeploymentGoal goal = new DeploymentGoal(ServiceObjective.parse("ttft=100ms,share=0.9"), 0);
        List<Integer> order = searched(spec(1, 3).withGoal(goal), cell -> 1 - 0.02 * cell);
        assertThat(order).containsExactly(7, 6, 6, 5, 5, 6, 5, 6, 2, 2, 2, 3, 3, 3, 5, 5);
    }

    @Test
    void candidatesTakeTurnsAndEachHasABorderOfItsOwn() throws EngineFormatException {
        List<Integer> order = searched(spec(2, 1), cell -> cell <= 2 || cell >= 16 && cell <= 30 ? 1 : 0);
        assertThat(order).containsExactly(7, 23, 1, 27, 2, 30, 3, 31);
    }

    @Test
    void aSearchTakesNoMoreRunsThanItsLoadsRepeated() {
        assertThat(List.of(1, 2, 3, 16, 23)).extracting(loads -> new SearchRuns(loads, 2))
                .extracting(SearchRuns::fewest, SearchRuns::most)
                .containsExactly(tuple(2, 2), tuple(3, 4), tuple(4, 6), tuple(6, 12), tuple(6, 12));
        SearchRuns three = new SearchRuns(3, 2);
        assertThat(List.of(three.least(new double[]{10, 1, 1}), three.greatest(new double[]{10, 1, 1})))
                .containsExactly(4.0, 24.0);
    }
}
