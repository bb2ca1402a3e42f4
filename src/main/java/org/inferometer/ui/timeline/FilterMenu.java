package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import org.inferometer.report.timeline.RequestFilter;
import org.inferometer.report.timeline.RequestFilter.FilterRule;
import org.inferometer.report.timeline.RequestFilter.RequestCriterion;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// The menu that shows or hides requests by how they ended, by lane and by latency.
final class FilterMenu extends MenuButton {
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
        MenuItem all = new MenuItem(text("timeline.filter-none"));
        all.setOnAction(event -> model.filter(RequestFilter.NONE));
        getItems().setAll(in, out, all);
    }

    private MenuItem item(FilterRule rule) {
        MenuItem item = new MenuItem(FilterChoices.describe(rule.criterion()));
        item.setMnemonicParsing(false);
        item.setOnAction(event -> {
            TimelineSheet sheet = model.sheet().get();
            if (sheet != null) {
                model.filter(sheet.filter().with(rule));
            }
        });
        return item;
    }

    /// A strip that says what is hidden, with a way back; absent without a filter.
    static HBox strip(TimelineViewModel model) {
        Label hidden = Labels.wrapped("");
        hidden.setId("timeline-hidden");
        Button back = new Button(text("timeline.filter-none"));
        back.setId("timeline-show-requests");
        back.setOnAction(event -> model.filter(RequestFilter.NONE));
        back.setMinWidth(Region.USE_PREF_SIZE);
        HBox strip = Panes.row(10, hidden, back);
        strip.getStyleClass().add(StyleClasses.TIMELINE_NOTE);
        Panes.show(strip, false);
        model.sheet().addListener((observed, before, now) -> {
            hidden.setText(now == null ? "" : FilterChoices.describe(now));
            Panes.show(strip, !hidden.getText().isEmpty());
        });
        return strip;
    }
}
