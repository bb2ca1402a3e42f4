package org.inferometer.engine.build;

import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.files.EngineFormatException;
import org.jspecify.annotations.Nullable;

/// One engine folder; its weights are not read.
///
/// @param recipe absent without one
/// @param builtDescriptor absent before the build
/// @param problem the fault of a DAMAGED entry, else empty
public record EngineEntry(String name, Path folder, @Nullable Recipe recipe, State state,
        @Nullable EngineDescriptor builtDescriptor, String problem) {
    /// The state of an engine folder.
    public enum State {
        RECIPE_ONLY("not built"), BUILT("built"), DAMAGED("damaged");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /// "not built", as tables and JSON have it.
        @JsonValue
        public String label() {
            return label;
        }
    }

    /// The descriptor of a built engine.
    public Optional<EngineDescriptor> descriptor() {
        return Optional.ofNullable(builtDescriptor);
    }

    /// Inspects the engine's files if it is built, else its recipe.
    ///
    /// @throws EngineFormatException if neither can be read
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
