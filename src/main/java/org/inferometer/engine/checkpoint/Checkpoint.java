package org.inferometer.engine.checkpoint;

import java.nio.file.Path;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.EngineText;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineMaterial;
import org.inferometer.units.OneLine;

/// A trained model in a folder as the transformers library writes it: `config.json` beside safetensors files.
///
/// Its files are mapped until it is closed; values are read as they are needed. Any thread may read.
public final class Checkpoint implements AutoCloseable {
    private final String name;
    private final ModelShape shape;
    private final CheckpointTensors tensors;
    private final CheckpointWeights weights;
    private final CheckpointText text;

    private Checkpoint(String name, ModelShape shape, CheckpointTensors tensors, CheckpointWeights weights,
            CheckpointText text) {
        this.name = name;
        this.shape = shape;
        this.tensors = tensors;
        this.weights = weights;
        this.text = text;
    }

    /// Opens a checkpoint and checks that all weights are there, with their shapes and types. The caller closes it.
    ///
    /// @throws EngineFormatException in one message with everything that is wrong or not supported
    public static Checkpoint open(Path folder) throws EngineFormatException {
        ModelShape shape = CheckpointConfig.read(folder);
        String name = OneLine.of(String.valueOf(folder.toAbsolutePath().normalize().getFileName()));
        CheckpointTensors tensors = CheckpointTensors.open(folder);
        boolean opened = false;
        try {
            CheckpointWeights weights = CheckpointWeights.of(name, shape, tensors);
            CheckpointText text = CheckpointText.read(folder, shape.vocabulary());
            opened = true;
            return new Checkpoint(name, shape, tensors, weights, text);
        } finally {
            if (!opened) {
                tensors.close();
            }
        }
    }

    /// The name of an engine: "m-int4" of "m", and of "m-int4" where it is the only one.
    public static String engineName(String name, Precision precision, boolean alone) {
        String end = "-" + precision.id();
        return alone && name.endsWith(end) ? name : name + end;
    }

    /// Name of its folder, which engines keep as their origin.
    public String name() {
        return name;
    }

    /// How its tokens become text.
    public EngineText text() {
        return text.text();
    }

    /// The model's dimensions.
    public ModelShape shape() {
        return shape;
    }

    /// What an engine of it is built from, valid until it is closed.
    ///
    /// @param model name of the model without the precision
    public EngineMaterial material(String model, Precision precision) {
        return new EngineMaterial(model, shape, precision, weights, text.text(), text.tokenizer());
    }

    @Override
    public void close() {
        tensors.close();
    }
}
