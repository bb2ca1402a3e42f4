package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.scheduling.LaneId;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineMarks.TimelineMark;
import org.kordamp.ikonli.javafx.FontIcon;

/// The menu that shows or hides requests by how they ended, by lane and by latency; and what the context menu offers for a mark.
final class FilterMenu extends MenuButton {
    private static final int MOST_REQUESTS = 32;
    private final TimelineViewModel model;

    FilterMenu(TimelineViewModel model) {
        super(null, new FontIcon("mdal-filter_list"));
        this.model = model;
        setId("timeline-filter");
        setMinWidth(Region.USE_PREF_SIZE);
        setTooltip(new Tooltip(text("timeline.filter-hint")));
        setAccessibleText(text("timeline.filter-hint"));
        model.sheet().addListener((observed, before, now) -> {
            if (now != null && (before == null || !before.panels().equals(now.panels()))) {
                fill(now);
            }
        });
    }

    private void fill(TimelineSheet sheet) {
        Menu in = new Menu(text("timeline.filter-in"));
        in.setId("timeline-filter-in");
        Menu out = new Menu(text("timeline.filter-out"));
        out.setId("timeline-filter-out");
        for (RequestCriterion criterion : FilterChoices.criteria(sheet)) {
            in.getItems().add(item(new FilterRule(criterion, true)));
            out.getItems().add(item(new FilterRule(criterion, false)));
        }
        getItems().setAll(in, out, Buttons.item("timeline-filter-none", text("timeline.filter-none"),
                () -> model.filter(RequestFilter.NONE)));
    }

    private MenuItem item(FilterRule rule) {
        String name = FilterChoices.describe(rule.criterion());
        return Buttons.item("timeline-filter-item", name, () -> {
            TimelineSheet sheet = model.sheet().get();
            if (sheet != null) {
                model.filter(sheet.filter().with(rule));
            }
        });
    }

    /// A strip that says what is hidden, with a way back; absent without a filter.
    static HBox strip(TimelineViewModel model) {
        Label hidden = Panes.named("timeline-hidden", Labels.wrapped(""));
        Button back = Panes.named("timeline-show-requests", new Button(text("timeline.filter-none")));
        back.setOnAction(event -> model.filter(RequestFilter.NONE));
        back.setMinWidth(Region.USE_PREF_SIZE);
        HBox strip = Panes.styled(Panes.row(10, hidden, back), StyleClasses.TIMELINE_NOTE);
        Panes.show(strip, false);
        model.sheet().addListener((observed, before, now) -> {
            hidden.setText(now == null ? "" : FilterChoices.describe(now));
            Panes.show(strip, !hidden.getText().isEmpty());
        });
        return strip;
    }

    /// The items for the pinned or hovered mark: its requests, and filters by what it is; none without one.
    static List<MenuItem> ofMark(TimelineViewModel model) {
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

    /// What requests of a sheet can be filtered by, and what a filter hides, in words.
    static final class FilterChoices {
        private FilterChoices() {}

        /// How requests of the shown runs ended, their lanes where there are several, and slow ones.
        static List<RequestCriterion> criteria(TimelineSheet sheet) {
            TreeSet<String> ends = new TreeSet<>();
            TreeSet<Integer> lanes = new TreeSet<>();
            for (RunTimeline timeline : sheet.panels()) {
                for (int item = 0; item < timeline.requestCount(); item++) {
                    ends.add(timeline.request(item).status());
                }
                timeline.lanes().stream().filter(lane -> lane.track().size() > 0)
                        .forEach(lane -> lanes.add(lane.index()));
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
            return rules.isEmpty() ? ""
                    : text("timeline.filter-hides", sheet.hiddenRequests(), sheet.allRequests(), rules);
        }
    }
}
