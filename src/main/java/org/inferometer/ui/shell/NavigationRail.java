package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import javafx.geometry.Pos;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.record.WindowUse;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// One button per view.
final class NavigationRail extends VBox {
    private final Map<View, ToggleButton> buttons = new EnumMap<>(View.class);

    /// A view of the window.
    enum View {
        BENCH("view.bench", "mdmz-speed", 1), RESULTS("view.results", "mdal-insert_chart", 2),
        TIMELINE("view.timeline", "mdmz-timeline", 3), ENGINES("view.engines", "mdal-layers", 4),
        SUITES("view.suites", "mdmz-playlist_play", 5), DEVICES("view.devices", "mdmz-memory", 6),
        REPORT("view.report", "mdal-article", 7);

        private final String key;
        private final String icon;
        private final int digit;

        /// @param digit of its shortcut
        View(String key, String icon, int digit) {
            this.key = key;
            this.icon = icon;
            this.digit = digit;
        }

        /// Its name among the work beside an experiment: "results view"; null for the view of the experiment.
        @Nullable
        String besideExperiment() {
            return this == BENCH ? null : name().toLowerCase(Locale.ROOT) + WindowUse.VIEW;
        }

        String title() {
            return text(key);
        }
    }

    NavigationRail(Consumer<View> chosen) {
        setId("rail");
        getStyleClass().add(StyleClasses.RAIL);
        setAlignment(Pos.TOP_CENTER);
        for (View view : View.values()) {
            ToggleButton button = Panes.named("rail-" + view.key.substring(view.key.indexOf('.') + 1),
                    new ToggleButton(view.title(), new FontIcon(view.icon)));
            button.setContentDisplay(ContentDisplay.TOP);
            button.getStyleClass().add(StyleClasses.RAIL_BUTTON);
            button.setMaxWidth(Double.MAX_VALUE);
            button.setTooltip(new Tooltip(text("view.tooltip", view.title(), view.digit)));
            button.setOnAction(event -> {
                select(view);
                chosen.accept(view);
            });
            buttons.put(view, button);
            getChildren().add(button);
        }
    }

    /// Marks the button of a view. The buttons are no toggle group, where arrow keys would select without showing.
    void select(View view) {
        buttons.forEach((each, button) -> button.setSelected(each == view));
    }

    /// Moves the focus to the button of a view, so that Tab enters the view.
    void focus(View view) {
        ToggleButton button = buttons.get(view);
        if (button != null) {
            button.requestFocus();
        }
    }
}
