package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.event.Event;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.stage.Stage;
import org.inferometer.chart.ChartComposer;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Two charts over the same axis and a button, in a window.
class CrosshairTest {
    private final ChartTools tools =
            new ChartTools((chart, shade, scale, width) -> new ChartComposer(shade, 1).compose(chart, width),
                    (sheet, picture) -> new byte[0], new SimpleObjectProperty<>(Shade.LIGHT),
                    new FileDialogsTwin(Path.of("target")), new InlineUi().work(), new Notifier() {
                        @Override
                        public void done(String sentence) {}

                        @Override
                        public void problem(String sentence) {}
                    }, ChartWindowTwin.none(), "", "");
    private final Button elsewhere = new Button("elsewhere");
    private ChartHost host;
    private ChartHost other;
    private Stage stage;

    @BeforeEach
    void show() throws Exception {
        stage = FxToolkit.registerPrimaryStage();
        fx(() -> {
            host = new ChartHost(tools);
            other = new ChartHost(tools);
            ChartGroup group = new ChartGroup();
            List.of(host, other).forEach(each -> each.join(group));
            host.setData(over("time, s"));
            other.setData(over("time, s"));
            stage.setScene(new Scene(new HBox(host, other, elsewhere), 900, 300));
            stage.show();
            stage.requestFocus();
            host.requestFocus();
            return null;
        });
        WaitForAsyncUtils.waitForFxEvents();
    }

    @AfterEach
    void close() throws Exception {
        fx(() -> {
            stage.hide();
            stage.setScene(null);
            return null;
        });
    }

    private static ChartData over(String axis) {
        return chart(axis, "slow");
    }

    private static ChartData named(String series) {
        return chart("time, s", series);
    }

    private static ChartData chart(String axis, String series) {
        return new ChartData("live", "Throughput, tok/s", "live", Axis.fitted(axis), Axis.fromZero("tok/s"),
                new Marks.Lines(List
                        .of(new Line(series, SeriesStyle.solid(0), new double[]{0, 1, 2, 3}, new double[]{5, 6, 7, 8})),
                        false));
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private void press(KeyCode key) {
        Event.fireEvent(host, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", key, false, false, false, false));
    }

    private String shown() {
        boolean visible = host.overlay().lookup(".chart-tooltip").isVisible();
        return visible ? host.overlay().lookupAll(".text-small").stream().map(node -> ((Label) node).getText())
                .findFirst().orElse("") : "nothing";
    }

    @Test
    void valuesThatKeysShowLeaveWithTheFocus() throws Exception {
        fx(() -> {
            press(KeyCode.RIGHT);
            assertThat(host.crosshair().readout()).isPresent();
            elsewhere.requestFocus();
            assertThat(host.crosshair().readout()).isEmpty();
            assertThat(other.overlay().lineShown()).isFalse();
            return null;
        });
    }

    @Test
    void valuesAreAsWideAsTheirTextsAndNoHintWidensThem() throws Exception {
        fx(() -> {
            host.setData(named("INT4 under continuous batching"));
            stage.getScene().getRoot().layout();
            press(KeyCode.RIGHT);
            tooltip().layout();
            double alone = tooltip().getWidth();
            Readout shown = host.crosshair().readout().orElseThrow();
            host.overlay().show(Objects.requireNonNull(host.area()), shown,
                    "A hint that is longer than all values. ".repeat(3), 50);
            tooltip().layout();
            assertThat(tooltip().getWidth()).as("with a hint").isEqualTo(alone);
            assertThat(tooltip().lookupAll(".label")).map(Label.class::cast).filteredOn(Label::isVisible)
                    .noneMatch(Label::isTextTruncated);
            return null;
        });
    }

    private Region tooltip() {
        return (Region) host.overlay().lookup(".chart-tooltip");
    }

    @Test
    void pinnedValuesStayAndSaySo() throws Exception {
        fx(() -> {
            press(KeyCode.RIGHT);
            press(KeyCode.ENTER);
            elsewhere.requestFocus();
            assertThat(shown()).isEqualTo("Pinned. Esc releases.");
            press(KeyCode.ESCAPE);
            assertThat(shown()).isEqualTo("nothing");
            return null;
        });
    }

    @Test
    void aLineOfAnotherAxisLeavesToo() throws Exception {
        fx(() -> {
            press(KeyCode.RIGHT);
            assertThat(other.overlay().lineShown()).isTrue();
            host.crosshair().read(over("requests"));
            elsewhere.requestFocus();
            assertThat(other.overlay().lineShown()).isFalse();
            return null;
        });
    }

    @Test
    void aChartThatIsTakenAwayKeepsNoValues() throws Exception {
        fx(() -> {
            press(KeyCode.RIGHT);
            stage.getScene().setRoot(new HBox(elsewhere));
            assertThat(host.crosshair().readout()).isEmpty();
            return null;
        });
    }
}
