package org.inferometer.ui.designer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.options.Selection;

/// The selected backend or target and its options. Belongs to the UI thread.
public final class BackendForm {
    private final ObjectProperty<BackendChoice> chosen;
    private final Map<BackendChoice, List<OptionViewModel>> options;
    private final ObservableList<Selection> others = FXCollections.observableArrayList();

    /// @param backends at least one, the default first
    /// @param changed called on every change
    BackendForm(List<BackendChoice> backends, Runnable changed) {
        chosen = new SimpleObjectProperty<>(backends.getFirst());
        options = backends.stream()
                .collect(Collectors.toMap(Function.identity(),
                        backend -> backend.options().stream().map(OptionViewModel::new).toList(), (one, other) -> one,
                        LinkedHashMap::new));
        chosen.addListener((observed, before, now) -> {
            others.clear();
            changed.run();
        });
        options.values().stream().flatMap(List::stream)
                .forEach(option -> option.text().addListener((observed, before, now) -> changed.run()));
    }

    /// Loads the backend or the targets of an experiment. The first is shown; the others stay until another kind is
    /// chosen. One of an unknown kind is left alone.
    void load(List<Selection> selections) {
        selections.stream().findFirst().ifPresent(this::load);
        others.setAll(selections.stream().skip(1).toList());
    }

    private void load(Selection selection) {
        options.keySet().stream().filter(backend -> backend.selection().name().equals(selection.name())).findFirst()
                .ifPresent(backend -> {
                    chosen.set(backend);
                    OptionViewModel.load(options(), selection);
                });
    }

    /// The backend, or the targets, as specifications write them.
    List<Selection> selections() {
        return Stream.concat(Stream.of(OptionViewModel.selection(chosen.get().selection(), options())), others.stream())
                .toList();
    }

    /// The targets beside the one that the form shows.
    public ObservableList<Selection> others() {
        return others;
    }

    /// Whether an external target is selected.
    public boolean outside() {
        return chosen.get().outside();
    }

    /// The selected backend or target.
    public ObjectProperty<BackendChoice> chosen() {
        return chosen;
    }

    /// Its options.
    public List<OptionViewModel> options() {
        return options.getOrDefault(chosen.get(), List.of());
    }
}
