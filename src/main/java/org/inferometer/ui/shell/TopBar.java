package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.bench.BenchState;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.kordamp.ikonli.javafx.FontIcon;

/// The current place, the Run or Stop button, the notices, and the theme.
final class TopBar extends HBox {
    private final Label place = new Label();

    TopBar(BenchViewModel bench, Appearance appearance, Runnable run, Runnable stop, Runnable palette, Node bell) {
        setId("top-bar");
        getStyleClass().add(StyleClasses.TOP_BAR);
        setAlignment(Pos.CENTER_LEFT);
        place.setId("breadcrumb");
        place.setMinWidth(0);
        Button primary = Buttons.of("primary-action", "mdmz-play_arrow", "",
                () -> (bench.state().get().isRunning() ? stop : run).run());
        bench.state().subscribe(now -> showPrimary(primary, now));
        Button theme = Buttons.icon("theme-toggle", "mdmz-nights_stay", "", appearance::toggle);
        appearance.shade().subscribe(now -> showTheme(theme, now));
        Button search = Panes.styled(Buttons.of("palette-open", "mdmz-search", text("palette.field"), palette),
                StyleClasses.PALETTE_FIELD);
        search.setTooltip(new Tooltip(text("palette.prompt")));
        getChildren().addAll(Labels.fixed(text("product"), StyleClasses.PRODUCT), Labels.of("/", Styles.TEXT_MUTED),
                place, Panes.spacer(), search, primary, bell, theme);
    }

    private static void showPrimary(Button primary, BenchState state) {
        boolean running = state.isRunning();
        primary.setText(text(state.isStopping() ? "action.stopping" : running ? "action.stop" : "action.run"));
        primary.setGraphic(new FontIcon(running ? "mdmz-stop" : "mdmz-play_arrow"));
        primary.getStyleClass().removeAll(Styles.ACCENT, Styles.DANGER);
        primary.getStyleClass().add(running ? Styles.DANGER : Styles.ACCENT);
        primary.setDisable(state.isStopping());
        primary.setTooltip(new Tooltip(text(running ? "action.stop.tooltip" : "action.run.tooltip")));
    }

    private static void showTheme(Button theme, Shade shade) {
        boolean light = shade == Shade.LIGHT;
        theme.setGraphic(new FontIcon(light ? "mdmz-nights_stay" : "mdmz-wb_sunny"));
        theme.setTooltip(new Tooltip(text(light ? "action.dark" : "action.light")));
        theme.setAccessibleText(text(light ? "action.dark" : "action.light"));
    }

    void setPlace(String path) {
        place.setText(path);
    }

    /// The place that the top bar names: the view and what is open in it.
    record Breadcrumb(BenchViewModel bench, ResultsViewModel results, ComparisonViewModel comparison,
            TimelineViewModel timeline) {
        String of(NavigationRail.View shown) {
            return switch (shown) {
                case BENCH -> text(switch (bench.state().get()) {
                    case BenchState.Editing() -> "place.bench.editing";
                    case BenchState.Refused refused -> "place.bench.editing";
                    case BenchState.Running running -> "place.bench.running";
                    case BenchState.Finished finished -> "place.bench.finished";
                });
                case RESULTS -> {
                    String opened = results.openedName().get();
                    String compared = comparison.title().get();
                    yield !compared.isEmpty() ? text("place.result", compared) : opened.isEmpty() ? text("view.results")
                            : text("place.result", opened);
                }
                case ENGINES -> text("view.engines");
                case SUITES -> text("view.suites");
                case DEVICES -> text("view.devices");
                case REPORT -> text("view.report");
                case TIMELINE -> timeline.experiment().get().isEmpty() ? text("view.timeline")
                        : text("place.timeline", results.nameOf(timeline.experiment().get()).orElse(timeline.name()));
            };
        }
    }
}
