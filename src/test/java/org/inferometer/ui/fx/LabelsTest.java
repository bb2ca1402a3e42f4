package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import javafx.scene.control.Label;
import javafx.scene.text.Font;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class LabelsTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void cellsGrowWithTheSizeOfTexts() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            Label usual = Labels.cell("a sentence", 300);
            usual.setFont(Font.font(14));
            assertThat(usual.prefWidth(-1)).isEqualTo(300);
            Label large = Labels.cell("a sentence", 300);
            large.setFont(Font.font(21));
            assertThat(large.prefWidth(-1)).isEqualTo(450);
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void unitsStayWithTheirNumbers() {
        assertThat(Labels.unbroken("4 runs. Weights 15.0 MiB and 64 B, 100 ms each, 12.5 % of 24.0 GiB, 3 tok/s."))
                .isEqualTo(
                        "4 runs. Weights 15.0\u00a0MiB and 64\u00a0B, 100\u00a0ms each, 12.5\u00a0% of 24.0\u00a0GiB, 3\u00a0tok/s.");
        assertThat(Labels.unbroken("2 schedulers of 3 Bench views, 1 minute"))
                .isEqualTo("2 schedulers of 3 Bench views, 1 minute");
    }
}
