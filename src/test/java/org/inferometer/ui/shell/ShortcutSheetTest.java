package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import org.inferometer.ui.shell.WindowDialogs.ShortcutSheet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ShortcutSheetTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void theFirstPartHasAColumnAndTheOthersShareOne() throws Exception {
        List<String> placed =
                WaitForAsyncUtils
                        .asyncFx(() -> ShortcutSheet
                                .createView("F5   run it\n\nCharts\nEsc   release\n\nTimeline\nF, 0   show all")
                                .getChildren().stream().map(node -> GridPane.getRowIndex(node) + ","
                                        + GridPane.getColumnIndex(node) + " " + ((Label) node).getText())
                                .toList())
                        .get(20, TimeUnit.SECONDS);
        assertThat(placed).containsExactly("0,0 F5", "0,1 run it", "0,2 Charts", "1,2 Esc", "1,3 release", "2,2 ",
                "3,2 Timeline", "4,2 F, 0", "4,3 show all");
    }
}
