package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;
import static org.inferometer.report.timeline.RunTimelineRecords.SPLIT;

import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.junit.jupiter.api.Test;

class TimelineLegendTest {
    private static TimelineLegend legend(RunRecord run) {
        return TimelineLegend.of(new TimelineSheet(List.of(RunTimelineRecords.timeline(run)), List.of("1")));
    }

    @Test
    void onlyWhatARunHasIsListed() {
        assertThat(legend(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(),
                List.of(RunTimelineRecords.step(0, 0, MS, 2 * MS, 8, 0, 0, 0)), List.of())))
                .isEqualTo(new TimelineLegend(List.of(TimelineColor.PREFILL), "28: tokens in the step", ""));
        assertThat(legend(RunTimelineRecords.run(SPLIT, List.of(),
                List.of(RunTimelineRecords.step(0, 0, MS, 2 * MS, 8, 0, 8, 0),
                        RunTimelineRecords.transfer(1, 2, 2 * MS, 3 * MS, 0)),
                List.of())).inks())
                .containsExactly(TimelineColor.PREFILL, TimelineColor.TRANSFER, TimelineColor.PADDING);
    }

    @Test
    void requestsAndEventsAreListed() {
        assertThat(legend(RunTimelineRecords.small())).isEqualTo(new TimelineLegend(
                List.of(TimelineColor.PREFILL, TimelineColor.DECODE, TimelineColor.TRANSFER, TimelineColor.PADDING,
                        TimelineColor.QUEUED, TimelineColor.PREEMPTED),
                "28: tokens in the step", "▼ preempted   ▲ readmitted   ▶ moved   ● prefix hit   | admitted"));
        assertThat(legend(RunTimelineRecords.run(LaneLayout.sharing(1),
                List.of(RunTimelineRecords.request(0, 10 * MS, RequestOutcome.ABSENT, RequestOutcome.ABSENT, 20 * MS,
                        30 * MS)),
                List.of(), List.of()))).as("of a server")
                .isEqualTo(new TimelineLegend(List.of(TimelineColor.DECODE, TimelineColor.UNSPLIT), "", ""));
    }

    @Test
    void numbersOfMixedStepsAreExplained() {
        assertThat(legend(RunTimelineRecords.run(LaneLayout.sharing(1), List.of(),
                List.of(RunTimelineRecords.step(0, 0, MS, 2 * MS, 8, 3, 0, 0)), List.of())).numbers())
                .isEqualTo("28 + 4: prefill + decode tokens in the step");
    }
}
