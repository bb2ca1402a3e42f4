package org.inferometer.report.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;
import static org.inferometer.report.timeline.RunTimelineRecords.request;
import static org.inferometer.report.timeline.RunTimelineRecords.step;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class RequestFilterTest {
    private static final FilterRule NOT_FAILED = new FilterRule(new RequestCriterion.EndedAs("failed"), false);
    private static final FilterRule ON_LANE_1 = new FilterRule(new RequestCriterion.OnLane(new LaneId(1)), true);
    private static final FilterRule SLOW = new FilterRule(new RequestCriterion.Slow(), true);

    /// Forty requests that take 1 to 40 ms, then one that failed; lane 1 worked on requests 3 and 39.
    private final RunTimeline timeline = timeline();

    private static RunTimeline timeline() {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            requests.add(request(i, 10 * i * MS, 10 * i * MS, 10 * i * MS, (10 * i + i + 1) * MS));
        }
        requests.add(new RequestOutcome(new RequestId(40), false, 8, 4, 500 * MS, 500 * MS, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 900 * MS, RequestStatus.FAILED, "no answer", new long[0]));
        return RunTimelineRecords.timeline(RunTimelineRecords.run(LaneLayout.sharing(2), requests,
                List.of(step(0, 0, 0, MS, 32, 0, 0, 0), step(1, 1, 30 * MS, 31 * MS, 0, 2, 0, 3, 39)), List.of()));
    }

    private static BitSet items(int... items) {
        BitSet set = new BitSet();
        IntStream.of(items).forEach(set::set);
        return set;
    }

    @Test
    void slowIsAboveTheNinetyFifthPercentile() {
        assertThat(RequestFilter.NONE.with(SLOW).shown(timeline)).isEqualTo(items(38, 39));
        assertThat(RequestFilter.NONE.with(new FilterRule(SLOW.criterion(), false)).hidden(timeline)).isEqualTo(2);
    }

    @Test
    void failedRequestsAreHiddenAndOnesOfALaneShown() {
        assertThat(RequestFilter.NONE.with(NOT_FAILED).hidden(timeline)).isEqualTo(1);
        assertThat(RequestFilter.NONE.with(ON_LANE_1).shown(timeline)).isEqualTo(items(3, 39));
        assertThat(RequestFilter.NONE.with(ON_LANE_1).with(SLOW).shown(timeline)).isEqualTo(items(39));
    }

    @Test
    void rowsKeepOnlyShownRequests() {
        List<RunTimelineTrack> rows = RequestFilter.NONE.with(ON_LANE_1).rows(timeline);
        assertThat(rows).hasSameSizeAs(timeline.requestRows());
        assertThat(rows.stream().flatMapToInt(row -> IntStream.range(0, row.size()).map(row::item)).distinct())
                .containsExactly(3, 39);
        assertThat(RequestFilter.NONE.rows(timeline)).isSameAs(timeline.requestRows());
    }

    @Test
    void ruleForTheSameCriterionIsReplaced() {
        FilterRule failedOnly = new FilterRule(NOT_FAILED.criterion(), true);
        assertThat(RequestFilter.NONE.with(NOT_FAILED).with(failedOnly).rules()).containsExactly(failedOnly);
    }
}
