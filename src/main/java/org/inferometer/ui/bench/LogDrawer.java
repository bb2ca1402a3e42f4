package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.Locale;
import javafx.application.Platform;
import javafx.collections.ListChangeListener;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.ui.bench.LiveLog.LogEntry;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The log at the lower edge of the window. Its content is made when it is opened first.
public final class LogDrawer extends VBox {
    private static final double HEIGHT = 176;
    private final LogViewModel model;
    private final Notifier notifier;

    public LogDrawer(LogViewModel model, Notifier notifier) {
        this.model = model;
        this.notifier = notifier;
        setId("log-drawer");
        getStyleClass().add(StyleClasses.LOG_DRAWER);
        Panes.showWhen(this, model.open());
        model.open().addListener((observed, before, now) -> {
            if (now && getChildren().isEmpty()) {
                getChildren().addAll(bar(), lines());
            }
            if (now) {
                lookup("#log-find").requestFocus();
            }
        });
    }

    private HBox bar() {
        Label title = Labels.fixed(text("log.title"), Styles.TEXT_BOLD);
        ComboBox<LogEntry.Level> level = Panes.named("log-level", new ComboBox<>());
        level.setAccessibleText(text("log.level"));
        level.getItems().setAll(LogEntry.Level.values());
        level.setConverter(ComboBoxes.words(each -> text("log.level." + each.name().toLowerCase(Locale.ROOT))));
        level.valueProperty().bindBidirectional(model.least());
        TextField find = SearchFields.of("log-find", text("log.find"));
        find.textProperty().bindBidirectional(model.find());
        Label count = Labels.fixed("", Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        model.shown().addListener(
                (ListChangeListener<LogEntry>) change -> count.setText(counted("log.count", model.shown().size())));
        count.setText(counted("log.count", model.shown().size()));
        ToggleButton follow = Panes.named("log-follow",
                new ToggleButton(text("log.follow"), new FontIcon("mdmz-vertical_align_bottom")));
        follow.setMinWidth(USE_PREF_SIZE);
        follow.selectedProperty().bindBidirectional(model.follow());
        Button copy = Buttons.of("log-copy", "mdal-content_copy", text("log.copy"), () -> {
            TextClipboard.copy(model.text());
            notifier.done(counted("log.copied", model.shown().size()));
        });
        Button close = Buttons.of("log-close", "mdal-close", text("log.close"), () -> model.open().set(false));
        HBox bar = Panes.row(10, title, level, find, count, Panes.spacer(), follow, copy, close);
        bar.getChildren().forEach(each -> each.getStyleClass().add(Styles.SMALL));
        return bar;
    }

    private ListView<LogEntry> lines() {
        ListView<LogEntry> lines = Panes.named("log-lines", new ListView<>(model.shown()));
        lines.setPlaceholder(new Label(text("log.empty")));
        lines.setPrefHeight(HEIGHT);
        lines.setMinHeight(80);
        lines.setCellFactory(list -> new ListCell<>() {
            @Override
            protected void updateItem(@Nullable LogEntry entry, boolean empty) {
                super.updateItem(entry, empty);
                setText(entry == null ? "" : entry.line());
                getStyleClass().removeAll(Styles.DANGER, Styles.WARNING, Styles.ACCENT);
                if (entry != null) {
                    switch (entry.level()) {
                        case ERROR -> getStyleClass().add(Styles.DANGER);
                        case WARNING -> getStyleClass().add(Styles.WARNING);
                        case EVENT -> getStyleClass().add(Styles.ACCENT);
                        case INFO -> {}
                    }
                }
            }
        });
        model.shown().addListener((ListChangeListener<LogEntry>) change -> showLast(lines));
        model.follow().subscribe(now -> showLast(lines));
        return lines;
    }

    private void showLast(ListView<LogEntry> lines) {
        if (model.follow().get() && !model.shown().isEmpty()) {
            // After the layout, which knows the new lines.
            Platform.runLater(() -> lines.scrollTo(model.shown().size()));
        }
    }
}
