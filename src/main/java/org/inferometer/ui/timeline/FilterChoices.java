package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.scheduling.LaneId;

/// What requests of a sheet can be filtered by, and what a filter hides, in words.
final class FilterChoices {
    private FilterChoices() {}

    /// How requests of the shown runs ended, their lanes where there are several, and slow ones.
    static List<RequestCriterion> criteria(TimelineSheet sheet) {
        TreeSet<String> ends = new TreeSet<>();
        TreeSet<Integer> lanes = new TreeSet<>();
        for (RunTimeline timeline : sheet.panels()) {
            for (int item = 0; item < timeline.requestCount(); item++) {
                ends.add(timeline.request(item).status());
            }
            timeline.lanes().stream().filter(lane -> lane.track().size() > 0).forEach(lane -> lanes.add(lane.index()));
        }
        List<RequestCriterion> criteria = new ArrayList<>();
        ends.forEach(status -> criteria.add(new RequestCriterion.EndedAs(status)));
        if (lanes.size() > 1) {
            lanes.forEach(lane -> criteria.add(new RequestCriterion.OnLane(new LaneId(lane))));
        }
        criteria.add(new RequestCriterion.Slow());
        return criteria;
    }

    static String describe(RequestCriterion criterion) {
        return switch (criterion) {
            case RequestCriterion.EndedAs(String status) -> text("timeline.ended-as", status);
            case RequestCriterion.OnLane(LaneId lane) -> text("timeline.on-lane", lane.index());
            case RequestCriterion.Slow() -> text("timeline.slow");
        };
    }

    /// "12 of 60 requests hidden: only lane 1, without failed"; empty without a filter.
    static String describe(TimelineSheet sheet) {
        String rules = sheet.filter().rules().stream()
                .map(rule -> text(rule.keeps() ? "timeline.only" : "timeline.without", describe(rule.criterion())))
                .collect(Collectors.joining(", "));
        return rules.isEmpty() ? "" : text("timeline.filter-hides", sheet.hiddenRequests(), sheet.allRequests(), rules);
    }
}
