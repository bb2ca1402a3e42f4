package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;

import java.util.List;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunRecord;
import org.inferometer.record.TokenSource;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// What distributions are drawn of.
class LatencySamplesTest {
    @Test
    void wholeAnswerHasOnlyAnEnd() {
        RequestOutcome whole = new RequestOutcome(new RequestId(0), false, 32, 8, 0, 0, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 200 * MS, RequestStatus.OK, "", new long[0], 8, TokenSource.SERVER_USAGE);
        RequestOutcome streamed = RunTimelineRecords.request(1, 0, 0, 0, 30 * MS, 70 * MS);
        List<RunRecord> runs =
                List.of(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(whole, streamed), List.of(), List.of()));
        assertThat(LatencySamples.E2E.of(runs)).containsExactly(70 * MS, 200 * MS);
        assertThat(LatencySamples.TTFT.of(runs)).containsExactly(30 * MS);
        assertThat(LatencySamples.ITL.of(runs)).containsExactly(40 * MS);
        assertThat(LatencySamples.INTER_CHUNK.of(runs)).isEmpty();
    }

    /// Three users were answered at 40, 60 and 80 ms, one left at 50 ms; another left after its first token at 30 ms.
    @Test
    void whoGaveUpWaitedAtLeastSoLong() {
        List<RequestOutcome> requests = List.of(RunTimelineRecords.request(0, 0, 0, 0, 20 * MS, 40 * MS),
                RunTimelineRecords.request(1, 0, 0, 0, 20 * MS, 60 * MS),
                RunTimelineRecords.request(2, 0, 0, 0, 20 * MS, 80 * MS), gaveUp(3, 50 * MS),
                gaveUp(4, 55 * MS, 30 * MS));
        List<RunRecord> runs = List.of(RunTimelineRecords.run(LaneLayout.sharing(1), requests, List.of(), List.of()));
        assertThat(LatencySamples.TTFT.of(runs)).containsExactly(20 * MS, 20 * MS, 20 * MS, 30 * MS);
        assertThat(LatencySamples.TTFT.atLeast(runs)).containsExactly(50 * MS);
        assertThat(LatencySamples.E2E.atLeast(runs)).containsExactly(50 * MS, 55 * MS);
        assertThat(LatencySamples.ITL.atLeast(runs)).isEmpty();

        ChartData chart = new LatencyCurves(LatencySamples.TTFT,
                List.of(new LatencyCurves.Curve("naive", ChartData.SeriesStyle.solid(0), LatencySamples.TTFT.of(runs),
                        runs)),
                new ObjectiveGuides(ServiceObjective.NONE), List.of()).chart("ttft-ecdf", "").orElseThrow();
        assertThat(chart.footer())
                .isEqualTo("n = 5 requests of all runs, 1 given up: at least what they waited (Kaplan and Meier)");
        assertThat(((ChartData.Marks.Lines) chart.marks()).lines().getFirst().y()).usingComparatorWithPrecision(1e-9)
                .containsExactly(0, 20, 40, 60, 80);
    }

    private static RequestOutcome gaveUp(int id, long end, long... events) {
        return new RequestOutcome(new RequestId(id), false, 32, 8, 0, 0, RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                end, RequestStatus.GAVE_UP, "", events, events.length, TokenSource.SERVER_USAGE);
    }
}
