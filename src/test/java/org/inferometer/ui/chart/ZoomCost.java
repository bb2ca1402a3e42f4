package org.inferometer.ui.chart;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.layout.StackPane;
import org.inferometer.chart.ChartComposer;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Measures what zoom steps of charts cost on the JavaFX thread. Started by hand: it prints the times in milliseconds.
public final class ZoomCost {
    private static final int STEPS = 200;

    private ZoomCost() {}

    /// Two lines of two million points, linear and logarithmic: zoomed in and out by the wheel's step.
    public static void main(String[] arguments) throws Exception {
        FxToolkit.registerPrimaryStage();
        ChartTools tools =
                new ChartTools((chart, shade, scale, width) -> new ChartComposer(shade, scale).compose(chart, width),
                        (sheet, picture) -> new byte[0], new SimpleObjectProperty<>(Shade.LIGHT),
                        new FileDialogsTwin(Path.of("target")), new InlineUi().work(), new Notifier() {
                            @Override
                            public void done(String sentence) {}

                            @Override
                            public void problem(String sentence) {}
                        }, ChartWindowTwin.none(), "", "");
        for (boolean logarithmic : new boolean[]{false, true}) {
            String line = WaitForAsyncUtils.asyncFx(() -> measured(tools, logarithmic)).get(120, TimeUnit.SECONDS);
            System.out.println((logarithmic ? "logarithmic: " : "linear: ") + line);
        }
        System.exit(0);
    }

    private static String measured(ChartTools tools, boolean logarithmic) {
        ChartHost host = new ChartHost(tools);
        new Scene(new StackPane(host), 900, 400).snapshot(null);
        int n = 2_000_000;
        double[] x = new double[n];
        Arrays.setAll(x, i -> 1 + i / 1e3);
        double[] y = new double[n];
        Arrays.setAll(y, i -> i * 7919L % 1000);
        long opened = System.nanoTime();
        host.setData(new ChartData("a", "a", "", logarithmic ? Axis.log("s") : Axis.fitted("s"), Axis.fromZero("ms"),
                new Marks.Lines(List.of(new Line("a", SeriesStyle.solid(0), x, y),
                        new Line("b", SeriesStyle.solid(1), x, y.clone())), true)));
        host.getScene().getRoot().layout();
        long first = System.nanoTime() - opened;
        double[] millis = new double[STEPS];
        for (int step = 0; step < 2 * STEPS; step++) {
            double middle = (Objects.requireNonNull(host.area()).x().start() + host.area().x().end()) / 2;
            long before = System.nanoTime();
            host.zoom().at(middle, step % 100 < 50 ? 1.25 : 0.8);
            host.getScene().getRoot().layout();
            millis[step % STEPS] = (System.nanoTime() - before) / 1e6;
        }
        Arrays.sort(millis);
        return String.format("first %.1f, P50 %.1f, P95 %.1f, max %.1f ms", first / 1e6, millis[STEPS / 2],
                millis[STEPS * 95 / 100], millis[STEPS - 1]);
    }
}
