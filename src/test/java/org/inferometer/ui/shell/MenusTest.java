package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.event.Event;
import javafx.event.EventType;
import javafx.scene.Scene;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Action;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class MenusTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void fieldThatALetterOpensDoesNotGetTheLetter() throws Exception {
        String text = WaitForAsyncUtils.asyncFx(() -> {
            TextField field = new TextField("Marker 1");
            Action marker = Action.of(Action.Group.RUN, "menu.marker", "M", () -> {
                field.requestFocus();
                field.selectAll();
            });
            VBox other = new VBox();
            other.setFocusTraversable(true);
            Scene scene =
                    new Scene(new VBox(Menus.create(List.of(marker), List.of(), List.of()), other, field), 400, 200);
            scene.snapshot(null);
            other.requestFocus();
            key(scene, KeyEvent.KEY_PRESSED, KeyCode.M, "");
            key(scene, KeyEvent.KEY_TYPED, KeyCode.UNDEFINED, "m");
            String opened = field.getText();
            key(scene, KeyEvent.KEY_PRESSED, KeyCode.A, "");
            key(scene, KeyEvent.KEY_TYPED, KeyCode.UNDEFINED, "a");
            return opened + ", " + field.getText();
        }).get(20, TimeUnit.SECONDS);

        assertThat(text).isEqualTo("Marker 1, a");
    }

    private static void key(Scene scene, EventType<KeyEvent> type, KeyCode code, String character) {
        Event.fireEvent(scene.getFocusOwner(), new KeyEvent(type, type == KeyEvent.KEY_TYPED ? character : "",
                character, code, false, false, false, false));
    }
}
