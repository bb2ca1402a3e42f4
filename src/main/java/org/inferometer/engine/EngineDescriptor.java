package org.inferometer.engine;

import org.jspecify.annotations.Nullable;

/// What `engine.json` says of an engine.
///
/// @param model the model without its precision: engines of one model are comparable ("tiny" of "tiny-fp8")
/// @param tokenizer its name: "bytes"
/// @param parameters count of weights before quantisation
/// @param weightBytes size of `weights.safetensors`
/// @param weightsSha256 hex digest of `weights.safetensors`
public record EngineDescriptor(int formatVersion, String name, String model, ModelShape shape, Precision precision,
        WeightOrigin origin, String tokenizer, long parameters, long weightBytes, String weightsSha256) {

    /// Where the weights came from. Exactly one of the two is given.
    ///
    /// @param syntheticSeed the seed of synthetic weights, which mean nothing but have the right size
    /// @param checkpoint the name of the checkpoint folder they were made from, without its path
    public record WeightOrigin(@Nullable Long syntheticSeed, @Nullable String checkpoint) {
        /// Whether the weights are random numbers; shown wherever the engine is.
        public boolean synthetic() {
            return syntheticSeed != null;
        }
    }
}
