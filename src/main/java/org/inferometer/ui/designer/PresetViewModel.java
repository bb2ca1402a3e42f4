package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SavedPresets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// The presets to fill the form from: the program's, then those saved in the workspace. Belongs to the UI thread.
public final class PresetViewModel {
    private final SavedPresets own;
    private final SpecReader reader;
    private final BackgroundWork work;
    private final Consumer<ExperimentSpec> load;
    private final ObservableList<PresetChoice> choices = FXCollections.observableArrayList();
    private final ObjectProperty<@Nullable PresetChoice> chosen = new SimpleObjectProperty<>();
    private final ReadOnlyBooleanWrapper changed = new ReadOnlyBooleanWrapper();
    private BiConsumer<Deletion, Notifier> remember = (deletion, notifier) -> {};
    private @Nullable ExperimentSpec loaded;
    private boolean following;

    /// A preset.
    ///
    /// @param purpose one sentence
    /// @param spec absent for a saved one, whose file is read when it is chosen
    public record PresetChoice(String name, String purpose, @Nullable ExperimentSpec spec) {
        /// Whether it is saved in the workspace and can be deleted.
        public boolean saved() {
            return spec == null;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// @param reader of saved presets
    /// @param load fills the form
    PresetViewModel(SavedPresets own, SpecReader reader, BackgroundWork work, Consumer<ExperimentSpec> load) {
        this.own = own;
        this.reader = reader;
        this.work = work;
        this.load = load;
        choices.setAll(program());
        chosen.addListener((observed, before, now) -> {
            if (now != null && !following) {
                fill(now, problem -> {});
            }
        });
    }

    private static List<PresetChoice> program() {
        return new Presets().all().stream()
                .map(preset -> new PresetChoice(preset.spec().name(), preset.purpose(), preset.spec())).toList();
    }

    /// Lists the saved presets in the background.
    public void refresh(Notifier notifier) {
        work.run(WindowWork.OWN, own::names, this::list,
                failure -> notifier.problem(text("designer.experiment-unlisted", ErrorText.sentence(failure))));
    }

    private void list(List<String> names) {
        List<PresetChoice> all = new ArrayList<>(program());
        List<String> taken = all.stream().map(PresetChoice::name).toList();
        names.stream().filter(name -> !taken.contains(name))
                .map(name -> new PresetChoice(name, text("designer.experiment-saved"), null)).forEach(all::add);
        PresetChoice before = chosen.get();
        select(() -> choices.setAll(all), before == null ? null : before.name());
    }

    /// Changes the choice without filling the form.
    private void select(Runnable before, @Nullable String name) {
        following = true;
        before.run();
        chosen.set(choices.stream().filter(choice -> choice.name().equals(name)).findFirst().orElse(null));
        following = false;
    }

    /// The form was filled with an experiment.
    void filled(ExperimentSpec spec) {
        loaded = spec;
        select(() -> {}, spec.name());
        PresetChoice now = chosen.get();
        if (now != null && now.spec() != null && !now.spec().equals(spec)) {
            select(() -> {}, null);
        }
    }

    /// The form makes another experiment; empty while it has a fault.
    void follow(Optional<ExperimentSpec> made) {
        changed.set(made.isPresent() && !made.equals(Optional.ofNullable(loaded)));
    }

    /// Fills the form again from the chosen preset.
    public void reset(Notifier notifier) {
        PresetChoice now = chosen.get();
        if (now != null) {
            fill(now, notifier::problem);
        }
    }

    private void fill(PresetChoice choice, Consumer<String> failed) {
        if (choice.spec() != null) {
            load.accept(choice.spec());
            return;
        }
        work.run(WindowWork.OWN, () -> reader.read(own.file(choice.name())).named(choice.name()), load,
                failure -> failed.accept(text("designer.experiment-unread", choice.name(), sentence(failure))));
    }

    private static String sentence(Throwable failure) {
        return failure instanceof PlanException plan
                ? String.join(" ", plan.faults().stream().map(PlanFault::toString).toList())
                : ErrorText.sentence(failure);
    }

    /// Saves the experiment of the form in the background.
    ///
    /// @param done called with the name once it is saved
    /// @param failed receives one sentence
    public void save(String name, ExperimentSpec spec, Consumer<String> done, Consumer<String> failed) {
        work.run(WindowWork.OWN, () -> {
            own.save(name, spec);
            return own.names();
        }, names -> {
            list(names);
            loaded = spec.named(name);
            select(() -> {}, name);
            load.accept(spec.named(name));
            done.accept(name);
        }, failure -> failed.accept(sentence(failure)));
    }

    /// Deletes the chosen preset, if it is a saved one, in the background.
    public void delete(Notifier notifier) {
        PresetChoice now = chosen.get();
        if (now != null && now.saved()) {
            delete(now.name(), notifier, remember);
        }
    }

    /// @param then receives what was deleted
    private void delete(String name, Notifier notifier, BiConsumer<Deletion, Notifier> then) {
        work.run(WindowWork.OWN, () -> new Deletion(own.take(name), own.names()), deletion -> {
            list(deletion.left());
            then.accept(deletion, notifier);
            notifier.done(text("notice.preset-deleted", name));
        }, failure -> notifier.problem(text("notice.preset-not-deleted", sentence(failure))));
    }

    /// @param left names of the other presets
    private record Deletion(SavedPresets.Deleted preset, List<String> left) {}

    /// Deletions become steps of an undo stack from now on.
    public void remember(UndoStack undo) {
        remember = (deletion, notifier) -> undo
                .push(new UndoStack.Step(text("undo.preset"), () -> restore(deletion.preset(), notifier),
                        () -> delete(deletion.preset().name(), notifier, (again, same) -> {})));
    }

    private void restore(SavedPresets.Deleted preset, Notifier notifier) {
        work.run(WindowWork.OWN, () -> {
            own.restore(preset);
            return own.names();
        }, names -> {
            list(names);
            notifier.done(text("notice.preset-restored", preset.name()));
        }, failure -> notifier.problem(text("notice.preset-failed", sentence(failure))));
    }

    /// All presets.
    public ObservableList<PresetChoice> choices() {
        return choices;
    }

    /// The preset that the form was filled from; null for other experiments. Setting it fills the form.
    public ObjectProperty<@Nullable PresetChoice> chosen() {
        return chosen;
    }

    /// Whether the form differs from what it was filled with.
    public ReadOnlyBooleanProperty changed() {
        return changed.getReadOnlyProperty();
    }
}
