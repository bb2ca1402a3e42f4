package org.inferometer.engine;

import org.jspecify.annotations.Nullable;

/// The content of `engine.json`.
///
/// @param model name without the precision: "tiny" of "tiny-fp8"
/// @param defaults limits that experiments without their own take
/// @param parameters number of weights before quantisation
/// @param weightBytes size of `weights.safetensors`
/// @param weightsSha256 hex digest of `weights.safetensors`
public record EngineDescriptor(int formatVersion, String name, String model, ModelShape shape, WeightFormats formats,
        WeightOrigin origin, EngineText text, EngineDefaults defaults, long parameters, long weightBytes,
        String weightsSha256) {

    /// The format of its projections, which names it.
    public Precision precision() {
        return formats.projections();
    }

    /// The origin of the weights; exactly one component is given.
    ///
    /// @param syntheticSeed seed of synthetic weights, which have the right sizes only
    /// @param checkpoint name of the checkpoint folder, without its path
    public record WeightOrigin(@Nullable Long syntheticSeed, @Nullable String checkpoint) {
        /// Whether the weights are random; always shown with the engine.
        public boolean synthetic() {
            return syntheticSeed != null;
        }
    }
}
