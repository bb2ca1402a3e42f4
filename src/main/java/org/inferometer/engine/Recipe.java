package org.inferometer.engine;

/// What `recipe.yaml` says: how to build an engine with synthetic weights.
///
/// @param model the model without its precision: "tiny"
public record Recipe(String model, ModelShape shape, Precision precision, long seed) {}
