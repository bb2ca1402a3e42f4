package org.inferometer.engine;

import java.nio.file.Path;

/// An engine folder, opened: its weights are mapped until it is closed.
public final class Engine implements AutoCloseable {
    private Engine() {}

    /// Opens and checks a folder with `engine.json` and `weights.safetensors`.
    ///
    /// @throws EngineFormatException with the file, the fault and the way out
    public static Engine open(Path folder) throws EngineFormatException {
        throw new EngineFormatException(folder, "Not written yet.", "");
    }

    /// What `engine.json` says.
    public EngineDescriptor descriptor() {
        throw new IllegalStateException();
    }

    /// The mapped weights.
    public ModelWeights weights() {
        throw new IllegalStateException();
    }

    /// The engine's tokenizer; synthetic engines have the byte tokenizer.
    public Tokenizer tokenizer() {
        throw new IllegalStateException();
    }

    @Override
    public void close() {}
}
