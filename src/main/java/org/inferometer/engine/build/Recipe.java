package org.inferometer.engine.build;

import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;

/// What `recipe.yaml` says: how to build an engine with synthetic weights.
///
/// @param model the model without its precision: "tiny"
public record Recipe(String model, ModelShape shape, Precision precision, long seed) {
    /// The weights before quantisation.
    WeightSource source() {
        return new SyntheticWeights(shape, seed);
    }

    /// What the engine built from this will be.
    public EngineInspection inspection() {
        return EngineInspection.of(model, shape, precision, source().origin());
    }
}
