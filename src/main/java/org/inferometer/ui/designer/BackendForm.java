package org.inferometer.ui.designer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import org.inferometer.options.Selection;

/// What computes, and the options it is given: lanes, threads of a lane and the like. Belongs to the UI thread.
public final class BackendForm {
    private final ObjectProperty<BackendChoice> chosen;
    private final Map<BackendChoice, List<OptionViewModel>> options;

    /// @param backends at least one, the default first
    /// @param changed told of every change
    BackendForm(List<BackendChoice> backends, Runnable changed) {
        chosen = new SimpleObjectProperty<>(backends.getFirst());
        options = backends.stream()
                .collect(Collectors.toMap(Function.identity(),
                        backend -> backend.options().stream().map(OptionViewModel::new).toList(), (one, other) -> one,
                        LinkedHashMap::new));
        chosen.addListener((observed, before, now) -> changed.run());
        options.values().stream().flatMap(List::stream)
                .forEach(option -> option.text().addListener((observed, before, now) -> changed.run()));
    }

    /// Takes over a selection; one of an unknown backend is left alone.
    void load(Selection selection) {
        options.keySet().stream().filter(backend -> backend.selection().name().equals(selection.name())).findFirst()
                .ifPresent(backend -> {
                    chosen.set(backend);
                    options().forEach(option -> {
                        option.reset();
                        selection.options().forEach((word, value) -> {
                            if (option.description().answersTo(word)) {
                                option.text().set(value);
                            }
                        });
                    });
                });
    }

    /// The backend as specifications write it.
    Selection selection() {
        Map<String, String> words = new LinkedHashMap<>(chosen.get().selection().options());
        options().forEach(option -> option.changed().ifPresent(value -> words.put(option.description().name(), value)));
        return new Selection(chosen.get().selection().name(), words);
    }

    /// Whether a target outside this program is chosen, so that there is no engine and no scheduler to choose.
    public boolean outside() {
        return chosen.get().outside();
    }

    /// What computes.
    public ObjectProperty<BackendChoice> chosen() {
        return chosen;
    }

    /// Its options.
    public List<OptionViewModel> options() {
        return options.getOrDefault(chosen.get(), List.of());
    }
}
