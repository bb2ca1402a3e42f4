package org.inferometer.engine.build;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.jspecify.annotations.Nullable;

/// One engine folder, described without reading the weights.
///
/// @param recipe absent where the folder has none
/// @param builtDescriptor absent until it is built
/// @param problem one sentence where the state is DAMAGED, else empty
public record EngineEntry(String name, Path folder, @Nullable Recipe recipe, State state,
        @Nullable EngineDescriptor builtDescriptor, String problem) {
    /// How far a folder is.
    public enum State {
        RECIPE_ONLY, BUILT, DAMAGED
    }

    /// What `engine.json` says, once built.
    public Optional<EngineDescriptor> descriptor() {
        return Optional.ofNullable(builtDescriptor);
    }

    /// Inspects the engine: its files where it is built, else its recipe.
    ///
    /// @throws EngineFormatException when neither can be read
    public EngineInspection inspect() throws EngineFormatException {
        if (state == State.RECIPE_ONLY && recipe != null) {
            return recipe.inspection();
        }
        try (Engine engine = Engine.open(folder)) {
            return EngineInspection.of(engine);
        }
    }

    /// The model without its precision, from the descriptor or the recipe.
    public Optional<ModelShape> shape() {
        return builtDescriptor != null ? Optional.of(builtDescriptor.shape())
                : Optional.ofNullable(recipe).map(Recipe::shape);
    }
}
