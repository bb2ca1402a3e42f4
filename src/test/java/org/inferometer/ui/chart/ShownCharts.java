package org.inferometer.ui.chart;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.event.Event;
import javafx.event.EventType;
import javafx.scene.Scene;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.HBox;
import org.inferometer.chart.ChartComposer;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Two charts in a scene over the same axis from 0 to 100 s, a sample a second, and what a person does to the first.
abstract class ShownCharts {
    final ObjectProperty<Shade> shade = new SimpleObjectProperty<>(Shade.LIGHT);
    int composed;
    final List<String> opened = new ArrayList<>();
    final ChartTools tools = new ChartTools((chart, tone, scale, width) -> {
        composed++;
        return new ChartComposer(tone, 1).compose(chart, width);
    }, (sheet, picture) -> new byte[0], shade, new FileDialogsTwin(Path.of("target")), new InlineUi().work(),
            new Notifier() {
                @Override
                public void done(String sentence) {}

                @Override
                public void problem(String sentence) {}
            }, new ChartWindowTwin(opened), "", "");
    ChartHost host;
    ChartHost other;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @BeforeEach
    void show() throws Exception {
        fx(() -> {
            host = new ChartHost(tools);
            other = new ChartHost(tools);
            ChartGroup group = new ChartGroup();
            List.of(host, other).forEach(each -> each.join(group));
            new Scene(new HBox(host, other), 900, 300).snapshot(null);
            host.setData(chart(101));
            other.setData(chart(101));
            settle();
            return null;
        });
    }

    static ChartData chart(int samples) {
        double[] x = new double[samples];
        Arrays.setAll(x, i -> i);
        double[] slow = new double[samples];
        Arrays.setAll(slow, i -> i % 10);
        double[] fast = new double[samples];
        Arrays.setAll(fast, i -> 1000 + i);
        return new ChartData("live", "Throughput, tok/s", "live", Axis.fitted("time, s"), Axis.fromZero("tok/s"),
                new Marks.Lines(List.of(new Line("slow", SeriesStyle.solid(0), x, slow),
                        new Line("fast", SeriesStyle.solid(3), x, fast)), false));
    }

    static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    void settle() {
        host.getScene().snapshot(null);
    }

    PlotArea area() {
        return Objects.requireNonNull(host.area());
    }

    AxisRange shown() {
        return new AxisRange(Math.round(area().x().lower()), Math.round(area().x().upper()));
    }

    void mouse(EventType<MouseEvent> type, double value, int clicks) {
        double x = area().x().pixel(value);
        double y = (area().top() + area().bottom()) / 2;
        Event.fireEvent(host, new MouseEvent(type, x, y, x, y, MouseButton.PRIMARY, clicks, false, false, false, false,
                true, false, false, false, false, true, null));
    }

    void key(KeyCode code, boolean shift, boolean control) {
        Event.fireEvent(host, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", code, shift, control, false, false));
        settle();
    }

    void key(KeyCode code) {
        key(code, false, false);
    }

    String values() {
        return host.crosshair().readout().map(Readout::lines).orElse("");
    }
}
