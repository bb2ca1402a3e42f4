package org.inferometer.engine.build;

import java.util.Map;
import org.inferometer.engine.EngineText;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.WeightFormats;

/// What an engine is built from: a shape, number formats, the weights before quantisation, and the text of its tokens.
///
/// @param model name without the precision: "tiny"
/// @param files further files of the engine's folder by name: `tokenizer.json`, `chat.json`
public record EngineMaterial(String model, ModelShape shape, WeightFormats formats, WeightSource source,
        EngineText text, Map<String, byte[]> files) {}
