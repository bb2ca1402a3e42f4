package org.inferometer.ui.designer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;

/// The selected backend or target and its options. Belongs to the UI thread.
public final class BackendForm {
    private final Runnable changed;
    private final ObservableList<BackendChoice> choices = FXCollections.observableArrayList();
    private final ObjectProperty<BackendChoice> chosen;
    private final Map<BackendChoice, List<OptionViewModel>> options = new LinkedHashMap<>();
    private final ObservableList<Selection> others = FXCollections.observableArrayList();

    /// @param backends at least one, the default first
    /// @param changed called on every change
    BackendForm(List<BackendChoice> backends, Runnable changed) {
        this.changed = changed;
        choices.setAll(backends);
        chosen = new SimpleObjectProperty<>(backends.getFirst());
        backends.forEach(this::addOptions);
        chosen.addListener((observed, before, now) -> {
            others.clear();
            changed.run();
        });
    }

    private void addOptions(BackendChoice backend) {
        if (!options.containsKey(backend)) {
            List<OptionViewModel> fields = backend.options().stream().map(OptionViewModel::new).toList();
            fields.forEach(option -> option.text().addListener((observed, before, now) -> changed.run()));
            options.put(backend, fields);
        }
    }

    /// Replaces what can be chosen. A chosen backend that is not among them gives way to the first.
    ///
    /// @param backends at least one
    void offer(List<BackendChoice> backends) {
        backends.forEach(this::addOptions);
        BackendChoice before = chosen.get();
        Selection typed = OptionViewModel.selection(before.selection(), options());
        BackendChoice now = backends.stream().filter(each -> each.selection().name().equals(before.selection().name()))
                .findFirst().orElse(backends.getFirst());
        if (!choices.contains(now)) {
            choices.add(now);
        }
        if (!now.equals(before)) {
            chosen.set(now);
            if (now.selection().name().equals(before.selection().name())) {
                OptionViewModel.load(options(), typed);
            }
        }
        choices.setAll(backends);
        chosen.set(now);
    }

    /// What can be chosen.
    ObservableList<BackendChoice> choices() {
        return choices;
    }

    /// Loads the backend or the targets of an experiment. The first is shown; the others stay until another kind is
    /// chosen. One of an unknown kind is left alone.
    void load(List<Selection> selections) {
        selections.stream().findFirst().ifPresent(this::load);
        others.setAll(selections.stream().skip(1).toList());
    }

    private void load(Selection selection) {
        choices.stream().filter(backend -> backend.selection().name().equals(selection.name())).findFirst()
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

    public List<OptionViewModel> options() {
        return options.getOrDefault(chosen.get(), List.of());
    }

    /// A backend of this machine, or an external target.
    ///
    /// @param label "CPU (host), 2 threads"
    /// @param outside whether it is an external target with its own model and scheduler
    public record BackendChoice(Selection selection, String label, List<OptionDescription> options, boolean outside) {
        @Override
        public String toString() {
            return label;
        }
    }
}
