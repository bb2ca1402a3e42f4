package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import javafx.event.Event;
import javafx.scene.Scene;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.StackPane;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class SearchFieldsTest {
    @Test
    void escapeClearsATextAndLeavesAnEmptyField() throws Exception {
        FxToolkit.registerPrimaryStage();
        WaitForAsyncUtils.asyncFx(() -> {
            int[] passed = {0};
            TextField field = SearchFields.of("find", "Find");
            StackPane around = new StackPane(field);
            around.addEventHandler(KeyEvent.KEY_PRESSED, event -> passed[0]++);
            new Scene(around, 300, 60).snapshot(null);
            assertThat(field.getAccessibleText()).isEqualTo("Find");
            field.setText("tiny");
            assertThat(field.lookup(".clear-button")).isNotNull();
            escape(field);
            assertThat(field.getText()).isEmpty();
            assertThat(passed[0]).as("the dialog around stays open").isZero();
            escape(field);
            assertThat(passed[0]).isOne();
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    private static void escape(TextField field) {
        Event.fireEvent(field, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ESCAPE, false, false, false, false));
    }
}
