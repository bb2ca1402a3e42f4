package org.inferometer.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// An engine folder, opened: its weights are mapped until it is closed. Any thread may read; close it when none does any more.
public final class Engine implements AutoCloseable {
    private final EngineDescriptor descriptor;
    private final SafetensorsFile file;
    private final ModelWeights weights;
    private final Tokenizer tokenizer;

    private Engine(EngineDescriptor descriptor, SafetensorsFile file, ModelWeights weights, Tokenizer tokenizer) {
        this.descriptor = descriptor;
        this.file = file;
        this.weights = weights;
        this.tokenizer = tokenizer;
    }

    /// Opens and checks a folder with `engine.json` and `weights.safetensors`. The weights' hash is [EngineVerifier]'s to check.
    ///
    /// Values stay in the mapped file; scales, zero points and vectors go to the heap: INT4 takes 5 bytes for each 128 weights,
    /// 0.3 GB for 8 billion.
    ///
    /// @throws EngineFormatException with the file, the fault and the way out
    public static Engine open(Path folder) throws EngineFormatException {
        EngineDescriptor descriptor = descriptor(folder);
        Tokenizer tokenizer = tokenizer(folder, descriptor);
        SafetensorsFile file = SafetensorsFile.open(folder.resolve(DescriptorFile.WEIGHTS));
        try {
            return new Engine(descriptor, file, WeightLoader.load(file, descriptor), tokenizer);
        } catch (EngineFormatException damaged) {
            file.close();
            throw damaged;
        }
    }

    /// What `engine.json` says, checked against the size of the weights; reads no weights.
    static EngineDescriptor descriptor(Path folder) throws EngineFormatException {
        Path stated = folder.resolve(DescriptorFile.FILE);
        if (!Files.exists(stated)) {
            throw new EngineFormatException(
                    folder, "The engine is not built.", "Build it with \"inferometer engines build " + folder.getFileName() + "\".");
        }
        EngineDescriptor descriptor = DescriptorFile.read(stated);
        Path weights = folder.resolve(DescriptorFile.WEIGHTS);
        try {
            long bytes = Files.exists(weights) ? Files.size(weights) : -1;
            if (bytes != descriptor.weightBytes()) {
                String found = bytes < 0 ? "The file is missing." : "It has " + bytes + " bytes, engine.json says " + descriptor.weightBytes() + ".";
                throw new EngineFormatException(weights, found, "Build the engine again.");
            }
        } catch (IOException unreadable) {
            throw new EngineFormatException(weights, "Cannot be read (" + unreadable.getMessage() + ").", "Check its permissions.", unreadable);
        }
        return descriptor;
    }

    private static Tokenizer tokenizer(Path folder, EngineDescriptor descriptor) throws EngineFormatException {
        if (descriptor.origin().synthetic()) {
            return new ByteTokenizer(descriptor.shape().vocabulary());
        }
        throw new EngineFormatException(
                folder,
                "The engine was made from the checkpoint \"" + descriptor.origin().checkpoint() + "\", whose tokenizer this version cannot read.",
                "Use an engine with synthetic weights.");
    }

    /// What `engine.json` says.
    public EngineDescriptor descriptor() {
        return descriptor;
    }

    /// The mapped weights.
    public ModelWeights weights() {
        return weights;
    }

    /// The engine's tokenizer; synthetic engines have the byte tokenizer.
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /// The tensors as they lie in the file.
    SafetensorsFile file() {
        return file;
    }

    @Override
    public void close() {
        file.close();
    }
}
