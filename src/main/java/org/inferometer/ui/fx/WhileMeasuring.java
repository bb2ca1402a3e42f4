package org.inferometer.ui.fx;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.jspecify.annotations.Nullable;

/// The rule for the window's work while an experiment runs: small work is noted in the record of the run, heavy work waits for
/// the end unless the user wants it now (docs/decisions/0034).
///
/// Belongs to the UI thread, except [#begun].
public final class WhileMeasuring {
    private final Function<WindowWork, Answer> question;
    private final ObservableList<Postponed> postponed = FXCollections.observableArrayList();
    private final Set<Going> going = new LinkedHashSet<>(); // under the monitor
    private volatile @Nullable Notes notes;
    private @Nullable String view;
    private Runnable viewEnds = () -> {};

    /// What the user wants with heavy work.
    public enum Answer {
        AFTERWARDS, NOW, NOT_AT_ALL
    }

    /// Notes work for the record of the current run. Thread-safe.
    public interface Notes {
        /// Work begins.
        ///
        /// @return called at its end
        Runnable begin(String work);
    }

    /// Heavy work that waits for the end of the experiment.
    public record Postponed(WindowWork work, Runnable start) {}

    /// Work that has begun and not ended.
    private static final class Going {
        private final String label;
        private Runnable noteEnd = () -> {};

        private Going(String label) {
            this.label = label;
        }
    }

    /// @param question asks what to do with heavy work; returns after the answer
    public WhileMeasuring(Function<WindowWork, Answer> question) {
        this.question = question;
    }

    /// An experiment begins, maybe beside work that began before.
    public void begin(Notes ofExperiment) {
        synchronized (this) {
            notes = ofExperiment;
            going.forEach(work -> work.noteEnd = ofExperiment.begin(work.label));
        }
        noteView();
    }

    /// The experiment has ended: starts what waited, in order.
    public void end() {
        viewEnds.run();
        viewEnds = () -> {};
        notes = null;
        List<Postponed> waiting = List.copyOf(postponed);
        postponed.clear();
        waiting.forEach(each -> each.start().run());
    }

    /// Another view than that of the experiment is shown, and draws; null for that of the experiment.
    public void showView(@Nullable String label) {
        view = label;
        noteView();
    }

    private void noteView() {
        viewEnds.run();
        Notes now = notes;
        viewEnds = now == null || view == null ? () -> {} : now.begin(view);
    }

    /// Starts work now or at the end of the experiment, or not at all.
    ///
    /// @param notNow called if it does not start now
    void admit(WindowWork work, Runnable start, Runnable notNow) {
        Answer answer = notes == null || work.weight() != WindowWork.Weight.HEAVY ? Answer.NOW : question.apply(work);
        // The experiment may have ended during the question.
        if (answer == Answer.NOW || (answer == Answer.AFTERWARDS && notes == null)) {
            start.run();
            return;
        }
        if (answer == Answer.AFTERWARDS) {
            postponed.add(new Postponed(work, start));
        }
        notNow.run();
    }

    /// Notes work that begins. Thread-safe.
    ///
    /// @return called at its end
    synchronized Runnable begun(WindowWork work) {
        if (work.weight() == WindowWork.Weight.NONE) {
            return () -> {};
        }
        Going begun = new Going(work.label());
        Notes now = notes;
        if (now != null) {
            begun.noteEnd = now.begin(begun.label);
        }
        going.add(begun);
        return () -> ended(begun);
    }

    private synchronized void ended(Going work) {
        going.remove(work);
        work.noteEnd.run();
    }

    /// What waits for the end of the experiment. Removing an entry drops its work.
    public ObservableList<Postponed> postponed() {
        return postponed;
    }
}
