package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.scheduling.LaneId;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.timeline.FilterMenu.FilterChoices;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;

/// The items of the context menu that depend on the mark: its requests, and filters by what it is.
final class MarkMenu {
    private static final int MOST_REQUESTS = 32;

    private MarkMenu() {}

    /// The items of the pinned or hovered mark; none without one.
    static List<MenuItem> of(TimelineViewModel model) {
        TimelineSheet sheet = model.sheet().get();
        TimelineMark mark = model.marks().shown();
        if (sheet == null || mark == null) {
            return List.of();
        }
        List<MenuItem> items = new ArrayList<>();
        requests(model, sheet, mark).ifPresent(items::add);
        criterion(sheet, mark).ifPresent(criterion -> {
            String name = FilterChoices.describe(criterion);
            items.add(Buttons.item("timeline-mark-filter-in", text("timeline.filter-in-by", name),
                    () -> model.filter(sheet.filter().with(new FilterRule(criterion, true)))));
            items.add(Buttons.item("timeline-mark-filter-out", text("timeline.filter-out-by", name),
                    () -> model.filter(sheet.filter().with(new FilterRule(criterion, false)))));
        });
        if (!items.isEmpty()) {
            items.add(new SeparatorMenuItem());
        }
        return items;
    }

    /// The requests of a step.
    private static Optional<MenuItem> requests(TimelineViewModel model, TimelineSheet sheet, TimelineMark mark) {
        if (!(mark instanceof TimelineMark.OfStep(int panel, int lane, int span))) {
            return Optional.empty();
        }
        RunTimeline timeline = sheet.panels().get(panel);
        int item = timeline.lanes().get(lane).track().item(span);
        List<Integer> requests = timeline.step(item).report().slices().toList().stream()
                .map(slice -> slice.request().index()).distinct().limit(MOST_REQUESTS).toList();
        if (requests.size() == 1) {
            return Optional.of(show(model, panel, requests.getFirst()));
        }
        Menu menu = new Menu(text("timeline.show-requests"));
        menu.setId("timeline-mark-requests");
        requests.forEach(request -> menu.getItems().add(show(model, panel, request)));
        return requests.isEmpty() ? Optional.empty() : Optional.of(menu);
    }

    private static MenuItem show(TimelineViewModel model, int panel, int request) {
        return Buttons.item("timeline-mark-request-" + request, text("timeline.show-request", request),
                () -> model.showRequest(panel, request));
    }

    private static Optional<RequestCriterion> criterion(TimelineSheet sheet, TimelineMark mark) {
        return switch (mark) {
            case TimelineMark.OfStep step -> Optional.of(new RequestCriterion.OnLane(
                    new LaneId(sheet.panels().get(step.panel()).lanes().get(step.lane()).index())));
            case TimelineMark.OfRequest request -> Optional.of(
                    new RequestCriterion.EndedAs(sheet.panels().get(request.panel()).request(request.item()).status()));
            case TimelineMark.OfValue ignored -> Optional.empty();
        };
    }
}
