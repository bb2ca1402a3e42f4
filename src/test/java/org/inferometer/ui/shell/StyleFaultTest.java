package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.layout.StackPane;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.CssFaults;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class StyleFaultTest {
    @Test
    void aColourThatNobodyDefinesIsNoticed() throws Exception {
        FxToolkit.registerPrimaryStage();
        CssFaults faults = WaitForAsyncUtils.asyncFx(() -> {
            CssFaults listening = new CssFaults();
            listening.listen();
            Label label = new Label("x");
            label.setStyle("-fx-text-fill: -no-such-colour;");
            Scene scene = new Scene(new StackPane(label), 100, 100);
            new Appearance(Shade.DARK).dress(scene);
            scene.snapshot(null);
            listening.stop();
            return listening;
        }).get(20, TimeUnit.SECONDS);
        assertThat(faults.all()).isNotEmpty();
    }
}
