package org.inferometer.engine.build;

import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.tokenizer.ByteTokenizer;

/// The content of `recipe.yaml`: how to build an engine with synthetic weights.
///
/// @param model name without the precision: "tiny"
public record Recipe(String model, ModelShape shape, Precision precision, long seed) {
    /// What its engine is built from.
    EngineMaterial material() {
        return new EngineMaterial(model, shape, precision, new SyntheticWeights(shape, seed), ByteTokenizer.NAME);
    }

    /// Describes the engine before it is built.
    public EngineInspection inspection() {
        return EngineInspection.of(model, shape, precision, material().source().origin());
    }
}
