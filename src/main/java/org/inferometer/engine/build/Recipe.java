package org.inferometer.engine.build;

import java.util.Map;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineText;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;

/// The content of `recipe.yaml`: how to build an engine with synthetic weights.
///
/// @param model name without the precision: "tiny"
public record Recipe(String model, ModelShape shape, Precision precision, long seed) {
    /// What its engine is built from.
    EngineMaterial material() {
        return new EngineMaterial(model, shape, WeightFormats.all(precision), new SyntheticWeights(shape, seed),
                EngineText.BYTES, Map.of());
    }

    /// Describes the engine before it is built.
    public EngineInspection inspection() {
        return EngineInspection.of(model, shape, WeightFormats.all(precision), material().source().origin());
    }
}
