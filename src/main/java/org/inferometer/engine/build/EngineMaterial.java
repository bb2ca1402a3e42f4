package org.inferometer.engine.build;

import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;

/// What an engine is built from: a shape, a precision and the weights before quantisation.
///
/// @param model name without the precision: "tiny"
/// @param tokenizer its name in engine files
public record EngineMaterial(String model, ModelShape shape, Precision precision, WeightSource source,
        String tokenizer) {}
