package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

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

    /// An engine to select.
    ///
    /// @param precision "FP8"; empty if unknown
    /// @param synthetic whether its weights are random
    /// @param detail "15 M parameters, built", or the damage
    /// @param usable false for damaged engines
    /// @param built whether its weights exist
    public record EngineChoice(String name, String precision, boolean synthetic, String detail, boolean usable,
            boolean built, BooleanProperty selected) {
        /// From an entry of the catalogue.
        public static EngineChoice of(EngineEntry entry) {
            @Nullable EngineDescriptor built = entry.builtDescriptor();
            @Nullable Recipe recipe = entry.recipe();
            String precision =
                    built != null ? built.precision().name() : recipe != null ? recipe.precision().name() : "";
            boolean synthetic = built == null || built.origin().synthetic();
            String detail = switch (entry.state()) {
                case BUILT -> built == null ? ""
                        : text("engine.built", millions(built.parameters()), QuantityText.bytes(built.weightBytes()));
                case RECIPE_ONLY -> text("engine.recipe");
                case DAMAGED -> entry.problem();
            };
            return new EngineChoice(entry.name(), precision, synthetic, detail,
                    entry.state() != EngineEntry.State.DAMAGED, entry.state() == EngineEntry.State.BUILT,
                    new SimpleBooleanProperty());
        }

        /// From another machine.
        public static EngineChoice of(OfferedEngine engine) {
            String detail = switch (engine.state()) {
                case BUILT -> text("engine.built-there", QuantityText.bytes(engine.weightBytes()));
                case RECIPE_ONLY -> text("engine.recipe");
                case DAMAGED -> engine.problem();
            };
            return new EngineChoice(engine.name(), engine.precision(), engine.synthetic(), detail,
                    engine.state() != EngineEntry.State.DAMAGED, engine.state() == EngineEntry.State.BUILT,
                    new SimpleBooleanProperty());
        }

        private static String millions(long parameters) {
            return parameters >= 1_000_000_000 ? QuantityText.significant(parameters / 1e9) + " B"
                    : QuantityText.significant(parameters / 1e6) + " M";
        }
    }
}
