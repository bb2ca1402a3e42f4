package org.inferometer.execution.cuda.steps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.RotaryFrequencies;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.jspecify.annotations.Nullable;

/// A model's weights on the device, read-only and shared by all lanes.
///
/// @param positions learned position table, FP32 `[positions, hidden]`; absent with RoPE
/// @param rotary cosine and sine `[positions][headDim / 2][2]`, FP32; absent with learned positions
public record DeviceModel(ModelShape shape, DeviceMatrix embedding, @Nullable DeviceAddress positions,
        @Nullable DeviceAddress rotary, List<Layer> layers, Norm finalNorm, DeviceMatrix head) {

    /// FP32 weight; bias absent for RMSNorm.
    public record Norm(DeviceAddress weight, @Nullable DeviceAddress bias) {}

    /// A linear map; bias absent if the model has none, order if its inputs have their own.
    public record Linear(DeviceMatrix weight, @Nullable DeviceAddress bias, @Nullable InputOrder order) {}

    /// An order of inputs.
    ///
    /// @param places int32 `[inputs]`, the input that each column of the weight meets
    public record InputOrder(DeviceAddress places, int inputs) {}

    /// One layer.
    ///
    /// @param queryKeyValue the three matrices stacked in this order
    /// @param queryNorm norm of each head; absent in most families
    /// @param up gate and up as [DeviceMatrixRows.Gated], or up alone without gating
    public record Layer(Norm attentionNorm, Linear queryKeyValue, @Nullable DeviceAddress queryNorm,
            @Nullable DeviceAddress keyNorm, Linear output, Norm feedForwardNorm, Linear up, Linear down) {}

    /// Bytes of weights on the device.
    public static long bytes(ModelWeights weights) {
        long bytes = alone(weights.embedding());
        bytes += weights.head() == weights.embedding() ? 0 : alone(weights.head());
        for (ModelWeights.LayerWeights layer : weights.layers()) {
            for (StackedLinears stack : stacks(layer)) {
                bytes += DeviceMatrix.bytes(stack.rows()) + (long) Integer.BYTES * stack.order().length;
            }
        }
        return bytes;
    }

    /// Bytes of 16 rows of the widest matrix in the widest format.
    public static int mostTileBytes(ModelShape shape) {
        int inputs = Math.max(shape.hidden(), Math.max(shape.intermediate(), shape.queryWidth()));
        return KernelTiles.TILE_ROWS * DeviceFormat.BF16.rowBytes(PaddedWidth.inputs(inputs));
    }

    private static long alone(WeightMatrix matrix) {
        return DeviceMatrix.bytes(new DeviceMatrixRows.Stacked(List.of(matrix)));
    }

    /// Bytes of weights that a decode step reads: all matrices except the embedding, of which it reads one row per
    /// token.
    public static long bytesRead(ModelWeights weights) {
        return bytes(weights) - (weights.head() == weights.embedding() ? 0 : alone(weights.embedding()));
    }

    /// Copies all weights to the device.
    ///
    /// @param sequencePositions positions of the longest sequence, the length of position tables
    /// @throws ExecutorException if its memory does not suffice
    public static DeviceModel upload(ModelShape shape, ModelWeights weights, int sequencePositions, WeightUpload upload)
            throws ExecutorException {
        DeviceMatrix embedding = upload.matrix(new DeviceMatrixRows.Stacked(List.of(weights.embedding())));
        DeviceMatrix head = weights.head() == weights.embedding() ? embedding
                : upload.matrix(new DeviceMatrixRows.Stacked(List.of(weights.head())));
        boolean learned = shape.traits().learnedPositions();
        DeviceAddress positions = learned
                ? upload.floats(weights.positions(), sequencePositions * shape.hidden(), DeviceMemory.Owner.WEIGHTS)
                : null;
        float[] turns = learned ? new float[0] : rotary(shape, sequencePositions);
        DeviceAddress rotary = learned ? null : upload.floats(turns, turns.length, DeviceMemory.Owner.WORKSPACE);
        List<Layer> layers = new ArrayList<>();
        for (ModelWeights.LayerWeights layer : weights.layers()) {
            layers.add(layer(layer, upload));
        }
        Norm finalNorm = norm(weights.finalNorm(), upload);
        upload.finish();
        return new DeviceModel(shape, embedding, positions, rotary, layers, finalNorm, head);
    }

    private static Layer layer(ModelWeights.LayerWeights layer, WeightUpload upload) throws ExecutorException {
        List<StackedLinears> stacks = stacks(layer);
        return new Layer(norm(layer.attentionNorm(), upload), linear(stacks.get(0), upload),
                vector(layer.queryNorm(), upload), vector(layer.keyNorm(), upload), linear(stacks.get(1), upload),
                norm(layer.feedForwardNorm(), upload), linear(stacks.get(2), upload), linear(stacks.get(3), upload));
    }

    /// Linear maps computed as one product.
    private record StackedLinears(List<ModelWeights.Linear> linears, DeviceMatrixRows rows) {
        /// Of the inputs; empty for their own.
        int[] order() {
            return linears.getFirst().order();
        }

        static StackedLinears of(ModelWeights.Linear... linears) {
            return new StackedLinears(List.of(linears),
                    new DeviceMatrixRows.Stacked(Arrays.stream(linears).map(ModelWeights.Linear::weight).toList()));
        }

        static StackedLinears gated(ModelWeights.Linear gate, ModelWeights.Linear up) {
            return new StackedLinears(List.of(gate, up), new DeviceMatrixRows.Gated(gate.weight(), up.weight()));
        }
    }

    /// The products of a layer: query with key and value; output; gate with up; down.
    private static List<StackedLinears> stacks(ModelWeights.LayerWeights layer) {
        StackedLinears attention = StackedLinears.of(layer.query(), layer.key(), layer.value());
        return switch (layer.feedForward()) {
            case ModelWeights.FeedForward.SwiGlu(var gate, var up, var down) -> List.of(attention,
                    StackedLinears.of(layer.output()), StackedLinears.gated(gate, up), StackedLinears.of(down));
            case ModelWeights.FeedForward.Gelu(var up, var down) ->
                List.of(attention, StackedLinears.of(layer.output()), StackedLinears.of(up), StackedLinears.of(down));
        };
    }

    private static Linear linear(StackedLinears stack, WeightUpload upload) throws ExecutorException {
        DeviceMatrix weight = upload.matrix(stack.rows());
        int[] places = stack.order();
        InputOrder order = places.length == 0 ? null : new InputOrder(upload.order(places), places.length);
        if (stack.linears().stream().allMatch(each -> each.bias().length == 0)) {
            return new Linear(weight, null, order);
        }
        float[] bias = new float[weight.outputs()];
        for (int i = 0; i < bias.length; i++) {
            DeviceMatrixRows.Source source = stack.rows().source(i);
            float[] numbers = stack.linears().get(source.matrix()).bias();
            bias[i] = source.row() < numbers.length ? numbers[source.row()] : 0;
        }
        return new Linear(weight, upload.floats(bias, bias.length, DeviceMemory.Owner.WEIGHTS), order);
    }

    private static Norm norm(ModelWeights.Norm norm, WeightUpload upload) throws ExecutorException {
        DeviceAddress weight = upload.floats(norm.weight(), norm.weight().length, DeviceMemory.Owner.WEIGHTS);
        return new Norm(weight, vector(norm.bias(), upload));
    }

    private static @Nullable DeviceAddress vector(float[] numbers, WeightUpload upload) throws ExecutorException {
        return numbers.length == 0 ? null : upload.floats(numbers, numbers.length, DeviceMemory.Owner.WEIGHTS);
    }

    private static float[] rotary(ModelShape shape, int positions) {
        int half = shape.headDim() / 2;
        float[] turns = new float[2 * half * positions];
        RotaryFrequencies frequencies = new RotaryFrequencies(shape);
        for (int i = 0; i < half; i++) {
            double frequency = frequencies.of(i);
            for (int position = 0; position < positions; position++) {
                int at = 2 * (position * half + i);
                turns[at] = (float) Math.cos(position * frequency);
                turns[at + 1] = (float) Math.sin(position * frequency);
            }
        }
        return turns;
    }
}
