package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.stage.Stage;
import org.inferometer.ui.chart.FocusedChart;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Action.Group;
import org.inferometer.ui.theme.TextSize;

/// Actions on what is seen: zoom of the focused chart or of the Timeline, table, size of texts, full screen.
///
/// @param parts views and their models
/// @param view which view is shown
record LookActions(WindowParts parts, ShownView view, Preferences preferences, WindowDialogs dialogs) {
    private static final double TIMELINE_CLOSER = 0.5;
    private static final double CHART_CLOSER = 1.25;

    List<Action> all() {
        FocusedChart charts = parts.charts;
        ObservableValue<String> zoom =
                Bindings.createStringBinding(this::noZoom, view.shown(), parts.timeline.experiment(), charts.noZoom());
        return List.of(Action.of(Group.VIEW, "menu.zoom-in", "Alt+Equals", zoom, () -> zoom(true)),
                Action.of(Group.VIEW, "menu.zoom-out", "Alt+Minus", zoom, () -> zoom(false)),
                Action.of(Group.VIEW, "menu.zoom-fit", "Alt+0", zoom, this::fit),
                Action.of(Group.VIEW, "menu.follow-live", "Alt+End", charts.follows(), charts::followLive),
                Action.of(Group.VIEW, "menu.table", "Shortcut+T", charts.noChart(), charts::toggleTable),
                Action.of(Group.VIEW, "menu.text-larger", "Shortcut+Equals", atEnd(TextSize.ALL.getLast(), "largest"),
                        () -> step(1)),
                Action.of(Group.VIEW, "menu.text-smaller", "Shortcut+Minus", atEnd(TextSize.ALL.getFirst(), "smallest"),
                        () -> step(-1)),
                Action.of(Group.VIEW, "menu.text-usual", "Shortcut+0", atEnd(TextSize.USUAL.percent(), "usual"),
                        () -> preferences.textSize().set(TextSize.USUAL)),
                Action.of(Group.VIEW, "menu.full-screen", "F11", this::fullScreen));
    }

    private boolean onTimeline() {
        return view.is(NavigationRail.View.TIMELINE);
    }

    private String noZoom() {
        return !onTimeline() ? parts.charts.noZoom().get()
                : parts.timeline.experiment().get().isEmpty() ? text("unavailable.no-timeline")
                : "";
    }

    /// @param closer whether less is shown
    private void zoom(boolean closer) {
        if (onTimeline()) {
            parts.timeline.visible().zoom(closer ? TIMELINE_CLOSER : 1 / TIMELINE_CLOSER);
        } else {
            parts.charts.zoom(closer ? CHART_CLOSER : 1 / CHART_CLOSER);
        }
    }

    private void fit() {
        if (onTimeline()) {
            parts.timeline.visible().showAll();
        } else {
            parts.charts.fit();
        }
    }

    private ObservableValue<String> atEnd(int percent, String which) {
        return preferences.textSize().map(size -> size.percent() == percent ? text("unavailable.text-" + which) : "");
    }

    private void step(int sizes) {
        int at = TextSize.ALL.indexOf(preferences.textSize().get().percent()) + sizes;
        preferences.textSize().set(new TextSize(TextSize.ALL.get(Math.clamp(at, 0, TextSize.ALL.size() - 1))));
    }

    private void fullScreen() {
        if (dialogs.over().getScene().getWindow() instanceof Stage stage) {
            stage.setFullScreen(!stage.isFullScreen());
        }
    }
}
