package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/// The engines of the form. Belongs to the UI thread.
public final class EngineChoices {
    private static final String FAMILY_OF_FIRST_RUN = "tiny-";
    private static final int MOST_SHOWN = 8;
    private final ObservableList<EngineChoice> all = FXCollections.observableArrayList();
    private final ReadOnlyStringWrapper error = new ReadOnlyStringWrapper("");
    private final Runnable changed;

    /// @param changed called on every change
    EngineChoices(Runnable changed) {
        this.changed = changed;
    }

    /// Replaces the engines and selects those of the names that can be used.
    void offer(List<EngineChoice> choices, Collection<String> names) {
        for (EngineChoice choice : choices) {
            choice.selected().set(choice.usable() && names.contains(choice.name()));
            choice.selected().addListener((observed, before, now) -> changed.run());
        }
        all.setAll(choices);
        changed.run();
    }

    /// Selects the engines of these names; no other.
    void select(Collection<String> names) {
        all.forEach(choice -> choice.selected().set(choice.usable() && names.contains(choice.name())));
    }

    /// Names of the selected engines.
    List<String> ticked() {
        return all.stream().filter(choice -> choice.selected().get()).map(EngineChoice::name).toList();
    }

    /// Whether an engine is shown before "show all": when there are few, or it is selected, built or of the quick
    /// benchmark.
    public boolean shownFirst(EngineChoice choice) {
        return all.size() <= MOST_SHOWN || choice.selected().get() || choice.built()
                || choice.name().startsWith(FAMILY_OF_FIRST_RUN);
    }

    /// Fault of the selection, shown or not; empty without one.
    Optional<String> fault() {
        return ticked().isEmpty() ? Optional.of(text("designer.no-engine")) : Optional.empty();
    }

    /// Shows the fault of the selection.
    void check() {
        error.set(fault().orElse(""));
    }

    /// Hides the fault once it is mended.
    void forgive() {
        if (!ticked().isEmpty()) {
            error.set("");
        }
    }

    /// All engines, in the catalogue's order.
    public ObservableList<EngineChoice> all() {
        return all;
    }

    /// Fault of the selection, or empty.
    public ReadOnlyStringProperty error() {
        return error.getReadOnlyProperty();
    }
}
