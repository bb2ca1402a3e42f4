package org.inferometer.ui.shell;

import java.time.Instant;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
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
    /// @param problem whether something failed
    /// @param offer what can be done about it
    record Notice(Instant time, String sentence, boolean problem, Optional<Offer> offer) {}

    /// A button beside a notice.
    record Offer(String label, Runnable deed) {}

    Notice add(String sentence, boolean problem, Optional<Offer> offer) {
        Notice notice = new Notice(clock.wall(), sentence, problem, offer);
        notices.addFirst(notice);
        if (notices.size() > MOST) {
            notices.removeLast();
        }
        unseen.set(Math.min(MOST, unseen.get() + 1));
        this.problem.set(this.problem.get() || problem);
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
