package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import javafx.css.PseudoClass;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.shell.NoticeLog.Notice;
import org.kordamp.ikonli.javafx.FontIcon;

/// Keeps what the window has told: the number of new notices, red if one is a problem, and all of them when it is opened.
final class NoticeBell extends MenuButton {
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
