package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.geometry.VPos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// Details of the marked or pinned step or request, or of the measured range.
final class TimelineDetailsPane extends VBox {
    private final Label title = Panes.named("timeline-details-title", new Label(), StyleClasses.TILE_TITLE);
    private final Label reason = Panes.named("timeline-reason", new Label());
    private final GridPane grid = Panes.grid(2, 10, 4);
    private final Label hint = Panes.styled(new Label(text("timeline.hint")), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    private final VBox reasonBox;
    private final Label pin =
            Panes.styled(new Label(text("timeline.pinned")), StyleClasses.TAG, StyleClasses.TAG_QUIET);

    TimelineDetailsPane(TimelineViewModel model, Runnable copy) {
        setId("timeline-details");
        getStyleClass().add(StyleClasses.TIMELINE_DETAILS);
        pin.setMinWidth(USE_PREF_SIZE);
        Button copying =
                Panes.styled(Buttons.icon("timeline-copy", "mdal-content_copy", text("timeline.copy-details"), copy),
                        StyleClasses.TILE_TOOL);
        HBox header = Panes.row(8, title, pin, Panes.spacer(), copying);
        header.setMinHeight(32);
        Label why = Labels.of(text("timeline.why"), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        reason.setWrapText(true);
        reason.setMinHeight(USE_PREF_SIZE);
        reasonBox = new VBox(2, why, reason);
        reasonBox.getStyleClass().add(StyleClasses.TIMELINE_WHY);
        hint.setWrapText(true);
        hint.setMinHeight(USE_PREF_SIZE);
        VBox body = new VBox(10, reasonBox, grid, hint);
        ScrollPane scroll = Panes.scroll(body);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setFocusTraversable(false);
        setVgrow(scroll, Priority.ALWAYS);
        setSpacing(6);
        getChildren().addAll(header, scroll);
        Runnable show = () -> show(model.marks().details().get(),
                model.marks().pinned().get() != null && model.marks().stretch().get() == null);
        model.marks().details().addListener((observed, before, now) -> show.run());
        model.marks().pinned().subscribe(now -> show.run());
    }

    private void show(TimelineDetails details, boolean isPinned) {
        title.setText(details.isEmpty() ? text("timeline.details") : details.title());
        pin.setVisible(isPinned);
        reason.setText(details.reason());
        Panes.show(reasonBox, !details.reason().isEmpty());
        Panes.show(hint, details.isEmpty());
        grid.getChildren().clear();
        for (int i = 0; i < details.lines().size(); i++) {
            Label name = Labels.fixed(details.lines().get(i).name(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
            GridPane.setValignment(name, VPos.TOP);
            grid.addRow(i, name, Labels.wrapped(details.lines().get(i).value(), StyleClasses.TIMELINE_VALUE));
        }
    }
}
