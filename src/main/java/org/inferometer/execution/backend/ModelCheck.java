package org.inferometer.execution.backend;

import java.util.stream.Stream;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.ExecutorException;
import org.inferometer.scheduling.LaneLayout;

/// Checks a model's weights against its shape before kernels use them.
public final class ModelCheck {
    private ModelCheck() {}

    /// @param backend its name
    /// @throws ExecutorException with the first mismatch, or if no lane computes
    public static void require(String backend, ModelShape shape, ModelWeights weights, LaneLayout layout,
            ExecutorSizes sizes) throws ExecutorException {
        if (layout.computingLanes() == 0) {
            throw new ExecutorException(
                    "The " + backend + " backend needs at least one lane that computes; choose another scheduler.");
        }
        require(shape.heads() > 0 && shape.kvHeads() > 0 && shape.heads() % shape.kvHeads() == 0,
                "the key/value heads do not divide the query heads");
        require(!shape.traits().rotary() || shape.headDim() % 2 == 0, "the head dimension is odd");
        require(weights.layers().size() == shape.layers(), "the number of layers differs");
        require(sizes.maxStepPositions() > 0 && sizes.maxSequencePositions() > 0 && sizes.maxSampledRows() > 0,
                "the sizes of the executor are not positive");
        matrix("embedding", weights.embedding(), shape.vocabulary(), shape.hidden());
        matrix("head", weights.head(), shape.vocabulary(), shape.hidden());
        norm("final norm", weights.finalNorm(), shape.hidden());
        if (shape.traits().learnedPositions()) {
            require(weights.positions().length >= (long) sizes.maxSequencePositions() * shape.hidden(),
                    "the position table has fewer than " + sizes.maxSequencePositions()
                            + " positions; lower the max length");
        }
        for (ModelWeights.LayerWeights layer : weights.layers()) {
            layer(shape, layer);
        }
        require(int4(weights).map(WeightMatrix.Int4::groupColumns).distinct().count() <= 1,
                "INT4 matrices differ in the width of their groups");
        require(matrices(weights).map(WeightMatrix::precision).filter(Precision::isInteger).distinct().count() <= 1,
                "INT4 and INT8 matrices meet");
    }

    /// Refuses INT8, and FP8 with scales of groups, for a backend without kernels for them.
    ///
    /// @param backend its name
    /// @throws ExecutorException with what to do
    public static void requireDeviceFormats(String backend, ModelWeights weights) throws ExecutorException {
        if (matrices(weights).anyMatch(WeightMatrix.Int8.class::isInstance)) {
            throw new ExecutorException("The " + backend + " backend has no products for INT8 weights: "
                    + "run this engine on the host backend, or build a bf16, fp8 or int4 engine.");
        }
        if (matrices(weights).anyMatch(matrix -> matrix instanceof WeightMatrix.Fp8 fp8 && fp8.groupColumns() > 0)) {
            throw new ExecutorException("The " + backend + " backend multiplies FP8 with a scale for each output, and "
                    + "this engine has one for each " + WeightMatrix.Fp8.GROUP_COLUMNS + " inputs: "
                    + "run it on the host backend, or build a bf16 or int4 engine from the checkpoint.");
        }
    }

    private static Stream<WeightMatrix.Int4> int4(ModelWeights weights) {
        return matrices(weights).filter(WeightMatrix.Int4.class::isInstance).map(WeightMatrix.Int4.class::cast);
    }

    private static Stream<WeightMatrix> matrices(ModelWeights weights) {
        return Stream.concat(Stream.of(weights.embedding(), weights.head()),
                weights.layers().stream().flatMap(ModelWeights.LayerWeights::matrices));
    }

    private static void layer(ModelShape shape, ModelWeights.LayerWeights layer) throws ExecutorException {
        norm("attention norm", layer.attentionNorm(), shape.hidden());
        norm("feed-forward norm", layer.feedForwardNorm(), shape.hidden());
        linear("query", layer.query(), shape.queryWidth(), shape.hidden());
        linear("key", layer.key(), shape.kvWidth(), shape.hidden());
        linear("value", layer.value(), shape.kvWidth(), shape.hidden());
        linear("output", layer.output(), shape.hidden(), shape.queryWidth());
        require(precision(layer.query()) == precision(layer.key())
                && precision(layer.key()) == precision(layer.value()), "query, key and value differ in precision");
        require(layer.queryNorm().length == 0 || layer.queryNorm().length == shape.headDim(),
                "the query norm has the wrong width");
        require(layer.keyNorm().length == 0 || layer.keyNorm().length == shape.headDim(),
                "the key norm has the wrong width");
        switch (layer.feedForward()) {
            case ModelWeights.FeedForward.SwiGlu(var gate, var up, var down) -> {
                linear("gate", gate, shape.intermediate(), shape.hidden());
                linear("up", up, shape.intermediate(), shape.hidden());
                linear("down", down, shape.hidden(), shape.intermediate());
                require(precision(gate) == precision(up), "gate and up differ in precision");
            }
            case ModelWeights.FeedForward.Gelu(var up, var down) -> {
                linear("up", up, shape.intermediate(), shape.hidden());
                linear("down", down, shape.hidden(), shape.intermediate());
            }
        }
    }

    private static Precision precision(ModelWeights.Linear linear) {
        return linear.weight().precision();
    }

    private static void linear(String name, ModelWeights.Linear linear, int rows, int columns)
            throws ExecutorException {
        matrix(name, linear.weight(), rows, columns);
        require(linear.bias().length == 0 || linear.bias().length == rows,
                "the bias of " + name + " has the wrong width");
    }

    private static void matrix(String name, WeightMatrix matrix, int rows, int columns) throws ExecutorException {
        require(matrix.rows() == rows && matrix.columns() == columns,
                name + " is " + matrix.rows() + " × " + matrix.columns() + " instead of " + rows + " × " + columns);
        boolean complete = switch (matrix) {
            case WeightMatrix.Bf16 bf16 -> bf16.values().byteSize() >= 2L * rows * columns;
            case WeightMatrix.Fp8 fp8 ->
                fp8.values().byteSize() >= (long) rows * columns && fp8.scales().byteSize() >= 4L * rows * fp8.groups();
            case WeightMatrix.Int8 int8 -> int8.values().byteSize() >= (long) rows * columns
                    && int8.scales().byteSize() >= 2L * rows * int8.groups();
            case WeightMatrix.Int4 int4 -> int4.nibbles().byteSize() >= (long) rows * int4.rowBytes()
                    && int4.scales().byteSize() >= 2L * rows * int4.groups()
                    && int4.zeros().byteSize() >= (long) rows * int4.groups();
        };
        require(complete, name + " has fewer values than its dimensions say");
    }

    private static void norm(String name, ModelWeights.Norm norm, int width) throws ExecutorException {
        require(norm.weight().length == width && (norm.bias().length == 0 || norm.bias().length == width),
                "the " + name + " has the wrong width");
    }

    private static void require(boolean fits, String what) throws ExecutorException {
        if (!fits) {
            throw new ExecutorException("The engine cannot run: " + what + ".");
        }
    }
}
