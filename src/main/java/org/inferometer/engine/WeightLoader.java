package org.inferometer.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.inferometer.engine.ModelWeights.FeedForward;
import org.inferometer.engine.ModelWeights.LayerWeights;
import org.inferometer.engine.ModelWeights.Linear;
import org.inferometer.engine.ModelWeights.Norm;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.engine.safetensors.SafetensorsFile;
import org.inferometer.engine.safetensors.SafetensorsHeader;
import org.inferometer.engine.safetensors.TensorSpec;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;

/// Loads the weights of a model from a mapped file and checks every tensor against the shape in `engine.json`.
final class WeightLoader {
    private static final String REMEDY = "Build the engine again.";

    private final SafetensorsFile file;
    private final ModelShape shape;
    private final WeightFormats formats;

    private WeightLoader(SafetensorsFile file, EngineDescriptor descriptor) {
        this.file = file;
        this.shape = descriptor.shape();
        this.formats = descriptor.formats();
    }

    /// @throws EngineFormatException with the first tensor that is missing, unexpected, of another type or out of range
    static ModelWeights load(SafetensorsFile file, EngineDescriptor descriptor) throws EngineFormatException {
        WeightLoader loader = new WeightLoader(file, descriptor);
        loader.checkTensors();
        return loader.weights();
    }

    /// Passes each row of a weight to a consumer, in FP32; the array is reused.
    ///
    /// @throws IllegalStateException if the engine is closed
    static void rows(Engine engine, WeightSpec weight, Consumer<float[]> consumer) {
        WeightLoader loader = new WeightLoader(engine.file(), engine.descriptor());
        try {
            if (!weight.quantised()) {
                consumer.accept(weight.role() == WeightSpec.WeightRole.INPUT_ORDER
                        ? loader.places(weight.name(), weight.columns()) : loader.floats(weight.name()));
                return;
            }
            WeightMatrix matrix =
                    loader.matrix(weight.name(), loader.formats.of(weight.role()), weight.rows(), weight.columns());
            float[] row = new float[weight.columns()];
            for (int index = 0; index < weight.rows(); index++) {
                matrix.row(index, row, 0);
                consumer.accept(row);
            }
        } catch (EngineFormatException changed) {
            throw new IllegalStateException("The weights passed their check when the engine was opened.", changed);
        }
    }

    /// Checks all scales and zero points of groups.
    ///
    /// @throws EngineFormatException with the first tensor with an invalid value
    static void checkValues(SafetensorsFile file, EngineDescriptor descriptor) throws EngineFormatException {
        WeightLoader loader = new WeightLoader(file, descriptor);
        for (StoredTensor stored : StoredTensor.of(descriptor.shape(), descriptor.formats())) {
            switch (stored.part()) {
                case INT4_SCALES -> loader.checkHalves(stored.tensor().name(), false);
                case INT8_SCALES -> loader.checkHalves(stored.tensor().name(), true);
                case INT4_ZEROS -> loader.checkZeros(stored.tensor().name());
                case FP8_SCALES -> loader.scales(stored.tensor().name());
                case FP32_VALUES, BF16_VALUES, FP8_VALUES, INT8_VALUES, INT4_VALUES, INPUT_ORDER -> {}
            }
        }
    }

    private void checkTensors() throws EngineFormatException {
        Set<String> expected = new HashSet<>();
        for (StoredTensor stored : StoredTensor.of(shape, formats)) {
            TensorSpec wanted = stored.tensor();
            expected.add(wanted.name());
            TensorSpec found = entry(wanted.name()).spec();
            if (!found.equals(wanted)) {
                throw fault("Tensor " + wanted.name() + " is " + found.typeText() + " where engine.json needs "
                        + wanted.typeText() + ".");
            }
        }
        for (TensorEntry entry : file.entries()) {
            if (!expected.contains(entry.spec().name())) {
                throw fault(
                        "Tensor " + SafetensorsHeader.shown(entry.spec().name()) + " does not belong to this model.");
            }
        }
    }

    private ModelWeights weights() throws EngineFormatException {
        WeightMatrix embedding = matrix(ModelLayout.EMBEDDING, formats.tables(), shape.vocabulary(), shape.hidden());
        float[] positions = shape.traits().learnedPositions() ? floats(ModelLayout.POSITIONS) : new float[0];
        List<LayerWeights> layers = new ArrayList<>();
        for (int layer = 0; layer < shape.layers(); layer++) {
            layers.add(layer(ModelLayout.prefix(layer)));
        }
        WeightMatrix head = shape.tiedHead() ? embedding
                : matrix(ModelLayout.HEAD, formats.tables(), shape.vocabulary(), shape.hidden());
        return new ModelWeights(embedding, positions, List.copyOf(layers), norm(ModelLayout.FINAL_NORM), head);
    }

    private LayerWeights layer(String prefix) throws EngineFormatException {
        int hidden = shape.hidden();
        int kvWidth = shape.kvWidth();
        int[] order = order(LayerInput.ATTENTION, prefix);
        return new LayerWeights(norm(prefix + "attn_norm"),
                linear(prefix + "attn.q", shape.queryWidth(), hidden, order),
                linear(prefix + "attn.k", kvWidth, hidden, order), linear(prefix + "attn.v", kvWidth, hidden, order),
                optional(prefix + "attn.q_norm.weight"), optional(prefix + "attn.k_norm.weight"),
                linear(prefix + "attn.o", hidden, shape.queryWidth(), order(LayerInput.ATTENDED, prefix)),
                norm(prefix + "ffn_norm"), feedForward(prefix));
    }

    private FeedForward feedForward(String prefix) throws EngineFormatException {
        int[] order = order(LayerInput.FEED_FORWARD, prefix);
        Linear up = linear(prefix + "ffn.up", shape.intermediate(), shape.hidden(), order);
        Linear down = linear(prefix + "ffn.down", shape.hidden(), shape.intermediate(), ModelWeights.IN_ORDER);
        return switch (shape.traits().mlp()) {
            case GELU -> new FeedForward.Gelu(up, down);
            case SWIGLU -> new FeedForward.SwiGlu(
                    linear(prefix + "ffn.gate", shape.intermediate(), shape.hidden(), order), up, down);
        };
    }

    private Norm norm(String name) throws EngineFormatException {
        return new Norm(floats(name + ".weight"), optional(name + ".bias"));
    }

    private Linear linear(String name, int rows, int columns, int[] order) throws EngineFormatException {
        return new Linear(matrix(name + ".weight", formats.projections(), rows, columns), optional(name + ".bias"),
                order);
    }

    /// The order of the inputs of a place in a layer; empty if it is their own.
    ///
    /// @throws EngineFormatException if it is no permutation
    private int[] order(LayerInput place, String prefix) throws EngineFormatException {
        String name = LayerInput.orderName(place, prefix).orElse("");
        if (!formats.actOrder() || name.isEmpty()) {
            return ModelWeights.IN_ORDER;
        }
        int[] order = bytes(name).toArray(LittleEndian.INT);
        BitSet seen = new BitSet(order.length);
        boolean own = true;
        for (int index = 0; index < order.length; index++) {
            int input = order[index];
            if (input < 0 || input >= order.length || seen.get(input)) {
                throw fault("Tensor " + name + " is no order of " + order.length + " inputs: it has the input " + input
                        + " at " + index + (input < 0 || input >= order.length ? "." : " and before."));
            }
            seen.set(input);
            own &= input == index;
        }
        return own ? ModelWeights.IN_ORDER : order;
    }

    /// The places of an order as numbers.
    private float[] places(String name, int count) throws EngineFormatException {
        float[] places = new float[count];
        for (int index = 0; index < count; index++) {
            places[index] = bytes(name).getAtIndex(LittleEndian.INT, index);
        }
        return places;
    }

    private WeightMatrix matrix(String name, Precision precision, int rows, int columns) throws EngineFormatException {
        MemorySegment values = file.bytes(entry(name));
        return switch (precision) {
            case BF16 -> new WeightMatrix.Bf16(rows, columns, values);
            case FP8 -> formats.groupColumns(precision) == 0
                    ? new WeightMatrix.Fp8(rows, columns, values, scales(name + StoredTensor.SCALE_SUFFIX))
                    : new WeightMatrix.Fp8(rows, columns, formats.groupColumns(precision), values,
                            bytes(name + StoredTensor.SCALE_SUFFIX));
            case INT8 -> new WeightMatrix.Int8(rows, columns, values, bytes(name + StoredTensor.SCALE_SUFFIX));
            case INT4 -> new WeightMatrix.Int4(rows, columns, formats.groupColumns(), values,
                    bytes(name + StoredTensor.SCALE_SUFFIX), bytes(name + StoredTensor.ZERO_SUFFIX));
        };
    }

    private float[] scales(String name) throws EngineFormatException {
        float[] scales = floats(name);
        for (int index = 0; index < scales.length; index++) {
            if (!(scales[index] >= 0 && scales[index] < Float.POSITIVE_INFINITY)) {
                throw fault("Tensor " + name + " has the invalid scale " + scales[index] + " at " + index + ".");
            }
        }
        return scales;
    }

    /// @param signed whether negative scales are valid
    private void checkHalves(String name, boolean signed) throws EngineFormatException {
        short[] halves = bytes(name).toArray(LittleEndian.SHORT);
        for (int index = 0; index < halves.length; index++) {
            // Negative values except −0, and the exponent of infinities and NaN.
            if ((!signed && halves[index] < 0 && halves[index] != Short.MIN_VALUE)
                    || (halves[index] & 0x7C00) == 0x7C00) {
                throw fault("Tensor " + name + " has the invalid scale " + Float.float16ToFloat(halves[index]) + " at "
                        + index + ".");
            }
        }
    }

    private void checkZeros(String name) throws EngineFormatException {
        byte[] zeros = bytes(name).toArray(ValueLayout.JAVA_BYTE);
        for (int index = 0; index < zeros.length; index++) {
            if ((zeros[index] & 0xF0) != 0) {
                throw fault("Tensor " + name + " has the zero point " + (zeros[index] & 0xFF) + " at " + index
                        + "; 15 is the largest.");
            }
        }
    }

    private MemorySegment bytes(String name) throws EngineFormatException {
        return file.bytes(entry(name));
    }

    private float[] optional(String name) throws EngineFormatException {
        return file.entry(name).isPresent() ? floats(name) : new float[0];
    }

    /// An FP32 tensor of any rank, flat.
    private float[] floats(String name) throws EngineFormatException {
        float[] values = file.bytes(entry(name)).toArray(LittleEndian.FLOAT);
        for (int index = 0; index < values.length; index++) {
            if (!Float.isFinite(values[index])) {
                throw fault("Tensor " + name + " has the value " + values[index] + " at " + index + ".");
            }
        }
        return values;
    }

    private TensorEntry entry(String name) throws EngineFormatException {
        return file.entry(name).orElseThrow(() -> fault("Tensor " + name + " is missing."));
    }

    private EngineFormatException fault(String problem) {
        return new EngineFormatException(file.path(), problem, REMEDY);
    }
}
