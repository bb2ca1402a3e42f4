package org.inferometer.ui.chart;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.FlowPane;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The legend over a chart: a click hides or shows a series, Ctrl and a click shows it alone. Empty for a single series.
final class ChartLegend extends FlowPane {
    private static final PseudoClass HIDDEN = PseudoClass.getPseudoClass("hidden-series");

    ChartLegend() {
        setManaged(false);
        getStyleClass().add(StyleClasses.CHART_LEGEND);
    }

    /// Lists other entries.
    ///
    /// @param clicked takes the name, and whether to isolate it
    void list(List<ChartDrawing.LegendEntry> entries, BiConsumer<String, Boolean> clicked) {
        getChildren().clear();
        if (entries.size() < 2) {
            return;
        }
        for (ChartDrawing.LegendEntry entry : entries) {
            Label item = Panes.styled(new Label(entry.name(), entry.swatch()), StyleClasses.LEGEND_ITEM);
            item.setTooltip(new Tooltip(Messages.text("chart.legend.tooltip")));
            item.setOnMouseClicked(event -> {
                if (event.getButton() == MouseButton.PRIMARY) {
                    clicked.accept(entry.name(), event.isShortcutDown());
                    event.consume();
                }
            });
            getChildren().add(item);
        }
    }

    /// Fades the hidden series.
    void mark(Predicate<String> hidden) {
        getChildren().forEach(item -> item.pseudoClassStateChanged(HIDDEN,
                item instanceof Label label && hidden.test(label.getText())));
    }
}
