package org.inferometer.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.NearMisses;

/// An engine folder, opened: its weights are mapped until it is closed. Any thread may read; close it when none does any more.
public final class Engine implements AutoCloseable {
    private final EngineDescriptor descriptor;
    private final SafetensorsFile file;
    private final ModelWeights weights;
    private final Tokenizer tokenizer;
    private final FileTime modified;

    private Engine(EngineDescriptor descriptor, FileTime modified, SafetensorsFile file, ModelWeights weights,
            Tokenizer tokenizer) {
        this.descriptor = descriptor;
        this.modified = modified;
        this.file = file;
        this.weights = weights;
        this.tokenizer = tokenizer;
    }

    /// Opens and checks a folder with `engine.json` and `weights.safetensors`. The weights' hash is [EngineVerifier]'s to check.
    ///
    /// Matrices stay in the mapped file, INT4's scales and zero points with them, unread until [#checkValues] or a backend
    /// with them; vectors and FP8's scales go to the heap and are checked.
    ///
    /// @throws EngineFormatException with the file, the fault and what to do
    public static Engine open(Path folder) throws EngineFormatException {
        EngineDescriptor descriptor = descriptor(folder);
        Tokenizer tokenizer = tokenizer(folder, descriptor);
        Path weights = folder.resolve(DescriptorFile.WEIGHTS);
        // Read before mapping: if the file is replaced meanwhile, the older time must count.
        FileTime modified = modified(weights);
        SafetensorsFile file = SafetensorsFile.open(weights);
        try {
            return new Engine(descriptor, modified, file, WeightLoader.load(file, descriptor), tokenizer);
        } catch (EngineFormatException damaged) {
            file.close();
            throw damaged;
        }
    }

    /// What `engine.json` says, checked against the size of the weights; reads no weights.
    public static EngineDescriptor descriptor(Path folder) throws EngineFormatException {
        Path stated = folder.resolve(DescriptorFile.FILE);
        if (!Files.exists(stated)) {
            throw new EngineFormatException(folder, "The engine is not built.",
                    "Build it with \"inferometer engines build " + folder.getFileName() + "\".");
        }
        EngineDescriptor descriptor = DescriptorFile.read(stated);
        Path weights = folder.resolve(DescriptorFile.WEIGHTS);
        try {
            long bytes = Files.exists(weights) ? Files.size(weights) : -1;
            if (bytes != descriptor.weightBytes()) {
                String found = bytes < 0 ? "The file is missing."
                        : "It has " + bytes + " bytes, engine.json says " + descriptor.weightBytes() + ".";
                throw new EngineFormatException(weights, found, "Build the engine again.");
            }
        } catch (IOException unreadable) {
            throw new EngineFormatException(weights, "Cannot be read (" + unreadable.getMessage() + ").",
                    "Check its permissions.", unreadable);
        }
        return descriptor;
    }

    private static FileTime modified(Path weights) throws EngineFormatException {
        try {
            return Files.readAttributes(weights, BasicFileAttributes.class).lastModifiedTime();
        } catch (IOException unreadable) {
            throw new EngineFormatException(weights, "Cannot be read (" + unreadable.getMessage() + ").",
                    "Check its permissions.", unreadable);
        }
    }

    private static Tokenizer tokenizer(Path folder, EngineDescriptor descriptor) throws EngineFormatException {
        if (!descriptor.origin().synthetic()) {
            throw new EngineFormatException(folder, "The engine was made from the checkpoint \""
                    + descriptor.origin().checkpoint() + "\", whose tokenizer this version cannot read.",
                    "Use an engine with synthetic weights.");
        }
        return switch (descriptor.tokenizer()) {
            case ByteTokenizer.NAME -> new ByteTokenizer(descriptor.shape().vocabulary());
            default -> throw new EngineFormatException(folder,
                    NearMisses.sentence("tokenizer", descriptor.tokenizer(), List.of(ByteTokenizer.NAME)),
                    "Build the engine again.");
        };
    }

    /// What `engine.json` says.
    public EngineDescriptor descriptor() {
        return descriptor;
    }

    /// The mapped weights.
    public ModelWeights weights() {
        return weights;
    }

    /// The tokenizer that the descriptor names.
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /// Checks that INT4's scales are finite and its zero points at most 15, which [#open] leaves unread.
    ///
    /// @throws EngineFormatException naming the first tensor with an impossible value
    public void checkValues() throws EngineFormatException {
        WeightLoader.checkValues(file, descriptor);
    }

    /// When the weights were last written, as it was before they were mapped.
    public FileTime weightsModified() {
        return modified;
    }

    /// Where a back end may keep these weights in a form of its own, beside them. Building the engine again removes the file; so
    /// may anyone at any time.
    ///
    /// @param backend the back end's name
    public Path packedFile(String backend) {
        return file.path().resolveSibling(backend + DescriptorFile.PACKED_SUFFIX);
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
