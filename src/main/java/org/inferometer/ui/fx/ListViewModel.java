package org.inferometer.ui.fx;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.collections.transformation.FilteredList;
import org.jspecify.annotations.Nullable;

/// Entries that are read, filtered and selected: what an [EntryList] shows. Abstract, because the model of a view adds what can be done
/// with an entry. Belongs to the UI thread.
public abstract class ListViewModel<R> {
    private final ObservableList<R> all = FXCollections.observableArrayList();
    private final FilteredList<R> rows = new FilteredList<>(all);
    private final StringProperty filter = new SimpleStringProperty("");
    private final ObjectProperty<@Nullable R> selected = new SimpleObjectProperty<>();
    private final ReadOnlyBooleanWrapper loading = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");

    /// @param matches whether an entry has what was typed
    protected ListViewModel(BiPredicate<R, String> matches) {
        filter.addListener((observed, before, now) -> rows.setPredicate(row -> matches.test(row, now)));
    }

    /// The entries are being read.
    protected final void begin() {
        loading.set(true);
        problem.set("");
    }

    /// Shows entries and selects the first wanted one, else the first.
    protected final void show(List<R> found, Predicate<R> wanted) {
        loading.set(false);
        problem.set("");
        all.setAll(found);
        selected.set(rows.stream().filter(wanted).findFirst().orElse(rows.isEmpty() ? null : rows.getFirst()));
    }

    /// @param sentence why they could not be read
    protected final void fail(String sentence) {
        loading.set(false);
        problem.set(sentence);
    }

    /// Those that the filter shows.
    public final ObservableList<R> rows() {
        return rows;
    }

    /// All entries, whatever the filter shows.
    public final ObservableList<R> all() {
        return all;
    }

    /// What is typed into the filter.
    public final StringProperty filter() {
        return filter;
    }

    /// The selected entry; null for none.
    public final ObjectProperty<@Nullable R> selected() {
        return selected;
    }

    /// Whether they are being read.
    public final ReadOnlyBooleanProperty loading() {
        return loading.getReadOnlyProperty();
    }

    /// Why they could not be read; empty for none.
    public final ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }
}
