package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;

import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.junit.jupiter.api.Test;

class TimelineOverviewTest {
    /// Two lanes; the first computes a prompt for 1 ms and decodes for 3 ms, the second rests.
    private static final TimelineOverview STEPS =
            TimelineOverview.of(
                    RunTimelineRecords
                            .timeline(RunTimelineRecords.run(LaneLayout.sharing(2), List.of(),
                                    List.of(RunTimelineRecords.step(0, 0, 0, MS, 8, 0, 0, 0),
                                            RunTimelineRecords.step(1, 0, MS, 4 * MS, 0, 1, 0, 0)),
                                    List.of())),
                    0, 8 * MS);

    @Test
    void sharesAreOfTheTimeOfAllLanes() {
        assertThat(STEPS.layers()).extracting(TimelineOverview.Layer::ink).containsExactly(TimelineColor.DECODE,
                TimelineColor.PREFILL, TimelineColor.PREFILL, TimelineColor.TRANSFER);
        assertThat(STEPS.share(0, 0, 1)).isEqualTo(3.0 / 16, within(1e-9));
        assertThat(STEPS.share(2, 0, 1)).isEqualTo(1.0 / 16, within(1e-9));
        assertThat(STEPS.share(0, 0.125, 0.5)).isEqualTo(0.5, within(1e-9));
        assertThat(STEPS.share(0, 0.5, 1)).isZero();
    }

    /// A column may be narrower than a part, or begin within one.
    @Test
    void columnsOfAnyWidthAddUp() {
        for (int columns : new int[]{1, 7, 700, 9000}) {
            double sum = 0;
            for (int column = 0; column < columns; column++) {
                sum += STEPS.share(0, (double) column / columns, (column + 1.0) / columns) / columns;
            }
            assertThat(sum).as("%d columns", columns).isEqualTo(3.0 / 16, within(1e-9));
        }
    }

    @Test
    void requestsAreShownWithoutSteps() {
        TimelineSheet sheet =
                new TimelineSheet(
                        List.of(RunTimelineRecords.timeline(RunTimelineRecords.run(LaneLayout.sharing(1),
                                List.of(RunTimelineRecords.request(0, 10 * MS, RequestOutcome.ABSENT,
                                        RequestOutcome.ABSENT, 20 * MS, 30 * MS)),
                                List.of(), List.of()))),
                        List.of("1"));
        TimelineOverview overview = sheet.overviews().getFirst();
        int decode = 0;
        assertThat(overview.layers().get(decode).ink()).isEqualTo(TimelineColor.DECODE);
        assertThat(overview.share(decode, 0, 1)).isPositive();
        assertThat(sheet.filtered(RequestFilter.NONE).overviews()).as("added up once").isSameAs(sheet.overviews());
    }
}
