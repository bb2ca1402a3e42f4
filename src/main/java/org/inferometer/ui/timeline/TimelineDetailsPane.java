package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import javafx.geometry.Pos;
import javafx.geometry.VPos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/// What is pointed at or pinned, in words: a step and why it was chosen, a request, or a measured stretch.
final class TimelineDetailsPane extends VBox {
    static final double WIDTH = 276;
    private final Label title = new Label();
    private final Label reason = new Label();
    private final GridPane grid = new GridPane();
    private final Label hint = new Label(text("timeline.hint"));
    private final VBox reasonBox;
    private final Label pin = new Label(text("timeline.pinned"));

    TimelineDetailsPane(TimelineViewModel model, Runnable copy) {
        setId("timeline-details");
        getStyleClass().add("timeline-details");
        setMinWidth(WIDTH);
        setPrefWidth(WIDTH);
        setMaxWidth(WIDTH);
        title.setId("timeline-details-title");
        title.getStyleClass().add("tile-title");
        pin.getStyleClass().addAll("tag", "tag-quiet");
        pin.setMinWidth(USE_PREF_SIZE);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button copying = new Button(null, new FontIcon("mdal-content_copy"));
        copying.setId("timeline-copy");
        copying.getStyleClass().addAll("flat", "button-icon", "tile-tool");
        copying.setTooltip(new Tooltip(text("timeline.copy-details")));
        copying.setAccessibleText(text("timeline.copy-details"));
        copying.setOnAction(event -> copy.run());
        HBox header = new HBox(8, title, pin, space, copying);
        header.setAlignment(Pos.CENTER_LEFT);
        header.setMinHeight(32);
        Label why = new Label(text("timeline.why"));
        why.getStyleClass().addAll("muted", "small-text");
        reason.setId("timeline-reason");
        reason.setWrapText(true);
        reason.setMinHeight(USE_PREF_SIZE);
        reasonBox = new VBox(2, why, reason);
        reasonBox.getStyleClass().add("timeline-why");
        hint.setWrapText(true);
        hint.setMinHeight(USE_PREF_SIZE);
        hint.getStyleClass().addAll("muted", "small-text");
        grid.setHgap(10);
        grid.setVgap(4);
        ColumnConstraints names = new ColumnConstraints();
        names.setMinWidth(USE_PREF_SIZE);
        ColumnConstraints values = new ColumnConstraints();
        values.setHgrow(Priority.ALWAYS);
        grid.getColumnConstraints().setAll(names, values);
        VBox body = new VBox(10, reasonBox, grid, hint);
        ScrollPane scroll = new ScrollPane(body);
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("plain-scroll");
        scroll.setFocusTraversable(false);
        setVgrow(scroll, Priority.ALWAYS);
        setSpacing(6);
        getChildren().addAll(header, scroll);
        Runnable show =
                () -> show(model.details().get(), model.pinned().get() != null && model.stretch().get() == null);
        model.details().addListener((observed, before, now) -> show.run());
        model.pinned().addListener((observed, before, now) -> show.run());
        show.run();
    }

    private void show(TimelineDetails details, boolean isPinned) {
        title.setText(details.isEmpty() ? text("timeline.details") : details.title());
        pin.setVisible(isPinned);
        reason.setText(details.reason());
        shown(reasonBox, !details.reason().isEmpty());
        shown(hint, details.isEmpty());
        grid.getChildren().clear();
        for (int i = 0; i < details.lines().size(); i++) {
            Label name = new Label(details.lines().get(i).name());
            name.getStyleClass().addAll("muted", "small-text");
            name.setMinWidth(USE_PREF_SIZE);
            Label value = new Label(details.lines().get(i).value());
            value.setWrapText(true);
            value.setMinHeight(USE_PREF_SIZE);
            value.getStyleClass().add("timeline-value");
            GridPane.setValignment(name, VPos.TOP);
            grid.addRow(i, name, value);
        }
    }

    private static void shown(Region node, boolean visible) {
        node.setVisible(visible);
        node.setManaged(visible);
    }
}
