package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.layout.StackPane;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.SampleCharts;
import org.jfree.chart.fx.ChartCanvas;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ChartHostTest {
    private final ObjectProperty<Shade> shade = new SimpleObjectProperty<>(Shade.LIGHT);
    private final PlainComposer composer = new PlainComposer();
    private final ChartWindowTwin window = new ChartWindowTwin(new ArrayList<>());
    private final ChartTools tools = tools(composer);

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private ChartTools tools(ChartDrawing.Composer drawing) {
        return new ChartTools(drawing, (sheet, picture) -> new byte[0], shade, new FileDialogsTwin(Path.of("target")),
                new InlineUi().work(), new Notifier() {
                    @Override
                    public void done(String sentence) {}

                    @Override
                    public void problem(String sentence) {}
                }, window, "", "");
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private ChartHost shown(ChartTools with) throws Exception {
        return fx(() -> {
            ChartHost host = new ChartHost(with);
            new Scene(new StackPane(host), 400, 300).snapshot(null);
            return host;
        });
    }

    @Test
    void eachPictureIsDrawnOnce() throws Exception {
        ChartHost host = shown(tools);
        fx(() -> {
            host.setData(SampleCharts.all().getFirst());
            host.setData(SampleCharts.all().getFirst());
            return null;
        });
        assertThat(composer.composed()).isEqualTo(2);
        fx(() -> {
            shade.set(Shade.DARK);
            return null;
        });
        assertThat(composer.composed()).isEqualTo(3);
        assertThat(host.getAccessibleText()).contains("tiny-int4");
    }

    @Test
    void textsOfAChartGrowWithThoseOfTheWindow() throws Exception {
        List<Double> scales = new ArrayList<>();
        ChartHost host = shown(tools((chart, tone, scale, width) -> {
            scales.add(scale);
            return composer.compose(chart, tone, scale, width);
        }));
        fx(() -> {
            host.setData(SampleCharts.all().getFirst());
            window.textScale().set(1.5);
            host.dispose();
            window.textScale().set(1.0);
            return null;
        });
        assertThat(scales).containsExactly(1.0, 1.5);
    }

    @Test
    void theDrawingHasNoGestures() throws Exception {
        ChartHost host = shown(tools);
        fx(() -> {
            host.setData(SampleCharts.all().getFirst());
            return null;
        });
        ChartCanvas canvas = (ChartCanvas) host.getChildrenUnmodifiable().get(1);
        assertThat(canvas.getOnScroll()).isNull();
        assertThat(canvas.getOnMouseDragged()).isNull();
        assertThat(canvas.isMouseTransparent()).isTrue();
    }

    @Test
    void aChartThatCannotBeDrawnSaysSo() throws Exception {
        ChartHost host = shown(tools((chart, tone, scale, width) -> {
            throw new IllegalStateException("no room");
        }));
        fx(() -> {
            host.setData(SampleCharts.all().getFirst());
            return null;
        });
        assertThat(host.getAccessibleText()).isEqualTo("This chart cannot be drawn: no room");
    }

    @Test
    void aDisposedChartIsForgotten() throws Exception {
        WeakReference<ChartHost> gone = fx(() -> {
            ChartHost host = new ChartHost(tools);
            StackPane pane = new StackPane(host);
            new Scene(pane, 400, 300).snapshot(null);
            host.setData(SampleCharts.all().getFirst());
            host.dispose();
            pane.getChildren().clear();
            return new WeakReference<>(host);
        });
        for (int i = 0; i < 20 && gone.get() != null; i++) {
            WaitForAsyncUtils.waitForFxEvents();
            System.gc();
        }
        assertThat(gone.get()).isNull();
        assertThat(shade).isNotNull();
    }
}
