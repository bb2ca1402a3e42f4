package org.inferometer.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.engine.tokenizer.Tokenizer.DrawnIds;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.finding.Advice;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.wording.AdvisedText;

/// An open engine folder with mapped weights. Any thread may read; the caller closes it after the last read.
public final class Engine implements AutoCloseable {
    private final Path folder;
    private final EngineDescriptor descriptor;
    private final SafetensorsFile file;
    private final ModelWeights weights;
    private final Tokenizer tokenizer;
    private final FileTime modified;

    private Engine(Path folder, EngineDescriptor descriptor, FileTime modified, SafetensorsFile file,
            ModelWeights weights, Tokenizer tokenizer) {
        this.folder = folder;
        this.descriptor = descriptor;
        this.modified = modified;
        this.file = file;
        this.weights = weights;
        this.tokenizer = tokenizer;
    }

    /// Opens and checks a folder with `engine.json` and `weights.safetensors`. [EngineVerifier] checks the weights'
    /// hash.
    ///
    /// Matrices, scales and zero points of groups stay in the mapped file, unread until [#checkValues] or a backend reads
    /// them. Vectors and FP8 scales of outputs are copied to the heap and checked.
    ///
    /// @throws EngineFormatException with the file, the fault and what to do
    public static Engine open(Path folder) throws EngineFormatException {
        EngineDescriptor descriptor = descriptor(folder);
        Tokenizer tokenizer = tokenizer(folder, descriptor);
        Path weights = folder.resolve(DescriptorFile.WEIGHTS);
        // Read before mapping, so that a file replaced in between has the older time.
        FileTime modified = modified(weights);
        SafetensorsFile file = SafetensorsFile.open(weights);
        try {
            return new Engine(folder, descriptor, modified, file, WeightLoader.load(file, descriptor), tokenizer);
        } catch (EngineFormatException damaged) {
            file.close();
            throw damaged;
        }
    }

    /// The descriptor, checked against the size of the weights; reads no weights.
    public static EngineDescriptor descriptor(Path folder) throws EngineFormatException {
        Path stated = folder.resolve(DescriptorFile.FILE);
        if (!Files.exists(stated)) {
            throw new EngineFormatException(folder, new AdvisedText("The engine is not built. Build it ",
                    new Advice.Build(String.valueOf(folder.getFileName())), "."), null);
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
            throw new EngineFormatException(weights, "Cannot be read (" + FileFault.reason(unreadable) + ").",
                    "Check its permissions.", unreadable);
        }
        return descriptor;
    }

    private static FileTime modified(Path weights) throws EngineFormatException {
        try {
            return Files.readAttributes(weights, BasicFileAttributes.class).lastModifiedTime();
        } catch (IOException unreadable) {
            throw new EngineFormatException(weights, "Cannot be read (" + FileFault.reason(unreadable) + ").",
                    "Check its permissions.", unreadable);
        }
    }

    private static Tokenizer tokenizer(Path folder, EngineDescriptor descriptor) throws EngineFormatException {
        if (!descriptor.origin().synthetic() && descriptor.text().tokenizer().equals(ByteTokenizer.NAME)) {
            // Its text would be nonsense.
            throw new EngineFormatException(folder, "The engine was made from the checkpoint \""
                    + descriptor.origin().checkpoint() + "\", whose tokenizer this version cannot read.",
                    "Build the engine again.");
        }
        int vocabulary = descriptor.shape().vocabulary();
        String name = descriptor.text().tokenizer();
        return switch (name) {
            case ByteTokenizer.NAME -> new ByteTokenizer(vocabulary);
            case DrawnIds.NAME -> new DrawnIds(vocabulary);
            case TrainedTokenizer.NAME -> new TrainedTokenizer(tokenizerFile(folder), vocabulary);
            default -> throw new EngineFormatException(folder,
                    NearMisses.sentence("tokenizer", name,
                            List.of(ByteTokenizer.NAME, DrawnIds.NAME, TrainedTokenizer.NAME)),
                    "Build the engine again.");
        };
    }

    private static Path tokenizerFile(Path folder) throws EngineFormatException {
        Path file = folder.resolve(TrainedTokenizer.FILE);
        if (!Files.isRegularFile(file)) {
            throw new EngineFormatException(file, "The file is missing.", "Build the engine again.");
        }
        return file;
    }

    /// The folder of its files.
    public Path folder() {
        return folder;
    }

    /// The descriptor.
    public EngineDescriptor descriptor() {
        return descriptor;
    }

    /// The mapped weights.
    public ModelWeights weights() {
        return weights;
    }

    /// The tokenizer named in the descriptor.
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /// Checks that scales of groups are finite and not negative, and zero points at most 15.
    ///
    /// @throws EngineFormatException with the first tensor with an invalid value
    public void checkValues() throws EngineFormatException {
        WeightLoader.checkValues(file, descriptor);
    }

    /// The modification time of the weights before they were mapped.
    public FileTime weightsModified() {
        return modified;
    }

    /// The file for a backend's packed form of these weights. Building the engine again removes the file, and users may
    /// delete it.
    ///
    /// @param backend its name
    public Path packedFile(String backend) {
        return folder.resolve(backend + DescriptorFile.PACKED_SUFFIX);
    }

    /// The mapped tensors.
    SafetensorsFile file() {
        return file;
    }

    @Override
    public void close() {
        tokenizer.close();
        file.close();
    }
}
