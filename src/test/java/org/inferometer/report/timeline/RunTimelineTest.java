package org.inferometer.report.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;
import static org.inferometer.report.timeline.RunTimelineRecords.request;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunMarker;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.record.WindowUse;
import org.inferometer.report.StepListing;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// What a record becomes over time.
class RunTimelineTest {
    private final RunTimeline small = RunTimelineRecords.timeline(RunTimelineRecords.small());

    @Test
    void eachLaneHasARowNamedAfterItsRole() {
        assertThat(small.lanes().stream().map(RunTimeline.LaneRow::label)).containsExactly("lane 0, prefill",
                "lane 1, decode", "lane 2, transfer");
        assertThat(small.lanes().stream().map(lane -> lane.track().size())).containsExactly(3, 3, 1);
    }

    @Test
    void stepHasAllRecordedValues() {
        assertThat(small.step(2)).isEqualTo(new RunTimelineStep(
                new StepReport(2, new LaneId(0), 20 * MS, 28 * MS, 7_200_000, 40_000,
                        StepSlices.of(new RequestId(1), 0, 32), 32, 0, 32, 0, 1, 2, 11, "prefill before decode"),
                "lane 0, prefill", RunTimelineStep.Kind.PREFILL, OptionalInt.of(64)));
        assertThat(small.step(2).paddingShare()).isEqualTo(0.5);
        assertThat(small.step(1).kind()).isEqualTo(RunTimelineStep.Kind.TRANSFER);
        assertThat(small.step(3).kind()).isEqualTo(RunTimelineStep.Kind.DECODE);
    }

    @Test
    void requestStatesHaveNoGaps() {
        assertThat(life(small, 0)).containsExactly("QUEUED 10-12", "PREFILL 12-20", "MOVING 20-22", "DECODE 22-32",
                "PREEMPTED 32-44", "PREFILL 44-60");
        assertThat(life(small, 1)).containsExactly("QUEUED 11-20", "PREFILL 20-28", "DECODE 28-36");
        assertThat(small.request(0).preemptions()).isEqualTo(1);
        assertThat(small.request(0).preemptedNanos()).isEqualTo(12 * MS);
    }

    @Test
    void markersAreEventsInOrder() {
        RunRecord run = RunTimelineRecords.small();
        RunMarker marker = new RunMarker(21 * MS, "other program started");
        RunTimeline timeline = RunTimelineRecords.timeline(new RunRecord(run.folderName(),
                run.manifest().shownBy(new WindowUse("live", null, List.of(), List.of(marker))), run.observations(),
                run.notes()));
        RunTimelineEvent event = RunTimelineEvent.of(marker);
        assertThat(timeline.events().only(RunTimelineEvent.Kind.MARKER).all()).containsExactly(event);
        assertThat(timeline.events().between(21 * MS, 22 * MS)).contains(event);
        assertThat(timeline.events().all()).hasSize(small.events().all().size() + 1);
    }

    @Test
    void requestWithoutReadmissionStaysPreempted() {
        RunTimeline timeline = RunTimelineRecords
                .timeline(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(request(0, 0, MS, MS, 2 * MS, 9 * MS)),
                        List.of(), List.of(new RunEvent.Preempted(3 * MS, new RequestId(0), 7))));
        assertThat(life(timeline, 0)).containsExactly("QUEUED 0-1", "PREFILL 1-2", "DECODE 2-3", "PREEMPTED 3-9");
    }

    @Test
    void unknownAdmissionIsNotAQueue() {
        RunTimeline timeline = RunTimelineRecords.timeline(RunTimelineRecords.run(LaneLayout.sharing(1),
                List.of(request(0, 0, RequestOutcome.ABSENT, RequestOutcome.ABSENT, 4 * MS, 9 * MS)), List.of(),
                List.of()));
        assertThat(life(timeline, 0)).containsExactly("UNSPLIT 0-4", "DECODE 4-9");
    }

    @Test
    void requestsArePackedIntoTheFirstFreeRow() {
        RunTimeline timeline = RunTimelineRecords.timeline(RunTimelineRecords.run(LaneLayout.sharing(1),
                List.of(request(0, 0, 0, 0, 5 * MS), request(1, MS, MS, MS, 3 * MS),
                        request(2, 3 * MS, 3 * MS, 3 * MS, 9 * MS), request(3, 5 * MS, 5 * MS, 5 * MS, 6 * MS)),
                List.of(), List.of()));
        assertThat(List.of(0, 1, 2, 3).stream().map(item -> timeline.request(item).row())).containsExactly(0, 1, 1, 0);
    }

    @Test
    void timesCountFromMeasuring() {
        assertThat(small.originNanos()).isEqualTo(10 * MS);
        assertThat(small.startNanos()).isZero();
        assertThat(small.endNanos()).isEqualTo(60 * MS);
        assertThat(small.phaseName(small.phases().item(1))).isEqualTo("measure");
    }

    /// As figures, charts and the table of steps do.
    @Test
    void firstMeasuredRequestIsTheOrigin() {
        RunRecord late =
                RunTimelineRecords.run(LaneLayout.sharing(1), List.of(request(0, 5 * MS, 6 * MS, 6 * MS, 9 * MS)),
                        List.of(RunTimelineRecords.step(0, 0, 7 * MS, 9 * MS, 0, 1, 0, 0)),
                        List.of(new RunEvent.PhaseStarted(MS, Phase.MEASURE, 1, 0)));
        assertThat(RunTimelineRecords.timeline(late).originNanos()).isEqualTo(5 * MS);
        assertThat(StepListing.of(late, new StepListing.Span(-1000, 1000, 10)).lines().stream()
                .map(StepListing.Line::atMillis)).containsExactly(2.0);
    }

    @Test
    void countersHoldUntilTheNextStep() {
        assertThat(small.counters().stream().map(RunTimelineCounter::name)).containsExactly("running", "waiting",
                "KV blocks, pool 0", "KV blocks, pool 1", "send lateness");
        RunTimelineCounter pool = small.counters().get(3);
        assertThat(pool.kind().capacity()).isEqualTo(64);
        assertThat(pool.value(pool.at(21 * MS))).isEqualTo(2);
        assertThat(pool.value(pool.at(25 * MS))).isEqualTo(11);
        assertThat(pool.at(MS)).isEqualTo(-1);
    }

    @Test
    void runWithoutStepsShowsServerGauges() {
        List<RequestOutcome> requests =
                List.of(request(0, 0, RequestOutcome.ABSENT, RequestOutcome.ABSENT, 4 * MS, 9 * MS));
        assertThat(RunTimelineRecords
                .timeline(RunTimelineRecords.run(LaneLayout.sharing(1), requests, List.of(), List.of())).counters()
                .stream().map(RunTimelineCounter::name)).containsExactly("send lateness");
        List<RunTimelineCounter> gauges =
                RunTimelineRecords.timeline(RunTimelineRecords.run(LaneLayout.sharing(1), requests, List.of(),
                        List.of(new RunEvent.Gauge(6 * MS, "vllm:num_requests_running", 2),
                                new RunEvent.Gauge(6 * MS, "vllm:num_requests_waiting", Double.NaN),
                                new RunEvent.Gauge(3 * MS, "vllm:num_requests_running", 3),
                                new RunEvent.Gauge(6 * MS, "vllm:kv_cache_usage_perc", 0.5))))
                        .counters();
        assertThat(gauges.stream().map(RunTimelineCounter::name)).containsExactly("server running", "send lateness");
        assertThat(gauges.getFirst().peak()).isEqualTo(3);
        assertThat(gauges.getFirst().value(gauges.getFirst().at(6 * MS))).isEqualTo(2);
    }

    @Test
    void readingsOfReplicasAndGpusAddUpAndUseIsTheirMean() {
        List<RunEvent> readings = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            readings.add(new RunEvent.Gauge(6 * MS, "vllm:num_requests_running{engine=" + i + "}", 2 + i));
            readings.add(new RunEvent.Gauge(6 * MS, "gpu:power_watts{gpu=" + i + "}", 100.5 + i));
            readings.add(new RunEvent.Gauge(6 * MS, "gpu:use_percent{gpu=" + i + "}", 50 * i));
            readings.add(new RunEvent.Gauge(6 * MS, "gpu:memory_bytes{gpu=" + i + "}", 1 << 20));
            readings.add(new RunEvent.Gauge(6 * MS, "gpu:energy_joules{gpu=" + i + "}", 7));
        }
        assertThat(RunTimelineRecords
                .timeline(RunTimelineRecords.run(LaneLayout.sharing(1),
                        List.of(request(0, 0, RequestOutcome.ABSENT, RequestOutcome.ABSENT, 4 * MS, 9 * MS)), List.of(),
                        readings))
                .counters().stream().map(counter -> counter.name() + " " + counter.kind().unit().text(counter.peak())))
                .containsExactly("server running 5", "server GPU power 202 W", "server GPU use 25.0 %",
                        "server GPU memory 2.00 MiB", "send lateness 0 µs");
    }

    @Test
    void eventsHaveTexts() {
        assertThat(small.events().all().stream()
                .map(event -> event.kind().label() + "|" + event.request() + "|" + event.text()))
                .containsExactly("phase|-1|warm-up, 1 requests", "phase|-1|measure, 2 requests", "admitted|0|lane 0",
                        "prefix hit|1|16 tokens cached, lane 0",
                        "moved|0|pool 0 to pool 1: 32 tokens, 64.0 KiB in 2.00 ms", "preempted|0|33 tokens lost",
                        "readmitted|0|lane 0");
        assertThat(small.events().between(20 * MS, 32 * MS)).hasSize(2);
    }

    @Test
    void tokensAreCountedInsideAWindowEndsIncluded() {
        assertThat(small.tokensBetween(20 * MS, 36 * MS)).isEqualTo(4);
        assertThat(small.tokensBetween(20 * MS + 1, 36 * MS - 1)).isEqualTo(2);
    }

    @Test
    void aStepKnowsItsRequests() {
        assertThat(small.stepHolds(3, 0)).isTrue();
        assertThat(small.stepHolds(3, 1)).isFalse();
        assertThat(small.requestItem(1)).hasValue(1);
        assertThat(small.requestItem(7)).isEmpty();
    }

    @Test
    void anEmptyRecordHasATimelineToo() {
        RunTimeline empty = RunTimelineRecords
                .timeline(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(), List.of(), List.of()));
        assertThat(empty.endNanos()).isGreaterThan(empty.startNanos());
        assertThat(empty.lanes()).hasSize(1);
        assertThat(empty.requestRows()).isEmpty();
    }

    @Test
    void progressRisesAndItsListenerCanEndTheWork() {
        List<Double> shares = new ArrayList<>();
        RunTimeline.of(RunTimelineRecords.small(), shares::add);
        assertThat(shares).isSorted().startsWith(0.0).endsWith(1.0);
        assertThatThrownBy(() -> RunTimeline.of(RunTimelineRecords.small(), share -> {
            if (share >= 0.4) {
                throw new CancellationException();
            }
        })).isInstanceOf(CancellationException.class);
    }

    private static List<String> life(RunTimeline timeline, int item) {
        RunTimelineTrack row = timeline.requestRows().get(timeline.request(item).row());
        List<String> life = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            if (row.item(i) == item) {
                life.add(State.values()[row.kind(i)] + " " + row.start(i) / MS + "-" + row.end(i) / MS);
            }
        }
        return life;
    }
}
