package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import javafx.scene.paint.Color;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.shell.NoticeLog.Notice;
import org.inferometer.ui.shell.NoticeLog.Severity;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.kordamp.ikonli.javafx.FontIcon;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class NotificationAreaTest {
    private static final String SHORT = "night: Complete";
    private static final String LONG = "disagg_perf_deepseek-r1-fp4_1k1k_ctx1_gen1_dep32: Complete, Preview";

    private final NoticeLog log = new NoticeLog(new SystemClock());

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void iconAndColourFollowTheSeverity() throws Exception {
        List<String> looks = shown(area -> {
            area.done("saved");
            area.caution("invalid", "Show", () -> {});
            area.problem("failed");
        }).stream().map(notice -> {
            FontIcon icon = (FontIcon) notice.getChildren().getFirst();
            return icon.getIconLiteral() + " " + hue((Color) icon.getIconColor()) + " "
                    + hue((Color) notice.getBackground().getFills().get(2).getFill());
        }).toList();
        assertThat(looks).containsExactly("mdal-check_circle green green", "mdmz-warning yellow yellow",
                "mdal-error red red");
        assertThat(log.notices()).extracting(Notice::severity).containsExactly(Severity.PROBLEM, Severity.CAUTION,
                Severity.DONE);
    }

    @Test
    void noticesWithALinkAreAsHighAsTheirLines() throws Exception {
        List<HBox> notices = shown(area -> {
            area.done(SHORT);
            area.done(SHORT, "Show result", () -> {});
            area.done(LONG, "Show result", () -> {});
        });
        List<Double> heights = notices.stream().map(HBox::getHeight).toList();
        assertThat(heights.get(1)).isEqualTo(heights.get(0));
        HBox high = notices.get(2);
        double lines =
                ((Label) high.lookup(".label")).getHeight() + ((Hyperlink) high.lookup("#notice-action")).getHeight();
        assertThat(high.getHeight()).isBetween(lines, lines + 20);
    }

    @Test
    void theLinkActsAndTakesTheNoticeAway() throws Exception {
        int[] shown = new int[1];
        assertThat(shown(area -> {
            area.done(SHORT, "Show result", () -> shown[0]++);
            ((Hyperlink) area.view().lookup("#notice-action")).fire();
        })).isEmpty();
        assertThat(shown[0]).isEqualTo(1);
    }

    /// The notices, after CSS and layout.
    private List<HBox> shown(Consumer<NotificationArea> tell) throws Exception {
        return WaitForAsyncUtils.asyncFx(() -> {
            NotificationArea area =
                    new NotificationArea(new InlineUi(), log, () -> false, new SimpleObjectProperty<>(1.0));
            Scene scene = new Scene(new VBox(area.view()), 800, 600);
            new Appearance(Shade.LIGHT).dress(scene);
            tell.accept(area);
            Parent root = scene.getRoot();
            root.applyCss();
            root.layout();
            return ((VBox) area.view()).getChildren().stream().map(HBox.class::cast).toList();
        }).get(20, TimeUnit.SECONDS);
    }

    private static String hue(Color color) {
        double degrees = color.getHue();
        return degrees < 20 || degrees > 340 ? "red" : degrees < 70 ? "yellow"
                : degrees < 170 ? "green"
                : color.toString();
    }
}
