package org.inferometer.ui.chart;

import javafx.animation.PauseTransition;
import javafx.beans.value.ChangeListener;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.geometry.VPos;
import javafx.scene.AccessibleRole;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.scene.text.FontSmoothingType;
import javafx.util.Duration;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.theme.StyleClasses;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.fx.ChartCanvas;
import org.jfree.chart.title.TextTitle;
import org.jspecify.annotations.Nullable;

/// Shows one chart: one redraw per change of data, none while the window is being resized.
///
/// The only class of the desktop that uses JFreeChart. Belongs to the JavaFX thread. [#dispose] removes all listeners.
public final class ChartHost extends Region {
    private static final Duration RESIZE_SETTLES = Duration.millis(120);

    private final ChartTools tools;
    private final Label message = new Label(Messages.text("chart.waiting"));
    private final PauseTransition settled = new PauseTransition(RESIZE_SETTLES);
    private final ChangeListener<ChartRenderer.Shade> shadeChanged = (observed, before, now) -> recompose();
    private @Nullable ChartCanvas canvas;
    private @Nullable ChartData data;

    /// Makes the JFreeChart of a chart in the theme of the window.
    public interface Composer {
        /// A new drawing, not shared.
        JFreeChart compose(ChartData chart, ChartRenderer.Shade shade);
    }

    /// A chart without data.
    public ChartHost(ChartTools tools) {
        this.tools = tools;
        getStyleClass().add(StyleClasses.CHART_HOST);
        message.getStyleClass().add(StyleClasses.CHART_MESSAGE);
        message.setWrapText(true);
        message.setAlignment(Pos.CENTER);
        getChildren().add(message);
        setMinSize(120, 90);
        setPrefSize(420, 200);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setAccessibleText(message.getText());
        settled.setOnFinished(event -> recompose());
        tools.shade().addListener(shadeChanged);
        setOnContextMenuRequested(event -> {
            if (data != null) {
                menu().show(this, event.getScreenX(), event.getScreenY());
            }
        });
    }

    /// Shows new data with one redraw; null goes back to waiting.
    public void setData(@Nullable ChartData chart) {
        data = chart;
        if (chart == null) {
            hideCanvas(Messages.text("chart.waiting"));
        } else {
            message.setVisible(false);
            requestLayout();
            recompose();
        }
    }

    /// What is shown, or null while it waits.
    public @Nullable ChartData data() {
        return data;
    }

    /// Shows a message instead of a chart.
    public void setMessage(String sentence) {
        data = null;
        hideCanvas(sentence);
    }

    /// Menu of the chart's actions.
    public ContextMenu menu() {
        return ChartActions.menu(tools, this);
    }

    /// Removes the drawing and all listeners.
    public void dispose() {
        tools.shade().removeListener(shadeChanged);
        settled.stop();
        removeCanvas();
        data = null;
        setOnContextMenuRequested(null);
    }

    private void recompose() {
        ChartData chart = data;
        if (chart == null || getWidth() < 1 || getHeight() < 1) {
            return;
        }
        JFreeChart drawing;
        try {
            drawing = tools.composer().compose(bare(chart), tools.shade().getValue());
        } catch (RuntimeException e) {
            hideCanvas(Messages.text("chart.broken", String.valueOf(e.getMessage())));
            return;
        }
        drawing.setTitle((TextTitle) null);
        drawing.getSubtitles().stream().filter(TextTitle.class::isInstance).toList()
                .forEach(subtitle -> drawing.removeSubtitle((TextTitle) subtitle));
        message.setVisible(false);
        draw(drawing);
        setAccessibleText(ChartTable.sentence(chart));
    }

    /// Each drawing gets a new canvas: a reused one keeps stale colours and fonts, and draws in black.
    private void draw(JFreeChart drawing) {
        ChartCanvas fresh = new ChartCanvas(null);
        removeGestures(fresh);
        fresh.setManaged(false);
        fresh.setMouseTransparent(true);
        fresh.getGraphicsContext2D().setFontSmoothingType(FontSmoothingType.GRAY);
        fresh.setWidth(Math.floor(getWidth()));
        fresh.setHeight(Math.floor(getHeight()));
        fresh.setChart(drawing);
        removeCanvas();
        canvas = fresh;
        getChildren().add(fresh);
    }

    private void removeCanvas() {
        if (canvas != null) {
            canvas.setChart(null);
            getChildren().remove(canvas);
            canvas = null;
        }
    }

    /// The tile shows title and footer.
    private static ChartData bare(ChartData chart) {
        return new ChartData(chart.id(), "", "", chart.x(), chart.y(), chart.marks(), chart.guides());
    }

    /// Removes the canvas's hidden gestures for zooming, panning and scrolling.
    private static void removeGestures(ChartCanvas canvas) {
        canvas.setTooltipEnabled(false);
        canvas.setDomainZoomable(false);
        canvas.setRangeZoomable(false);
        canvas.setOnMousePressed(null);
        canvas.setOnMouseMoved(null);
        canvas.setOnMouseDragged(null);
        canvas.setOnMouseReleased(null);
        canvas.setOnMouseClicked(null);
        canvas.setOnScroll(null);
    }

    private void hideCanvas(String sentence) {
        removeCanvas();
        message.setText(sentence);
        message.setVisible(true);
        setAccessibleText(sentence);
    }

    @Override
    protected void layoutChildren() {
        layoutInArea(message, 12, 12, Math.max(0, getWidth() - 24), Math.max(0, getHeight() - 24), 0, HPos.CENTER,
                VPos.CENTER);
        if (data != null && canvas == null && !message.isVisible()) {
            recompose();
        } else if (canvas != null
                && (canvas.getWidth() != Math.floor(getWidth()) || canvas.getHeight() != Math.floor(getHeight()))) {
            settled.playFromStart();
        }
    }
}
