package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.ui.fx.UndoStack;
import org.jspecify.annotations.Nullable;

/// The baseline and the pinned candidates of the next comparison. Each change is a step of undo. Belongs to the UI thread.
public final class PinnedResults {
    static final int MOST = 1 + ComparisonViewModel.MOST_MORE;
    private final UndoStack undo;
    private final ReadOnlyObjectWrapper<Chosen> chosen = new ReadOnlyObjectWrapper<>(Chosen.NONE);

    /// @param baseline null for none
    /// @param pinned in the order in which they were pinned
    record Chosen(@Nullable ResultRow baseline, List<ResultRow> pinned) {
        static final Chosen NONE = new Chosen(null, List.of());

        boolean isEmpty() {
            return baseline == null && pinned.isEmpty();
        }

        /// "Baseline: quick · 2 pinned".
        String words() {
            List<String> words = new ArrayList<>();
            if (baseline != null) {
                words.add(text("pinned.baseline", baseline.name()));
            }
            if (!pinned.isEmpty()) {
                words.add(counted("pinned.count", pinned.size()));
            }
            return String.join(" · ", words);
        }

        private Chosen without(ResultRow row) {
            return new Chosen(baseline != null && same(baseline, row) ? null : baseline,
                    pinned.stream().filter(each -> !same(each, row)).toList());
        }
    }

    public PinnedResults(UndoStack undo) {
        this.undo = undo;
    }

    private static boolean same(ResultRow one, ResultRow other) {
        return one.folder().equals(other.folder());
    }

    /// Makes a result the baseline; the baseline itself is no longer one.
    void setBaseline(ResultRow row) {
        ResultRow before = chosen.get().baseline();
        change(before != null && same(before, row) ? chosen.get().without(row)
                : new Chosen(row, chosen.get().without(row).pinned()));
    }

    /// Pins results, at most [#MOST]; those that all are pinned are no longer. A pinned baseline is a candidate.
    ///
    /// @return whether there was room for all
    boolean pin(List<ResultRow> rows) {
        Chosen next = chosen.get();
        boolean remove =
                rows.stream().allMatch(row -> chosen.get().pinned().stream().anyMatch(each -> same(each, row)));
        for (ResultRow row : rows) {
            next = next.without(row);
        }
        List<ResultRow> pinned = new ArrayList<>(next.pinned());
        if (!remove) {
            pinned.addAll(rows);
        }
        boolean room = pinned.size() <= MOST;
        change(new Chosen(next.baseline(), List.copyOf(room ? pinned : pinned.subList(0, MOST))));
        return room;
    }

    /// Forgets baseline and pins.
    void clear() {
        change(Chosen.NONE);
    }

    private void change(Chosen next) {
        Chosen before = chosen.get();
        if (!before.equals(next)) {
            chosen.set(next);
            undo.push(new UndoStack.Step(text("undo.pinned"), () -> chosen.set(before), () -> chosen.set(next)));
        }
    }

    /// What is compared: the baseline, else the oldest, with the pinned results and another one.
    ///
    /// @param other the selected or open result; null for none
    /// @param there folders that still have a result
    /// @return the base first; empty without a choice
    List<ResultRow> compared(@Nullable ResultRow other, List<Path> there) {
        if (chosen.get().isEmpty()) {
            return List.of();
        }
        List<ResultRow> rows = new ArrayList<>(chosen.get().pinned());
        Optional.ofNullable(other).filter(row -> rows.stream().noneMatch(each -> same(each, row))).ifPresent(rows::add);
        ResultRow baseline = chosen.get().baseline();
        if (baseline == null) {
            rows.sort(Comparator.comparing(ResultRow::added));
        } else {
            rows.removeIf(row -> same(row, baseline));
            rows.addFirst(baseline);
        }
        return rows.stream().filter(row -> there.contains(row.folder())).toList();
    }

    /// Baseline and pins.
    ReadOnlyObjectProperty<Chosen> chosen() {
        return chosen.getReadOnlyProperty();
    }
}
