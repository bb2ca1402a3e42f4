package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tooltip;
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
import org.inferometer.ui.shell.NoticeLog.Notice;
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

    /// Keeps what the window has told: the number of new notices, red if one is a problem, and all of them when it is opened.
    static final class NoticeBell extends MenuButton {
        private static final DateTimeFormatter SECOND =
                DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
        private static final PseudoClass PROBLEM = PseudoClass.getPseudoClass("problem");
        private static final double WIDTH = 380;
        private static final int SHOWN = 12;

        private final NoticeLog log;

        NoticeBell(NoticeLog log) {
            this.log = log;
            setId("notice-bell");
            setGraphic(new FontIcon("mdmz-notifications_none"));
            getStyleClass().addAll(Styles.FLAT, Styles.BUTTON_ICON, "no-arrow");
            setMinWidth(USE_PREF_SIZE);
            log.unseen().subscribe(count -> {
                setText(count.intValue() == 0 ? "" : String.valueOf(count));
                String words = count.intValue() == 0 ? text("notices.bell-none") : text("notices.bell", count);
                setTooltip(new Tooltip(words));
                setAccessibleText(words);
            });
            log.unseenProblem().subscribe(problem -> pseudoClassStateChanged(PROBLEM, problem));
            // A menu without items does not open.
            getItems().setAll(new MenuItem(text("notices.none")));
            setOnShowing(event -> {
                fill();
                log.seen();
            });
        }

        private void fill() {
            if (log.notices().isEmpty()) {
                MenuItem none = new MenuItem(text("notices.none"));
                none.setDisable(true);
                getItems().setAll(none);
                return;
            }
            getItems().clear();
            // What does not fit a small screen can be reached by nobody: the newest are shown.
            log.notices().stream().limit(SHOWN).forEach(notice -> getItems().add(item(notice)));
            getItems().addAll(new SeparatorMenuItem(),
                    Buttons.item("notices-clear", text("notices.clear", log.notices().size()), log::clear));
        }

        private CustomMenuItem item(Notice notice) {
            // A menu asks for heights without a width.
            VBox box = new VBox(2, Labels.of(SECOND.format(notice.time()), Styles.TEXT_MUTED, Styles.TEXT_SMALL),
                    Labels.cell(notice.sentence(), WIDTH));
            notice.offer().ifPresent(
                    offer -> box.getChildren().add(Panes.row(0, Buttons.link("notice-offer", offer.label(), () -> {
                        hide();
                        offer.onAction().run();
                    }))));
            // The icon stands at the first line, what can be done below the sentence.
            CustomMenuItem item = new CustomMenuItem(
                    Panes.topRow(8, Labels.icon(notice.severity().icon(), notice.severity().iconStyle()), box), false);
            item.setOnAction(event -> notice.offer().ifPresent(offer -> {
                hide();
                offer.onAction().run();
            }));
            return item;
        }
    }
}
