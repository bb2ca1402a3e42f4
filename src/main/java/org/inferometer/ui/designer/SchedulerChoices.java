package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerDescription;
import org.jspecify.annotations.Nullable;

/// The schedulers of the form, with added duplicates, and the baseline among them and the targets. Belongs to the UI thread.
public final class SchedulerChoices {
    private final List<SchedulerDescription<?>> descriptions;
    private final ObservableList<SchedulerChoice> all = FXCollections.observableArrayList();
    private final ObservableList<Baseline> baselines = FXCollections.observableArrayList();
    private final ObjectProperty<@Nullable Baseline> baseline = new SimpleObjectProperty<>();
    private final Runnable changed;
    private List<Baseline> targets = List.of();
    private boolean loading;

    /// A selected scheduler or a target as baseline.
    ///
    /// @param owner the [SchedulerChoice] or [TargetForms.TargetForm], by its identity
    /// @param label "parallel:streams=3", "vllm"
    public record Baseline(Object owner, String label) {
        @Override
        public String toString() {
            return label;
        }
    }

    /// @param changed called on every change
    SchedulerChoices(List<SchedulerDescription<?>> descriptions, Runnable changed) {
        this.descriptions = List.copyOf(descriptions);
        this.changed = changed;
        descriptions.forEach(description -> all.add(made(description, 1)));
        baseline.addListener((observed, before, now) -> {
            if (!loading) {
                changed.run();
            }
        });
    }

    private SchedulerChoice made(SchedulerDescription<?> description, int number) {
        SchedulerChoice choice = SchedulerChoice.of(description, number, descriptions);
        choice.selected().addListener((observed, before, now) -> touched());
        choice.options().forEach(option -> option.text().addListener((observed, before, now) -> touched()));
        return choice;
    }

    /// Adds a selected duplicate with the same options.
    public SchedulerChoice duplicate(SchedulerChoice like) {
        String name = like.description().name();
        int number = all.stream().filter(choice -> choice.description().name().equals(name))
                .mapToInt(SchedulerChoice::number).max().orElse(0) + 1;
        SchedulerChoice added = made(like.description(), number);
        for (int i = 0; i < like.options().size(); i++) {
            added.options().get(i).text().set(like.options().get(i).text().get());
        }
        int last = all.indexOf(like);
        while (last + 1 < all.size() && all.get(last + 1).description().name().equals(name)) {
            last++;
        }
        all.add(last + 1, added);
        added.selected().set(true);
        return added;
    }

    /// Removes a duplicate; the first of a name stays.
    public void remove(SchedulerChoice choice) {
        if (choice.number() > 1 && all.remove(choice)) {
            touched();
        }
    }

    /// Selects the schedulers of a specification with their options; removes other duplicates.
    void load(ExperimentSpec spec) {
        loading = true;
        all.removeIf(choice -> choice.number() > 1);
        Set<SchedulerChoice> used = new HashSet<>();
        List.copyOf(all).forEach(choice -> choice.selected().set(false));
        for (Selection wanted : spec.schedulers()) {
            all.stream().filter(choice -> choice.description().name().equals(wanted.name())).findFirst()
                    .ifPresent(first -> {
                        SchedulerChoice choice = used.add(first) ? first : duplicate(first);
                        choice.load(wanted);
                    });
        }
        loading = false;
        refreshBaselines(spec.baseline());
    }

    /// Offers the targets of the form as baselines, behind the schedulers.
    void offerTargets(List<TargetForms.TargetForm> forms) {
        targets = forms.stream().map(form -> new Baseline(form, new Subject.TargetSubject(form.selection()).system()))
                .toList();
        refreshBaselines(null);
    }

    /// The selected schedulers for a specification.
    public List<Selection> selections() {
        return ticked().stream().map(SchedulerChoice::selection).toList();
    }

    /// The selected schedulers.
    public List<SchedulerChoice> ticked() {
        return all.stream().filter(choice -> choice.selected().get()).toList();
    }

    /// The baseline for a specification; null if it is the first.
    @Nullable
    String baselineWord() {
        Baseline chosen = baseline.get();
        List<SchedulerChoice> ticked = ticked();
        return chosen == null || ticked.isEmpty() || ticked.getFirst() == chosen.owner() ? null : chosen.label();
    }

    /// Fault of the selection, or empty.
    public Optional<String> fault() {
        List<Selection> selections = selections();
        if (selections.isEmpty()) {
            return Optional.of(text("designer.no-scheduler"));
        }
        Set<Selection> seen = new HashSet<>();
        return selections.stream().filter(selection -> !seen.add(selection)).findFirst()
                .map(twice -> text("designer.scheduler-twice", twice));
    }

    boolean optionsAreRight() {
        return ticked().stream().flatMap(choice -> choice.options().stream()).allMatch(OptionViewModel::valid);
    }

    private void touched() {
        if (!loading) {
            refreshBaselines(null);
            changed.run();
        }
    }

    /// @param wanted of a specification; null keeps the current one
    private void refreshBaselines(@Nullable String wanted) {
        boolean before = loading;
        loading = true;
        Object kept = baseline.get() == null ? null : Objects.requireNonNull(baseline.get()).owner();
        List<Baseline> offered =
                Stream.concat(ticked().stream().map(choice -> new Baseline(choice, choice.selection().toString())),
                        targets.stream()).toList();
        Optional<Baseline> asked =
                offered.stream()
                        .filter(candidate -> wanted == null ? candidate.owner() == kept
                                : candidate.label().equals(wanted) || candidate.label().startsWith(wanted + ":"))
                        .findFirst();
        if (!baselines.equals(offered)) {
            baselines.setAll(offered);
        }
        baseline.set(asked.orElse(offered.isEmpty() ? null : offered.getFirst()));
        loading = before;
    }

    /// All schedulers, duplicates next to each other.
    public ObservableList<SchedulerChoice> all() {
        return all;
    }

    /// The possible baselines.
    public ObservableList<Baseline> baselines() {
        return baselines;
    }

    /// The baseline; null while no scheduler is selected.
    public ObjectProperty<@Nullable Baseline> baseline() {
        return baseline;
    }

    /// A scheduler to select, with its options. A scheduler can be listed several times with different options.
    ///
    /// @param number among those of its name, from 1; the first cannot be removed
    /// @param groups its options in groups
    public record SchedulerChoice(SchedulerDescription<?> description, int number, BooleanProperty selected,
            List<OptionViewModel> options, List<OptionGroup> groups) {
        /// Not selected, all options at their defaults.
        ///
        /// @param all the schedulers of the program, for shared options
        static SchedulerChoice of(SchedulerDescription<?> description, int number, List<SchedulerDescription<?>> all) {
            List<OptionViewModel> options = description.options().stream().map(OptionViewModel::new).toList();
            return new SchedulerChoice(description, number, new SimpleBooleanProperty(), options,
                    OptionGroup.of(description, options, all));
        }

        /// Its id: "parallel", "parallel-2".
        public String key() {
            return number == 1 ? description.name() : description.name() + "-" + number;
        }

        /// The selection for a specification, with options that differ from their defaults.
        public Selection selection() {
            return OptionViewModel.selection(Selection.of(description.name()), options);
        }

        /// Loads a selection: selected, with its options; the others at their defaults.
        public void load(Selection chosen) {
            selected.set(true);
            OptionViewModel.load(options, chosen);
        }
    }
}
