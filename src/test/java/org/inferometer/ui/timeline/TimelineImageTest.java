package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.scheduling.LaneId;
import org.junit.jupiter.api.Test;

class TimelineImageTest {
    private static final long MS = 1_000_000;

    @Test
    void footerNamesRunRangeAndRequests() {
        TimelineSheet sheet =
                new TimelineSheet(List.of(RunTimelineRecords.timeline(RunTimelineRecords.small())), List.of("1: tiny"));
        TimeWindow window = new TimeWindow(-8 * MS, 40 * MS + 500_000);
        assertThat(TimelineImage.footer(sheet, window))
                .isEqualTo("1: tiny · −8.0 to 40.5 ms since measuring began · n = 2 requests");
        FilterRule rule = new FilterRule(new RequestCriterion.OnLane(new LaneId(9)), true);
        assertThat(TimelineImage.footer(sheet.filtered(RequestFilter.NONE.with(rule)), window))
                .endsWith("n = 0 of 2 requests");
    }

    @Test
    void pictureHasTwiceThePixelsUpToTheLargestCanvas() {
        assertThat(TimelineImage.scale(908, 500)).isEqualTo(2);
        assertThat(TimelineImage.scale(4096, 500)).isEqualTo(1);
        assertThat(TimelineImage.scale(900, 2048 * 2 - 46)).isEqualTo(1);
    }
}
