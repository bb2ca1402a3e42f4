package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;

import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// What stands beside the timeline.
class TimelineDetailsTest {
    @Test
    void aMeasuredRangeNamesRunsByTheirNumbers() {
        RunTimeline run = RunTimelineRecords.timeline(RunTimelineRecords.small());
        TimelineSheet sheet = new TimelineSheet(List.of(run, run), List.of("6: disaggregated", "1: naive"));
        assertThat(TimelineDetails.ofStretch(sheet, new TimeWindow(10_000_000, 30_000_000)).lines())
                .extracting(TimelineDetails.DetailLine::name)
                .endsWith("Output tokens (run 6)", "Throughput (run 6)", "Output tokens (run 1)", "Throughput (run 1)");
    }

    @Test
    void latenciesOfARequestCountFromWhenItWasToBeSentAsInAllTables() {
        assertThat(details(RequestStatus.OK).lines()).contains(new TimelineDetails.DetailLine("TTFT", "100 ms"),
                new TimelineDetails.DetailLine("End to end", "500 ms"),
                new TimelineDetails.DetailLine("Sent to end", "480 ms"));
    }

    @Test
    void aRequestThatFailedHasNoLatencyFromEndToEnd() {
        assertThat(details(RequestStatus.FAILED).lines())
                .contains(new TimelineDetails.DetailLine("Sent to end", "480 ms"))
                .noneMatch(line -> line.name().equals("End to end"));
    }

    /// To be sent at 0, sent at 40 ms, tokens at 100 and 500 ms, ended at 520 ms.
    private static TimelineDetails details(RequestStatus status) {
        RequestOutcome request = new RequestOutcome(new RequestId(0), false, 32, 2, 0, 40 * MS, 41 * MS, 42 * MS,
                520 * MS, status, "", new long[]{100 * MS, 500 * MS});
        RunTimeline timeline = RunTimelineRecords
                .timeline(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(request), List.of(), List.of()));
        return TimelineDetails.ofRequest(timeline, timeline.request(0));
    }
}
