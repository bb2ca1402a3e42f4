package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

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
        String precision = built != null ? built.precision().name() : recipe != null ? recipe.precision().name() : "";
        boolean synthetic = built == null || built.origin().synthetic();
        String detail = switch (entry.state()) {
            case BUILT -> built == null ? ""
                    : text("engine.built", millions(built.parameters()), QuantityText.bytes(built.weightBytes()));
            case RECIPE_ONLY -> text("engine.recipe");
            case DAMAGED -> entry.problem();
        };
        return new EngineChoice(entry.name(), precision, synthetic, detail, entry.state() != EngineEntry.State.DAMAGED,
                entry.state() == EngineEntry.State.BUILT, new SimpleBooleanProperty());
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
