package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;

import java.util.List;
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
}
