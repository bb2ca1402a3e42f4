package org.inferometer.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.Font;
import java.util.concurrent.TimeUnit;
import javafx.scene.canvas.Canvas;
import org.jfree.fx.FXGraphics2D;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class LettersTest {
    private static final String TEXT = "no detectable difference";

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void aTextOnTheScreenIsMeasuredInItsOwnFont() throws Exception {
        Font small = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
        double[] widths = WaitForAsyncUtils.asyncFx(() -> {
            FXGraphics2D g2 = new FXGraphics2D(new Canvas(10, 10).getGraphicsContext2D());
            g2.setFont(small);
            Letters letters = new Letters(g2, small.deriveFont(22f));
            return new double[]{new Letters(g2, small).width(TEXT), letters.width(TEXT)};
        }).get(20, TimeUnit.SECONDS);
        assertThat(widths[1]).isCloseTo(2 * widths[0], within(0.05 * widths[1]));
    }
}
