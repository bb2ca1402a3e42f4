package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.results.bundle.SavedLook.ChartLook;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Charts over an axis from 0 to 100 s.
class ChartLookTest {
    private final ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0],
            new SimpleObjectProperty<>(Shade.LIGHT), new FileDialogsTwin(Path.of("target")), new InlineUi().work(),
            new Notifier() {
                @Override
                public void done(String sentence) {}

                @Override
                public void problem(String sentence) {}
            }, ChartWindowTwin.none(), "", "");

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private ChartHost host() {
        ChartHost host = new ChartHost(tools);
        host.setData(chart(101));
        new Scene(host, 450, 300).snapshot(null);
        return host;
    }

    @Test
    void zoomAndHiddenSeriesAreBroughtBack() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            ChartHost host = host();
            ChartHost other = host();
            assertThat(host.look("c")).isEmpty();
            String series = SeriesSelection.of(host.data()).getFirst().name();
            ChartLook zoomed = new ChartLook("c", 20.0, 35.5, List.of());
            host.begin(zoomed);
            assertThat(host.look("c")).contains(zoomed);
            assertThat(host.visibleData().x().lower()).isEqualTo(20.0);
            for (ChartLook useless : List.of(new ChartLook("c", Double.NaN, 3.0, List.of("no such series")),
                    new ChartLook("c", 300.0, 400.0, List.of()), new ChartLook("c", 50.0, 40.0, List.of()),
                    new ChartLook("c", -1.0, 500.0, List.of()), new ChartLook("c", null, 4.0, List.of()))) {
                other.begin(useless);
                assertThat(other.look("c")).as(useless.toString()).isEmpty();
            }
            host.begin(new ChartLook("c", 1.0, 2.0, List.of(series, "gone")));
            assertThat(host.look("c")).contains(new ChartLook("c", 1.0, 2.0, List.of(series)));
            host.begin(new ChartLook("c", null, null,
                    SeriesSelection.of(host.data()).stream().map(SeriesSelection.Series::name).toList()));
            assertThat(host.look("c")).contains(new ChartLook("c", 1.0, 2.0, List.of()));
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    private static ChartData chart(int samples) {
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
}
