package org.inferometer.engine.build;

import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;

/// The content of `recipe.yaml`: how to build an engine with synthetic weights.
///
/// @param model name without the precision: "tiny"
public record Recipe(String model, ModelShape shape, Precision precision, long seed) {
    /// The weights before quantisation.
    WeightSource source() {
        return new SyntheticWeights(shape, seed);
    }

    /// Describes the engine before it is built.
    public EngineInspection inspection() {
        return EngineInspection.of(model, shape, precision, source().origin());
    }
}
