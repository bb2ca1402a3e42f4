package org.inferometer.ui.shell;

import atlantafx.base.theme.Styles;
import java.time.Instant;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.Clock;

/// What the window has told since its start, the newest first; at most a hundred. Belongs to the UI thread.
final class NoticeLog {
    private static final int MOST = 100;

    private final Clock clock;
    private final ObservableList<Notice> notices = FXCollections.observableArrayList();
    private final ReadOnlyIntegerWrapper unseen = new ReadOnlyIntegerWrapper();
    private final ReadOnlyBooleanWrapper problem = new ReadOnlyBooleanWrapper();

    NoticeLog(Clock clock) {
        this.clock = clock;
    }

    /// Something the window told.
    ///
    /// @param offer what can be done about it
    record Notice(Instant time, String sentence, Severity severity, Optional<Offer> offer) {}

    /// How bad a notice is, with its icon.
    enum Severity {
        DONE("mdal-check_circle", StyleClasses.STATE_ENDED, Styles.SUCCESS),
        CAUTION("mdmz-warning", StyleClasses.STATE_CAUTION, Styles.WARNING),
        PROBLEM("mdal-error", StyleClasses.STATE_FAILED, Styles.DANGER);

        private final String icon;
        private final String iconStyle;
        private final String noticeStyle;

        Severity(String icon, String iconStyle, String noticeStyle) {
            this.icon = icon;
            this.iconStyle = iconStyle;
            this.noticeStyle = noticeStyle;
        }

        String icon() {
            return icon;
        }

        /// Style class of the icon in the list.
        String iconStyle() {
            return iconStyle;
        }

        /// Style class of the notice over the window.
        String noticeStyle() {
            return noticeStyle;
        }
    }

    /// A button beside a notice.
    record Offer(String label, Runnable onAction) {}

    Notice add(String sentence, Severity severity, Optional<Offer> offer) {
        Notice notice = new Notice(clock.wall(), sentence, severity, offer);
        notices.addFirst(notice);
        if (notices.size() > MOST) {
            notices.removeLast();
        }
        unseen.set(Math.min(MOST, unseen.get() + 1));
        problem.set(problem.get() || severity == Severity.PROBLEM);
        return notice;
    }

    /// The newest first.
    ObservableList<Notice> notices() {
        return notices;
    }

    /// How many were added since [#seen].
    ReadOnlyIntegerProperty unseen() {
        return unseen.getReadOnlyProperty();
    }

    /// Whether one of them is a problem.
    ReadOnlyBooleanProperty unseenProblem() {
        return problem.getReadOnlyProperty();
    }

    /// The user looks at them now.
    void seen() {
        unseen.set(0);
        problem.set(false);
    }

    void clear() {
        notices.clear();
        seen();
    }
}
