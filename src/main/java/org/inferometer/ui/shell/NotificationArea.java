package org.inferometer.ui.shell;

import atlantafx.base.controls.Notification;
import atlantafx.base.theme.Styles;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.shell.NoticeLog.Severity;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// Notifications at the lower right, at most three. Successes disappear after six seconds, problems after twenty. All of them are kept in
/// a log, which the bell shows; while charts would disturb a measurement, only problems are shown.
final class NotificationArea implements Notifier {
    private static final int MOST = 3;
    /// Of a notice with texts of the usual size.
    private static final double WIDTH = 380;
    private static final Duration SHOWN = Duration.ofSeconds(6);
    private static final Duration PROBLEM_SHOWN = Duration.ofSeconds(20);
    private final Ticks ticks;
    private final NoticeLog log;
    private final BooleanSupplier quiet;
    private final ObservableValue<Double> textScale;
    private final VBox stack = new VBox(8);

    /// @param quiet whether successes are only kept now
    /// @param textScale size of texts as a share of the usual one
    NotificationArea(Ticks ticks, NoticeLog log, BooleanSupplier quiet, ObservableValue<Double> textScale) {
        this.textScale = textScale;
        this.ticks = ticks;
        this.log = log;
        this.quiet = quiet;
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
        tell(sentence, Severity.DONE);
    }

    @Override
    public void caution(String sentence) {
        tell(sentence, Severity.CAUTION);
    }

    private void tell(String sentence, Severity severity) {
        log.add(sentence, severity, Optional.empty());
        if (!quiet.getAsBoolean()) {
            end(show(sentence, severity), SHOWN);
        }
    }

    @Override
    public void done(String sentence, String action, Runnable deed) {
        tell(sentence, Severity.DONE, action, deed);
    }

    @Override
    public void caution(String sentence, String action, Runnable deed) {
        tell(sentence, Severity.CAUTION, action, deed);
    }

    private void tell(String sentence, Severity severity, String action, Runnable deed) {
        log.add(sentence, severity, Optional.of(new NoticeLog.Offer(action, deed)));
        if (quiet.getAsBoolean()) {
            return;
        }
        Notification notice = show(sentence, severity);
        Button button = Buttons.of("notice-action", "mdmz-open_in_new", action, () -> {
            stack.getChildren().remove(notice);
            deed.run();
        });
        button.getStyleClass().addAll(Styles.FLAT, Styles.ACCENT);
        notice.getPrimaryActions().add(button);
        end(notice, SHOWN);
    }

    private void end(Notification notice, Duration shown) {
        Ticks.Beat[] beat = new Ticks.Beat[1];
        beat[0] = ticks.every(shown, () -> {
            beat[0].stop();
            stack.getChildren().remove(notice);
        });
    }

    @Override
    public void problem(String sentence) {
        log.add(sentence, Severity.PROBLEM, Optional.empty());
        end(show(sentence, Severity.PROBLEM), PROBLEM_SHOWN);
    }

    private Notification show(String sentence, Severity severity) {
        Notification notice = new Notification(sentence, new FontIcon(severity.icon()));
        notice.getStyleClass().addAll(severity.noticeStyle(), Styles.ELEVATED_2);
        notice.prefWidthProperty().bind(textScale.map(scale -> WIDTH * scale));
        notice.maxWidthProperty().bind(notice.prefWidthProperty());
        notice.setOnClose(event -> stack.getChildren().remove(notice));
        stack.getChildren().add(notice);
        while (stack.getChildren().size() > MOST) {
            stack.getChildren().removeFirst();
        }
        return notice;
    }
}
