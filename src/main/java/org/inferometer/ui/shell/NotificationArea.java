package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TailRow;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.shell.NoticeLog.Severity;
import org.inferometer.ui.theme.StyleClasses;

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
    private final VBox stack = Panes.named("notices", new VBox(8), StyleClasses.NOTICES);

    /// @param quiet whether successes are only kept now
    /// @param textScale size of texts as a share of the usual one
    NotificationArea(Ticks ticks, NoticeLog log, BooleanSupplier quiet, ObservableValue<Double> textScale) {
        this.textScale = textScale;
        this.ticks = ticks;
        this.log = log;
        this.quiet = quiet;
        stack.setAlignment(Pos.BOTTOM_RIGHT);
        stack.setPickOnBounds(false);
        stack.setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
    }

    Region view() {
        return stack;
    }

    @Override
    public void done(String sentence) {
        tell(sentence, Severity.DONE, Optional.empty());
    }

    @Override
    public void caution(String sentence) {
        tell(sentence, Severity.CAUTION, Optional.empty());
    }

    @Override
    public void problem(String sentence) {
        tell(sentence, Severity.PROBLEM, Optional.empty());
    }

    @Override
    public void done(String sentence, String action, Runnable onAction) {
        tell(sentence, Severity.DONE, Optional.of(new NoticeLog.Offer(action, onAction)));
    }

    @Override
    public void caution(String sentence, String action, Runnable onAction) {
        tell(sentence, Severity.CAUTION, Optional.of(new NoticeLog.Offer(action, onAction)));
    }

    private void tell(String sentence, Severity severity, Optional<NoticeLog.Offer> offer) {
        log.add(sentence, severity, offer);
        if (severity != Severity.PROBLEM && quiet.getAsBoolean()) {
            return;
        }
        Label words = Labels.wrapped(sentence);
        Hyperlink link = Buttons.link("notice-action", offer.map(NoticeLog.Offer::label).orElse(""), () -> {});
        link.setMinWidth(Region.USE_PREF_SIZE);
        Region notice = show(offer.isPresent() ? new TailRow(words, link) : words, severity);
        link.setOnAction(event -> {
            stack.getChildren().remove(notice);
            offer.ifPresent(each -> each.onAction().run());
        });
        Ticks.Beat[] beat = new Ticks.Beat[1];
        beat[0] = ticks.every(severity == Severity.PROBLEM ? PROBLEM_SHOWN : SHOWN, () -> {
            beat[0].stop();
            stack.getChildren().remove(notice);
        });
    }

    /// Icon, content and a button that closes, in a row as high as the content.
    private Region show(Region content, Severity severity) {
        Button close = Panes.styled(Buttons.icon("notice-close", "mdal-close", text("notice.close"), () -> {}),
                StyleClasses.TILE_TOOL);
        HBox.setHgrow(content, Priority.ALWAYS);
        HBox notice = Panes.styled(Panes.topRow(10, Labels.icon(severity.icon(), severity.iconStyle()), content, close),
                StyleClasses.NOTICE, severity.noticeStyle(), Styles.ELEVATED_2);
        notice.prefWidthProperty().bind(textScale.map(scale -> WIDTH * scale));
        notice.maxWidthProperty().bind(notice.prefWidthProperty());
        notice.setMinHeight(Region.USE_PREF_SIZE);
        close.setOnAction(event -> stack.getChildren().remove(notice));
        stack.getChildren().add(notice);
        while (stack.getChildren().size() > MOST) {
            stack.getChildren().removeFirst();
        }
        return notice;
    }
}
