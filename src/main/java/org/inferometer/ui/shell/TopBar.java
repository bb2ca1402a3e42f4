package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.theme.Appearance;
import org.kordamp.ikonli.javafx.FontIcon;

/// Where one is, the one thing to do now, and the theme.
final class TopBar extends HBox {
    private final Label place = new Label();

    TopBar(BenchViewModel bench, Appearance appearance, Runnable run, Runnable stop) {
        setId("top-bar");
        getStyleClass().add("top-bar");
        setAlignment(Pos.CENTER_LEFT);
        Label product = new Label(text("product"));
        product.getStyleClass().add("product");
        product.setMinWidth(USE_PREF_SIZE);
        Label divider = new Label("/");
        divider.getStyleClass().add("muted");
        place.setId("breadcrumb");
        place.setMinWidth(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button primary = new Button();
        primary.setId("primary-action");
        primary.setMinWidth(USE_PREF_SIZE);
        Runnable showPrimary = () -> {
            boolean running = bench.running().get();
            primary.setText(
                    running ? text(bench.stopping().get() ? "action.stopping" : "action.stop") : text("action.run"));
            primary.setGraphic(new FontIcon(running ? "mdmz-stop" : "mdmz-play_arrow"));
            primary.getStyleClass().removeAll("accent", "danger");
            primary.getStyleClass().add(running ? "danger" : "accent");
            primary.setDisable(bench.stopping().get());
            primary.setTooltip(new Tooltip(running ? text("action.stop.tooltip") : text("action.run.tooltip")));
        };
        bench.running().addListener((observed, before, now) -> showPrimary.run());
        bench.stopping().addListener((observed, before, now) -> showPrimary.run());
        showPrimary.run();
        primary.setOnAction(event -> (bench.running().get() ? stop : run).run());
        Button theme = new Button();
        theme.setId("theme-toggle");
        theme.getStyleClass().addAll("flat", "button-icon");
        Runnable showTheme = () -> {
            boolean light = appearance.shade().get() == Shade.LIGHT;
            theme.setGraphic(new FontIcon(light ? "mdmz-nights_stay" : "mdmz-wb_sunny"));
            theme.setTooltip(new Tooltip(text(light ? "action.dark" : "action.light")));
            theme.setAccessibleText(text(light ? "action.dark" : "action.light"));
        };
        appearance.shade().addListener((observed, before, now) -> showTheme.run());
        showTheme.run();
        theme.setOnAction(event -> appearance.toggle());
        getChildren().addAll(product, divider, place, space, primary, theme);
    }

    void setPlace(String words) {
        place.setText(words);
    }
}
