package org.inferometer.ui.designer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.options.Selection;
import org.inferometer.ui.designer.BackendForm.BackendChoice;

/// Servers and tools that are measured beside what the form runs on. Belongs to the UI thread.
public final class TargetForms {
    private final List<BackendChoice> kinds;
    private final Runnable changed;
    private final ObservableList<TargetForm> forms = FXCollections.observableArrayList();
    private int made;

    /// One target with its options.
    ///
    /// @param key prefix of the ids of its controls: "target-1"
    /// @param kept what it was loaded with and has no field, such as headers
    public record TargetForm(String key, BackendChoice kind, List<OptionViewModel> options, Selection kept) {
        Selection selection() {
            return OptionViewModel.selection(kept, options);
        }
    }

    /// @param choices backends and targets; only targets are offered
    /// @param changed called on every change
    TargetForms(List<BackendChoice> choices, Runnable changed) {
        this.kinds = choices.stream().filter(BackendChoice::outside).toList();
        this.changed = changed;
    }

    /// The kinds that can be added.
    List<BackendChoice> kinds() {
        return kinds;
    }

    /// The targets, in their order.
    ObservableList<TargetForm> forms() {
        return forms;
    }

    /// Loads the targets of an experiment. One of an unknown kind keeps its options.
    void load(List<Selection> targets) {
        forms.setAll(targets.stream().map(target -> {
            BackendChoice kind = kinds.stream().filter(each -> each.selection().name().equals(target.name()))
                    .findFirst().orElse(new BackendChoice(target, target.name(), List.of(), true));
            Map<String, String> kept = new LinkedHashMap<>(target.options());
            kind.options().forEach(option -> kept.keySet().removeIf(option::answersTo));
            TargetForm form = form(kind, new Selection(target.name(), kept));
            OptionViewModel.load(form.options(), target);
            return form;
        }).toList());
        changed.run();
    }

    /// Adds a target with default options.
    void add(BackendChoice kind) {
        forms.add(form(kind, kind.selection()));
        changed.run();
    }

    void remove(TargetForm form) {
        forms.remove(form);
        changed.run();
    }

    private TargetForm form(BackendChoice kind, Selection kept) {
        List<OptionViewModel> options = kind.options().stream().map(OptionViewModel::new).toList();
        options.forEach(option -> option.text().addListener((observed, before, now) -> changed.run()));
        return new TargetForm("target-" + ++made, kind, options, kept);
    }

    /// The targets as specifications write them.
    List<Selection> selections() {
        return forms.stream().map(TargetForm::selection).toList();
    }

    Stream<OptionViewModel> options() {
        return forms.stream().flatMap(form -> form.options().stream());
    }
}
