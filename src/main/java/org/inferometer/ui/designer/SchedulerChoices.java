package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerDescription;
import org.jspecify.annotations.Nullable;

/// The designer's schedulers: each of the program once, more of one name where people add them, and the one that the others are held
/// against. Belongs to the UI thread.
public final class SchedulerChoices {
    private final List<SchedulerDescription<?>> descriptions;
    private final ObservableList<SchedulerChoice> all = FXCollections.observableArrayList();
    private final ObservableList<Baseline> baselines = FXCollections.observableArrayList();
    private final ObjectProperty<@Nullable Baseline> baseline = new SimpleObjectProperty<>();
    private final Runnable changed;
    private boolean loading;

    /// A scheduler of the experiment as something to compare with.
    ///
    /// @param label as specifications write it: "parallel:streams=3"
    public record Baseline(SchedulerChoice choice, String label) {
        @Override
        public String toString() {
            return label;
        }
    }

    /// @param changed told of every change
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
        SchedulerChoice choice = new SchedulerChoice(description, number, descriptions);
        choice.selected().addListener((observed, before, now) -> touched());
        choice.options().forEach(option -> option.text().addListener((observed, before, now) -> touched()));
        return choice;
    }

    /// Adds another of the same name behind it, ticked and with the same options.
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

    /// Takes one away that was added; the first of a name stays.
    public void remove(SchedulerChoice choice) {
        if (choice.number() > 1 && all.remove(choice)) {
            touched();
        }
    }

    /// Ticks what a specification names, each with its options, and takes away what was added before.
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

    /// The schedulers that take part, as specifications write them.
    public List<Selection> selections() {
        return ticked().stream().map(SchedulerChoice::selection).toList();
    }

    /// Those that take part.
    public List<SchedulerChoice> ticked() {
        return all.stream().filter(choice -> choice.selected().get()).toList();
    }

    /// The baseline as specifications write it; null where it is the first.
    @Nullable
    String baselineWord() {
        Baseline chosen = baseline.get();
        List<SchedulerChoice> ticked = ticked();
        return chosen == null || ticked.isEmpty() || ticked.getFirst() == chosen.choice() ? null
                : chosen.choice().selection().toString();
    }

    /// What is wrong with the choice as a whole, or empty.
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

    /// @param wanted as a specification writes it; null keeps what is chosen
    private void refreshBaselines(@Nullable String wanted) {
        boolean before = loading;
        loading = true;
        SchedulerChoice kept = baseline.get() == null ? null : Objects.requireNonNull(baseline.get()).choice();
        List<Baseline> offered =
                ticked().stream().map(choice -> new Baseline(choice, choice.selection().toString())).toList();
        Optional<Baseline> asked = offered.stream()
                .filter(candidate -> wanted == null ? candidate.choice() == kept
                        : candidate.label().equals(wanted) || candidate.choice().description().name().equals(wanted))
                .findFirst();
        if (!baselines.equals(offered)) {
            baselines.setAll(offered);
        }
        baseline.set(asked.orElse(offered.isEmpty() ? null : offered.getFirst()));
        loading = before;
    }

    /// All of them, those of one name beside each other.
    public ObservableList<SchedulerChoice> all() {
        return all;
    }

    /// What can be the baseline.
    public ObservableList<Baseline> baselines() {
        return baselines;
    }

    /// What the others are held against; null while nothing is ticked.
    public ObjectProperty<@Nullable Baseline> baseline() {
        return baseline;
    }
}
