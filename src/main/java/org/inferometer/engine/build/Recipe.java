package org.inferometer.engine.build;

import java.util.Map;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;

/// The content of `recipe.yaml`: how to build an engine with synthetic weights.
///
/// @param model name without the precision: "tiny"
/// @param formats one for all matrices
public record Recipe(String model, ModelShape shape, WeightFormats formats, long seed) {
    /// In the quantisers' own groups.
    public Recipe(String model, ModelShape shape, Precision precision, long seed) {
        this(model, shape, WeightFormats.all(precision), seed);
    }

    /// That of all matrices.
    public Precision precision() {
        return formats.projections();
    }

    /// What its engine is built from.
    EngineMaterial material() {
        return new EngineMaterial(model, shape, formats, new SyntheticWeights(shape, seed), EngineText.BYTES, Map.of());
    }

    /// Describes the engine before it is built.
    public EngineInspection inspection() {
        return EngineInspection.of(model, shape, formats, material().source().origin());
    }
}
