package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javafx.scene.control.MenuItem;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunMarker;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.WindowUse;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.results.bundle.SavedLook.RequestRule;
import org.inferometer.results.bundle.SavedLook.TimelineLook;
import org.inferometer.scheduling.LaneId;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.timeline.FilterMenu.FilterChoices;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.inferometer.ui.timeline.TimelineViewModel.LoadState;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.SampledRuns;
import org.junit.jupiter.api.Test;

class TimelineViewModelTest {
    private static final long MS = RunTimelineRecords.MS;
    private final TimelineViewModel timeline = new TimelineViewModel(new InlineUi().work());

    private static ExperimentRecord experiment(RunRecord... runs) {
        ExperimentManifest manifest =
                Experiments.manifest("made", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH);
        return new ExperimentRecord(Path.of("made"), manifest, List.of(runs), List.of());
    }

    @Test
    void rangeFilterAndRowsAreBroughtBack() {
        TimelineState state = new TimelineState(timeline);
        assertThat(state.look()).isEqualTo(TimelineLook.NONE);
        ExperimentRecord record = experiment(RunTimelineRecords.small(), RunTimelineRecords.small());
        TimelineLook look = new TimelineLook(1, List.of(new RequestRule("lane", "1", true),
                new RequestRule("status", "failed", false), new RequestRule("slow", "", false)), List.of("weights"),
                true);
        TimeWindow window = new TimeWindow(2 * MS, 9 * MS);
        state.open(record, 0, window, look);
        assertThat(timeline.visible().window().get()).isEqualTo(window);
        assertThat(state.look()).isEqualTo(look);
        assertThat(timeline.sheet().get().panels()).hasSize(2);
        timeline.open(record, 1);
        assertThat(state.look().rules()).isEmpty();
        state.open(record, 99, window,
                new TimelineLook(-4,
                        List.of(new RequestRule("lane", "99999999999", true), new RequestRule("colour", "", true)),
                        List.of("none"), false));
        assertThat(state.look()).isEqualTo(TimelineLook.NONE);
        assertThat(timeline.visible().window().get()).isEqualTo(window);
    }

    @Test
    void nothingIsShownBeforeARunIsChosen() {
        assertThat(timeline.stage().get()).isEqualTo(LoadState.EMPTY);
        timeline.visible().showAll();
        timeline.stepBy(1);
        timeline.visible().zoom(0.5);
        assertThat(timeline.marks().details().get()).isEqualTo(TimelineDetails.NONE);
    }

    @Test
    void openingShowsTheWholeRunFromWhereMeasuringBegan() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        assertThat(timeline.stage().get()).isEqualTo(LoadState.READY);
        assertThat(timeline.visible().window().get().from()).isBetween(-2 * MS, 0L);
        assertThat(timeline.visible().window().get().to()).isGreaterThanOrEqualTo(50 * MS);
        timeline.visible().showAll();
        assertThat(timeline.visible().window().get().from()).isLessThan(-10 * MS);
    }

    @Test
    void anExperimentWithoutRunsSaysSo() {
        timeline.open(experiment(), 0);
        assertThat(timeline.stage().get()).isEqualTo(LoadState.EMPTY);
        assertThat(timeline.problem().get()).isEqualTo("made has no recorded run.");
    }

    @Test
    void whatNobodyCountedHasNoRowOfZeros() {
        RunRecord whole = RunTimelineRecords.small();
        timeline.open(experiment(whole), 0);
        assertThat(timeline.sheet().get().rows()).filteredOn(row -> row.kind() == TimelineSheet.SheetRowKind.COUNTER)
                .extracting(TimelineSheet.SheetRow::label).startsWith("running", "waiting");
        RunObservations seen = whole.observations();
        timeline.open(
                experiment(new RunRecord(whole.folderName(), whole.manifest(),
                        new RunObservations(seen.requests(), List.of(), seen.telemetry(), seen.setup()), List.of())),
                0);
        assertThat(timeline.stage().get()).isEqualTo(LoadState.READY);
        assertThat(timeline.sheet().get().rows()).filteredOn(row -> row.kind() == TimelineSheet.SheetRowKind.COUNTER)
                .extracting(TimelineSheet.SheetRow::label).containsExactly("send lateness");
    }

    @Test
    void keysGoFromStepToStepAndFromLaneToLane() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        List<String> heard = new ArrayList<>();
        timeline.marks().details().addListener((observed, before, now) -> heard.add(now.title()));
        timeline.stepBy(1);
        timeline.stepBy(1);
        timeline.stepBy(1);
        timeline.stepBy(1);
        assertThat(heard.stream().distinct()).containsExactly("Step 0", "Step 2", "Step 5");
        timeline.stepBy(-1);
        timeline.laneBy(1);
        assertThat(timeline.marks().details().get().title()).isEqualTo("Step 3");
        timeline.laneBy(1);
        assertThat(timeline.marks().details().get().title()).isEqualTo("Step 1");
        timeline.laneBy(1);
        assertThat(timeline.marks().details().get().title()).isEqualTo("Step 1");
        timeline.laneBy(-1);
        assertThat(timeline.marks().details().get().title()).startsWith("Step 3");
    }

    @Test
    void aStepOutOfViewIsBroughtIntoIt() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.visible().look(new TimeWindow(2 * MS, 3 * MS));
        timeline.stepBy(1);
        timeline.stepBy(1);
        timeline.stepBy(1);
        assertThat(timeline.visible().window().get().from()).isLessThanOrEqualTo(34 * MS);
        assertThat(timeline.visible().window().get().to()).isGreaterThanOrEqualTo(40 * MS);
    }

    @Test
    void aStepTellsWhatItDidAndWhy() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.marks().pin(new TimelineMark.OfStep(0, 0, 1));
        assertThat(timeline.marks().details().get()).isEqualTo(new TimelineDetails("Step 2", "prefill before decode",
                List.of(new TimelineDetails.DetailLine("Lane", "lane 0, prefill"),
                        new TimelineDetails.DetailLine("Work", "prefill"),
                        new TimelineDetails.DetailLine("Start", "10.000 ms"),
                        new TimelineDetails.DetailLine("Duration", "8.00 ms"),
                        new TimelineDetails.DetailLine("Kernel time", "7.20 ms (90.0 %)"),
                        new TimelineDetails.DetailLine("Requests", "1"),
                        new TimelineDetails.DetailLine("Prefill tokens", "32"),
                        new TimelineDetails.DetailLine("Decode tokens", "0"),
                        new TimelineDetails.DetailLine("Padding", "32 (50.0 %)"),
                        new TimelineDetails.DetailLine("Scheduling time", "40.0 µs"),
                        new TimelineDetails.DetailLine("KV blocks held", "11 of 64 (17.2 %)"),
                        new TimelineDetails.DetailLine("Waiting / running", "2 / 1"),
                        new TimelineDetails.DetailLine("Request ids (tokens)", "1 (32)"))));
    }

    @Test
    void requestsOfOnePositionEachAreNamedByTheirNumbersAlone() {
        timeline.open(experiment(RunTimelineRecords.large(30, 2, 3)), 0);
        timeline.stepBy(1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TimelineDetails.DetailLine last = timeline.marks().details().get().lines().getLast();
            names.add(last.value().contains("(") ? last.name() : "alone: " + last.name());
            timeline.stepBy(1);
        }
        assertThat(names).containsOnly("alone: Request ids", "Request ids (tokens)");
    }

    @Test
    void aRequestTellsItsTimesAndItsPreemption() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.showRequest(0, 0);
        assertThat(timeline.marks().details().get().describe()).contains("Request 0", "Queued: 2.00 ms",
                "TTFT: 10.0 ms", "Preempted: 1 ×, 12.0 ms in total", "End to end: 50.0 ms");
        assertThat(timeline.visible().window().get().from()).isLessThanOrEqualTo(0);
        assertThat(timeline.visible().window().get().to()).isGreaterThanOrEqualTo(50 * MS);
    }

    @Test
    void aStretchIsMeasuredInTimeAndTokens() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.marks().measure(new TimeWindow(10 * MS, 30 * MS));
        assertThat(timeline.marks().details().get().lines()).contains(
                new TimelineDetails.DetailLine("Duration", "20.0 ms"),
                new TimelineDetails.DetailLine("Output tokens", "4"),
                new TimelineDetails.DetailLine("Throughput", "200 tok/s"));
        timeline.marks().release();
        assertThat(timeline.marks().details().get()).isEqualTo(TimelineDetails.NONE);
    }

    @Test
    void whatIsPinnedStaysWhileThePointerMovesOn() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.marks().hover(new TimelineMark.OfRequest(0, 1));
        assertThat(timeline.marks().details().get().title()).isEqualTo("Request 1");
        timeline.marks().pin(new TimelineMark.OfStep(0, 1, 0));
        timeline.marks().hover(new TimelineMark.OfRequest(0, 0));
        assertThat(timeline.marks().details().get().title()).isEqualTo("Step 3");
    }

    @Test
    void zoomKeepsThePinnedStepInView() {
        timeline.open(experiment(RunTimelineRecords.large(30, 2, 3)), 0);
        timeline.stepBy(1);
        TimeWindow step = timeline.sheet().get().extent((TimelineMark.OfStep) timeline.marks().shown());
        for (int press = 0; press < 8; press++) {
            timeline.visible().zoom(0.5);
        }
        long middle = (step.from() + step.to()) / 2;
        assertThat(timeline.visible().window().get().contains(middle)).isTrue();
        timeline.marks().release();
        timeline.visible().showAll();
        timeline.visible().zoom(0.5);
        TimeWindow all = timeline.sheet().get().all();
        assertThat(timeline.visible().window().get().contains((all.from() + all.to()) / 2)).isTrue();
    }

    @Test
    void twoRunsLieOverEachOtherWhereMeasuringBegan() {
        timeline.open(experiment(RunTimelineRecords.small(), RunTimelineRecords.large(30, 2, 3)), 0);
        timeline.visible().zoom(0.5);
        TimeWindow before = timeline.visible().window().get();
        timeline.compared().set(timeline.runs().get(1));
        TimelineSheet sheet = timeline.sheet().get();
        assertThat(sheet.panels()).hasSize(2);
        assertThat(sheet.sheetNanos(0, 10 * MS)).isZero();
        assertThat(sheet.sheetNanos(1, 0)).isZero();
        assertThat(timeline.visible().window().get()).isEqualTo(before);
        assertThat(sheet.rows().stream().filter(row -> row.kind() == TimelineSheet.SheetRowKind.LANE)
                .map(TimelineSheet.SheetRow::panel)).containsExactly(0, 0, 0, 1, 1);
        assertThat(sheet.rows().getLast().kind()).isEqualTo(TimelineSheet.SheetRowKind.REQUESTS);
        assertThat(sheet.rowOf(new TimelineMark.OfRequest(0, 1)))
                .hasValueSatisfying(row -> assertThat(row.index()).isEqualTo(1));
    }

    @Test
    void whereTwoRunsAreShownTheDetailsSayOfWhichTheyTell() {
        timeline.open(experiment(RunTimelineRecords.small(), RunTimelineRecords.large(30, 2, 3)), 0);
        timeline.compared().set(timeline.runs().get(1));
        timeline.marks().pin(new TimelineMark.OfStep(1, 0, 0));
        assertThat(timeline.marks().details().get().lines())
                .startsWith(new TimelineDetails.DetailLine("Run", timeline.runs().get(1).label()));
        timeline.marks().pin(new TimelineMark.OfRequest(0, 1));
        assertThat(timeline.marks().details().get().lines())
                .startsWith(new TimelineDetails.DetailLine("Run", timeline.runs().get(0).label()));
        timeline.compared().set(null);
        timeline.marks().pin(new TimelineMark.OfRequest(0, 1));
        assertThat(timeline.marks().details().get().lines()).extracting(TimelineDetails.DetailLine::name)
                .doesNotContain("Run");
    }

    @Test
    void phasesAreWalkedByBrackets() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.visible().nextPhase(-1);
        assertThat(timeline.visible().window().get()).isEqualTo(new TimeWindow(-10 * MS, 0));
        timeline.visible().nextPhase(1);
        assertThat(timeline.visible().window().get()).isEqualTo(new TimeWindow(0, 50 * MS));
        timeline.visible().nextPhase(1);
        assertThat(timeline.visible().window().get()).isEqualTo(new TimeWindow(0, 50 * MS));
    }

    @Test
    void cancellingEndsTheBuildingAndALateTimelineIsNotShown() {
        Deque<Runnable> background = new ArrayDeque<>();
        TimelineViewModel slow = new TimelineViewModel(new BackgroundWork(background::add, new InlineUi()));
        slow.open(experiment(RunTimelineRecords.small()), 0);
        assertThat(slow.stage().get()).isEqualTo(LoadState.BUILDING);
        slow.cancel();
        assertThat(slow.stage().get()).isEqualTo(LoadState.EMPTY);
        background.forEach(Runnable::run);
        assertThat(slow.stage().get()).isEqualTo(LoadState.EMPTY);
        assertThat(slow.sheet().get()).isNull();
        assertThat(slow.runs()).hasSize(1);
    }

    @Test
    void awaitedRequestIsPinnedOnceItsRunIsBuilt() {
        List<Runnable> background = new ArrayList<>();
        TimelineViewModel slow = new TimelineViewModel(new BackgroundWork(background::add, new InlineUi()));
        ExperimentRecord record = experiment(RunTimelineRecords.large(10, 1, 1), RunTimelineRecords.small());
        slow.open(record, 1, 0);
        assertThat(slow.marks().pinned().get()).isNull();
        background.forEach(Runnable::run);
        assertThat(slow.marks().details().get().title()).isEqualTo("Request 0");
        slow.open(record, 1, 1);
        assertThat(slow.marks().details().get().title()).isEqualTo("Request 1");
        assertThat(slow.run().get()).isEqualTo(slow.runs().get(1));
    }

    @Test
    void menuOfAStepFiltersAndShowsItsRequests() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        assertThat(FilterMenu.ofMark(timeline)).isEmpty();
        timeline.marks().pin(new TimelineMark.OfStep(0, 1, 0));
        List<MenuItem> items = FilterMenu.ofMark(timeline);
        assertThat(items).extracting(MenuItem::getText).containsExactly("Show request 0", "Filter in: lane 1",
                "Filter out: lane 1", null);
        items.getFirst().fire();
        assertThat(timeline.marks().details().get().title()).isEqualTo("Request 0");
        assertThat(FilterMenu.ofMark(timeline)).extracting(MenuItem::getText).containsExactly("Filter in: ended: ok",
                "Filter out: ended: ok", null);
        FilterMenu.ofMark(timeline).get(1).fire();
        assertThat(timeline.sheet().get().hiddenRequests()).isEqualTo(2);
    }

    @Test
    void theSecondOfTwoQuickChoicesWins() {
        Deque<Runnable> background = new ArrayDeque<>();
        TimelineViewModel slow = new TimelineViewModel(new BackgroundWork(background::add, new InlineUi()));
        RunRecord second = RunTimelineRecords.large(10, 1, 1);
        slow.open(experiment(RunTimelineRecords.small(), second), 0);
        slow.run().set(slow.runs().get(1));
        background.forEach(Runnable::run);
        assertThat(slow.sheet().get().panels().getFirst().run()).isSameAs(second);
    }

    @Test
    void thePointerFindsStepsAndRequestsEvenWhereTheyAreThin() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        TimelineSheet sheet = timeline.sheet().get();
        TimelineSheet.SheetRow lane =
                sheet.rows().stream().filter(row -> row.label().startsWith("lane 1")).findFirst().orElseThrow();
        double middle = lane.top() + lane.height() / 2;
        assertThat(sheet.markAt(middle, 13 * MS, 1)).contains(new TimelineMark.OfStep(0, 1, 0));
        assertThat(sheet.markAt(middle, 33 * MS, 1)).isEmpty();
        assertThat(sheet.markAt(middle, 33 * MS, 4.0 * MS)).contains(new TimelineMark.OfStep(0, 1, 1));
        TimelineSheet.SheetRow requests = sheet.rows().stream()
                .filter(row -> row.kind() == TimelineSheet.SheetRowKind.REQUESTS).findFirst().orElseThrow();
        assertThat(sheet.markAt(requests.top() + 2, 5 * MS, 1)).contains(new TimelineMark.OfRequest(0, 0));
        assertThat(sheet.markAt(sheet.height() + 50, 5 * MS, 1)).isEmpty();
    }

    @Test
    void aRunWithMarkersHasARowOfThem() {
        RunRecord whole = RunTimelineRecords.small();
        timeline.open(experiment(whole), 0);
        assertThat(timeline.sheet().get().rows()).noneMatch(row -> row.kind() == TimelineSheet.SheetRowKind.MARKERS);
        WindowUse use = new WindowUse("live", null, List.of(), List.of(new RunMarker(21 * MS, "Marker 1")));
        timeline.open(experiment(
                new RunRecord(whole.folderName(), whole.manifest().shownBy(use), whole.observations(), whole.notes())),
                0);
        assertThat(timeline.sheet().get().rows()).filteredOn(row -> row.kind() == TimelineSheet.SheetRowKind.MARKERS)
                .hasSize(1);
    }

    @Test
    void aRunWithoutStepsHasNoEmptyLanesAndSaysWhatIsNotKept() {
        RunRecord whole = RunTimelineRecords.small();
        timeline.open(experiment(whole), 0);
        assertThat(timeline.note().get()).isEmpty();
        RunObservations seen = whole.observations();
        RunRecord imported = new RunRecord(whole.folderName(), whole.manifest(),
                new RunObservations(seen.requests(), List.of(), List.of(), seen.setup()), List.of());
        timeline.open(experiment(imported), 0);
        assertThat(timeline.stage().get()).isEqualTo(LoadState.READY);
        assertThat(timeline.sheet().get().rows()).extracting(TimelineSheet.SheetRow::kind)
                .doesNotContain(TimelineSheet.SheetRowKind.LANE, TimelineSheet.SheetRowKind.PHASES)
                .contains(TimelineSheet.SheetRowKind.REQUESTS);
        assertThat(timeline.note().get()).startsWith("This result has no steps");
        timeline.stepBy(1);
        timeline.laneBy(1);
        assertThat(timeline.marks().details().get()).isEqualTo(TimelineDetails.NONE);
    }

    @Test
    void filterSaysWhatItHidesAndGoesBack() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.marks().pin(new TimelineMark.OfRequest(0, 0));
        timeline.filter(RequestFilter.NONE.with(new FilterRule(new RequestCriterion.EndedAs("ok"), false)));
        TimelineSheet none = timeline.sheet().get();
        assertThat(FilterChoices.describe(none)).isEqualTo("2 of 2 requests hidden: without ended: ok");
        assertThat(none.rows()).noneMatch(row -> row.kind() == TimelineSheet.SheetRowKind.REQUESTS);
        assertThat(timeline.marks().pinned().get()).isNull();
        timeline.filter(RequestFilter.NONE.with(new FilterRule(new RequestCriterion.OnLane(new LaneId(1)), true)));
        assertThat(FilterChoices.describe(timeline.sheet().get())).isEqualTo("0 of 2 requests hidden: only lane 1");
        timeline.filter(RequestFilter.NONE);
        assertThat(FilterChoices.describe(timeline.sheet().get())).isEmpty();
        assertThat(timeline.sheet().get().rows()).anyMatch(row -> row.kind() == TimelineSheet.SheetRowKind.REQUESTS);
    }

    @Test
    void hiddenRequestThatIsWantedEndsTheFilter() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        timeline.filter(RequestFilter.NONE.with(new FilterRule(new RequestCriterion.EndedAs("ok"), false)));
        timeline.showRequest(0, 1);
        assertThat(timeline.marks().details().get().title()).isEqualTo("Request 1");
        assertThat(timeline.sheet().get().hiddenRequests()).isZero();
    }

    @Test
    void filterOffersTheEndsAndLanesThatOccur() {
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        assertThat(FilterChoices.criteria(timeline.sheet().get())).containsExactly(new RequestCriterion.EndedAs("ok"),
                new RequestCriterion.OnLane(new LaneId(0)), new RequestCriterion.OnLane(new LaneId(1)),
                new RequestCriterion.OnLane(new LaneId(2)), new RequestCriterion.Slow());
    }

    @Test
    void detailsOfMemoryFollowWhatIsHidden() {
        timeline.open(experiment(SampledRuns.of(RunTimelineRecords.small())), 0);
        timeline.marks().pin(new TimelineMark.OfValue(0, TimelineSheet.SheetRowKind.MEMORY, 0, 20 * MS));
        assertThat(timeline.marks().details().get().lines()).extracting(TimelineDetails.DetailLine::name)
                .contains("Java runtime (hidden)", "Unattributed (hidden)");
        timeline.display().set(TimelineDisplay.ALL);
        assertThat(timeline.marks().details().get().lines()).extracting(TimelineDetails.DetailLine::name)
                .contains("Java runtime", "Unattributed");
        timeline.open(experiment(RunTimelineRecords.small()), 0);
        assertThat(timeline.display().get()).isEqualTo(TimelineDisplay.ALL);
    }

    @Test
    void aRunOfWhichOnlyFiguresAreKeptSaysThatThereIsNothingToShow() {
        RunRecord whole = RunTimelineRecords.small();
        RunRecord summed = new RunRecord(whole.folderName(), whole.manifest(),
                new RunObservations(List.of(), List.of(), List.of(), whole.observations().setup()), List.of());
        timeline.open(experiment(summed), 0);
        assertThat(timeline.stage().get()).isEqualTo(LoadState.EMPTY);
        assertThat(timeline.problem().get()).startsWith("This result has neither steps nor request times.");
        assertThat(timeline.run().get()).isNotNull();
        timeline.open(experiment(whole), 0);
        assertThat(timeline.stage().get()).isEqualTo(LoadState.READY);
        assertThat(timeline.problem().get()).isEmpty();
    }
}
