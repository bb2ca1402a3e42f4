package org.inferometer.ui.shell;

import atlantafx.base.controls.Notification;
import atlantafx.base.theme.Styles;
import java.time.Duration;
import javafx.geometry.Pos;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// Notifications at the lower right, at most three. Successes disappear after six seconds, problems stay until closed.
final class NotificationArea implements Notifier {
    private static final int MOST = 3;
    private static final Duration SHOWN = Duration.ofSeconds(6);
    private final Ticks ticks;
    private final VBox stack = new VBox(8);

    NotificationArea(Ticks ticks) {
        this.ticks = ticks;
        stack.setId("notices");
        stack.setAlignment(Pos.BOTTOM_RIGHT);
        stack.setPickOnBounds(false);
        stack.setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        stack.getStyleClass().add(StyleClasses.NOTICES);
    }

    Region view() {
        return stack;
    }

    @Override
    public void done(String sentence) {
        Notification notice = show(sentence, "mdal-check_circle", Styles.SUCCESS);
        Ticks.Beat[] beat = new Ticks.Beat[1];
        beat[0] = ticks.every(SHOWN, () -> {
            beat[0].stop();
            stack.getChildren().remove(notice);
        });
    }

    @Override
    public void problem(String sentence) {
        show(sentence, "mdal-error", Styles.DANGER);
    }

    private Notification show(String sentence, String icon, String styleClass) {
        Notification notice = new Notification(sentence, new FontIcon(icon));
        notice.getStyleClass().addAll(styleClass, Styles.ELEVATED_2);
        notice.setPrefWidth(380);
        notice.setMaxWidth(380);
        notice.setOnClose(event -> stack.getChildren().remove(notice));
        stack.getChildren().add(notice);
        while (stack.getChildren().size() > MOST) {
            stack.getChildren().removeFirst();
        }
        return notice;
    }
}
