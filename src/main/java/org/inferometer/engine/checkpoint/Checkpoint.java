package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.build.WeightSource;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;

/// A trained model: a folder as the transformers library writes it (`config.json` beside safetensors files), or a GGUF file.
///
/// Its files are mapped until it is closed; values are read as they are needed. Any thread may read.
public final class Checkpoint implements AutoCloseable {
    private final String name;
    private final ModelShape shape;
    private final Runnable files;
    private final WeightSource weights;
    private final CheckpointText text;

    private Checkpoint(String name, ModelShape shape, Runnable files, WeightSource weights, CheckpointText text) {
        this.name = name;
        this.shape = shape;
        this.files = files;
        this.weights = weights;
        this.text = text;
    }

    /// Opens a checkpoint and checks that all weights are there, with their shapes and types. The caller closes it.
    ///
    /// @throws EngineFormatException in one message with everything that is wrong or not supported
    public static Checkpoint open(Path place) throws EngineFormatException {
        String name = OneLine.of(String.valueOf(place.toAbsolutePath().normalize().getFileName()));
        if (LetterCase.lower(name).endsWith(GgufFile.ENDING)) {
            return gguf(place, name);
        }
        if (!Files.isDirectory(place)) {
            throw new EngineFormatException(place,
                    Files.exists(place) ? "It is no folder, and its name does not end with .gguf."
                            : "There is no such folder or file.",
                    "Give the folder of a Hugging Face checkpoint, or a GGUF file.");
        }
        return folder(place, name);
    }

    /// Whether a path looks like a checkpoint: a folder with `config.json`, or a file whose name ends with `.gguf`.
    public static boolean isOne(Path place) {
        return Files.isDirectory(place) ? Files.isRegularFile(place.resolve(CheckpointConfig.FILE))
                : LetterCase.lower(place.toString()).endsWith(GgufFile.ENDING);
    }

    private static Checkpoint folder(Path folder, String name) throws EngineFormatException {
        ModelShape shape = CheckpointConfig.read(folder);
        CheckpointTensors tensors = CheckpointTensors.open(folder);
        boolean opened = false;
        try {
            Quantisation quantisation = Quantisation.read(folder);
            CheckpointWeights weights = CheckpointWeights.of(name, shape, tensors, quantisation);
            CheckpointText text = CheckpointText.read(folder, shape.vocabulary());
            opened = true;
            return new Checkpoint(name, shape, tensors::close, weights, text);
        } finally {
            if (!opened) {
                tensors.close();
            }
        }
    }

    private static Checkpoint gguf(Path path, String name) throws EngineFormatException {
        GgufFile file = GgufFile.open(path);
        boolean opened = false;
        try {
            ModelShape shape = GgufShape.of(file);
            GgufWeights weights = GgufWeights.of(name, shape, file);
            CheckpointText text = GgufText.read(file, shape.vocabulary());
            opened = true;
            return new Checkpoint(name, shape, file::close, weights, text);
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    /// The name of an engine: "m-int4" of "m", and of "m-int4" where it is the only one.
    ///
    /// @param kind precision, or another end: "int4-awq"
    public static String engineName(String name, String kind, boolean alone) {
        String end = "-" + kind;
        return alone && name.endsWith(end) ? name : name + end;
    }

    /// Name of its folder or file, which engines keep as their origin.
    public String name() {
        return name;
    }

    /// Why engines of it take no texts, and what they take; empty if they do.
    public Optional<String> textFault() {
        return text.tokenizer().isPresent() ? Optional.empty()
                : Optional.of(text.lack() + " Its engines take drawn prompts, no texts.");
    }

    /// How its tokens become text.
    public EngineText text() {
        return text.text();
    }

    /// The tokens of a text by its tokenizer.
    ///
    /// @throws EngineFormatException if it has no tokenizer, or one that makes tokens of another model
    public int[] tokens(String of) throws EngineFormatException {
        byte[] json = text.files().get(TrainedTokenizer.FILE);
        if (json == null) {
            throw new EngineFormatException(Path.of(name), "It has no tokenizer to read a text with.",
                    "Put its tokenizer.json beside its config.json.");
        }
        try {
            return TrainedTokenizer.encode(json, shape.vocabulary(), of);
        } catch (IOException | UncheckedIOException e) {
            throw new EngineFormatException(Path.of(name),
                    "The text cannot be tokenised: " + OneLine.of(String.valueOf(e.getMessage())) + ".",
                    "Copy the checkpoint again.", e);
        }
    }

    /// How it wants conversations written; empty if it does not tell.
    public Optional<ChatFormat> chat() {
        return text.chat();
    }

    /// The model's dimensions.
    public ModelShape shape() {
        return shape;
    }

    /// What an engine of it is built from, valid until it is closed.
    ///
    /// @param model name of the model without the precision
    public EngineMaterial material(String model, Precision precision) {
        WeightFormats formats = weights.formats(precision);
        return new EngineMaterial(model, shape, formats, weights.inFormats(formats), text.text(), text.files());
    }

    /// The precision that keeps most of its values.
    public Precision ownPrecision() {
        return weights.ownPrecision();
    }

    /// Whether it is a GGUF file.
    public boolean isGguf() {
        return LetterCase.lower(name).endsWith(GgufFile.ENDING);
    }

    /// What becomes of values that it has quantised already, in sentences; empty if it has none.
    ///
    /// @param formats of the engine
    public Optional<String> treatment(WeightFormats formats) {
        return weights.treatment(formats);
    }

    @Override
    public void close() {
        files.run();
    }
}
