package org.inferometer.engine.build;

import java.util.Optional;
import org.inferometer.engine.EngineText;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;

/// What an engine is built from: a shape, a precision, the weights before quantisation, and the text of its tokens.
///
/// @param model name without the precision: "tiny"
/// @param tokenizerJson the content of its `tokenizer.json`; empty if its tokenizer has none
public record EngineMaterial(String model, ModelShape shape, Precision precision, WeightSource source, EngineText text,
        Optional<byte[]> tokenizerJson) {}
