package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.backend.RotaryFrequencies;

/// The forward pass from its formulas: scalar, double precision, one position at a time. The reference for the kernels
/// of every backend; slow, for small models, one thread.
///
/// Sources: Llama (Touvron et al. 2023), Qwen2 and Qwen3 technical reports, GPT-2 (Radford et al. 2019).
public final class ReferenceForward {
    private final ModelShape shape;
    private final ModelWeights weights;
    private final List<List<double[]>> keys = new ArrayList<>(); // [layers][positions], [kvHeads · headDim]
    private final List<List<double[]>> values = new ArrayList<>();
    private final Rounding rounding;
    private final Map<WeightMatrix, float[][]> decoded = new IdentityHashMap<>();

    /// The rounding of the compared backend by design, so that the remaining deviation is an error.
    ///
    /// @param input rounding of the input of products with weights
    /// @param query rounding of queries after RoPE
    /// @param cached rounding of keys and values
    /// @param normFolded whether the products of a layer round x · weight of an RMSNorm, and scale their sums by
    ///     1 / root mean square; else they round the norm's result
    /// @param layerWeight rounding of the weights of layers, not of embedding and head
    public record Rounding(Input input, DoubleUnaryOperator query, Cached cached, boolean normFolded,
            Weight layerWeight) {
        /// Rounding with exact weights.
        public Rounding(Input input, DoubleUnaryOperator query, Cached cached, boolean normFolded) {
            this(input, query, cached, normFolded, (weight, format) -> weight);
        }

        /// The same with rounded weights of layers.
        public Rounding with(Weight other) {
            return new Rounding(input, query, cached, normFolded, other);
        }

        /// Rounds a weight.
        @FunctionalInterface
        public interface Weight {
            /// The rounded weight of that format.
            float of(float weight, Precision format);
        }

        /// No rounding.
        public static final Rounding NONE =
                new Rounding((x, weights) -> x, DoubleUnaryOperator.identity(), (heads, headDim) -> heads, false);

        /// Rounds the keys or values of a position.
        @FunctionalInterface
        public interface Cached {
            /// What the cache gives back of `[kvHeads · headDim]`.
            double[] of(double[] heads, int headDim);

            /// Rounds each element.
            static Cached each(DoubleUnaryOperator rounding) {
                return (heads, headDim) -> rounded(heads, rounding);
            }
        }

        /// Rounds the input of a product.
        @FunctionalInterface
        public interface Input {
            /// The rounded input for weights of that format.
            double[] of(double[] x, Precision weights);

            /// Rounds each element, for all weight formats.
            static Input each(DoubleUnaryOperator rounding) {
                return (x, weights) -> rounded(x, rounding);
            }
        }
    }

    /// An empty sequence.
    public ReferenceForward(ModelShape shape, ModelWeights weights) {
        this(shape, weights, Rounding.NONE);
    }

    /// An empty sequence with rounding.
    public ReferenceForward(ModelShape shape, ModelWeights weights, Rounding rounding) {
        this.shape = shape;
        this.weights = weights;
        this.rounding = rounding;
        for (int layer = 0; layer < shape.layers(); layer++) {
            keys.add(new ArrayList<>());
            values.add(new ArrayList<>());
        }
    }

    /// Adds the next token and returns the logits `[vocabulary]` after it.
    public double[] next(int token) {
        int position = keys.get(0).size();
        double[] x = row(weights.embedding(), token);
        if (shape.traits().learnedPositions()) {
            for (int i = 0; i < x.length; i++) {
                x[i] += weights.positions()[position * shape.hidden() + i];
            }
        }
        for (int layer = 0; layer < shape.layers(); layer++) {
            ModelWeights.LayerWeights block = weights.layers().get(layer);
            x = sum(x, attention(block, layer, position, normed(block.attentionNorm(), x)));
            x = sum(x, feedForward(block.feedForward(), normed(block.feedForwardNorm(), x)));
        }
        return product(new ModelWeights.Linear(weights.head(), new float[0]), normalised(weights.finalNorm(), x));
    }

    /// The input of products after a norm: the elements before the scale, which is the norm's or 1.
    private record Normed(double[] x, double scale) {}

    private Normed normed(ModelWeights.Norm norm, double[] x) {
        if (!rounding.normFolded() || norm.bias().length > 0) {
            return new Normed(normalised(norm, x), 1);
        }
        double[] weighted = new double[x.length];
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            weighted[i] = x[i] * norm.weight()[i];
            squares += x[i] * x[i] / x.length;
        }
        return new Normed(weighted, 1 / Math.sqrt(squares + shape.normEpsilon()));
    }

    private double[] attention(ModelWeights.LayerWeights block, int layer, int position, Normed x) {
        double[] query = rounded(positioned(product(block.query(), x), block.queryNorm(), position), rounding.query());
        int headDim = shape.headDim();
        double[] key = positioned(product(block.key(), x), block.keyNorm(), position);
        keys.get(layer).add(rounding.cached().of(key, headDim));
        values.get(layer).add(rounding.cached().of(product(block.value(), x), headDim));
        double[] mixed = new double[shape.queryWidth()];
        int from = shape.firstAttended(position);
        for (int head = 0; head < shape.heads(); head++) {
            int kvHead = head / (shape.heads() / shape.kvHeads());
            double[] probabilities = new double[position + 1 - from];
            for (int t = from; t <= position; t++) {
                for (int d = 0; d < headDim; d++) {
                    probabilities[t - from] += query[head * headDim + d] * keys.get(layer).get(t)[kvHead * headDim + d];
                }
                probabilities[t - from] /= Math.sqrt(headDim);
            }
            softmax(probabilities);
            for (int t = from; t <= position; t++) {
                for (int d = 0; d < headDim; d++) {
                    mixed[head * headDim + d] +=
                            probabilities[t - from] * values.get(layer).get(t)[kvHead * headDim + d];
                }
            }
        }
        return product(block.output(), mixed);
    }

    private double[] feedForward(ModelWeights.FeedForward block, Normed x) {
        return switch (block) {
            case ModelWeights.FeedForward.SwiGlu(var gate, var up, var down) -> {
                double[] gated = product(gate, x);
                double[] raised = product(up, x);
                for (int i = 0; i < gated.length; i++) {
                    gated[i] = gated[i] / (1 + Math.exp(-gated[i])) * raised[i];
                }
                yield product(down, gated);
            }
            case ModelWeights.FeedForward.Gelu(var up, var down) -> {
                double[] raised = product(up, x);
                for (int i = 0; i < raised.length; i++) {
                    double u = raised[i];
                    raised[i] = 0.5 * u * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (u + 0.044715 * u * u * u)));
                }
                yield product(down, raised);
            }
        };
    }

    /// Head norm if there is one, then half-split RoPE.
    private double[] positioned(double[] heads, float[] headNorm, int position) {
        int headDim = shape.headDim();
        int half = headDim / 2;
        for (int start = 0; start < heads.length; start += headDim) {
            if (headNorm.length > 0) {
                double[] head = Arrays.copyOfRange(heads, start, start + headDim);
                double[] normed = normalised(new ModelWeights.Norm(headNorm, new float[0]), head);
                System.arraycopy(normed, 0, heads, start, headDim);
            }
            for (int i = 0; i < half && shape.traits().rotary(); i++) {
                double angle = position * new RotaryFrequencies(shape).of(i);
                double first = heads[start + i];
                double second = heads[start + half + i];
                heads[start + i] = first * Math.cos(angle) - second * Math.sin(angle);
                heads[start + half + i] = second * Math.cos(angle) + first * Math.sin(angle);
            }
        }
        return heads;
    }

    /// LayerNorm if the norm has a bias, else RMSNorm.
    private double[] normalised(ModelWeights.Norm norm, double[] x) {
        boolean centred = norm.bias().length > 0;
        double mean = 0;
        for (double element : x) {
            mean += centred ? element / x.length : 0;
        }
        double variance = 0;
        for (double element : x) {
            variance += (element - mean) * (element - mean) / x.length;
        }
        double[] result = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            result[i] = (x[i] - mean) / Math.sqrt(variance + shape.normEpsilon()) * norm.weight()[i]
                    + (centred ? norm.bias()[i] : 0);
        }
        return result;
    }

    private double[] product(ModelWeights.Linear linear, double[] input) {
        return product(linear, new Normed(input, 1));
    }

    private double[] product(ModelWeights.Linear linear, Normed input) {
        double[] x = rounding.input().of(inOrder(input.x(), linear.order()), linear.weight().precision());
        float[][] rows = decoded.computeIfAbsent(linear.weight(), this::rows);
        double[] y = new double[rows.length];
        for (int i = 0; i < y.length; i++) {
            double sum = 0;
            float[] row = rows[i];
            for (int k = 0; k < x.length; k++) {
                sum += row[k] * x[k];
            }
            y[i] = sum * input.scale() + (linear.bias().length > 0 ? linear.bias()[i] : 0);
        }
        return y;
    }

    private static double[] inOrder(double[] x, int[] order) {
        double[] ordered = x.clone();
        for (int i = 0; i < order.length; i++) {
            ordered[i] = x[order[i]];
        }
        return ordered;
    }

    private float[][] rows(WeightMatrix matrix) {
        float[][] rows = new float[matrix.rows()][matrix.columns()];
        boolean ofLayer = matrix != weights.head();
        for (int i = 0; i < rows.length; i++) {
            matrix.row(i, rows[i], 0);
            for (int k = 0; ofLayer && k < rows[i].length; k++) {
                rows[i][k] = rounding.layerWeight().of(rows[i][k], matrix.precision());
            }
        }
        return rows;
    }

    private static double[] rounded(double[] x, DoubleUnaryOperator rounding) {
        return Arrays.stream(x).map(rounding).toArray();
    }

    private static double[] row(WeightMatrix matrix, int index) {
        float[] row = new float[matrix.columns()];
        matrix.row(index, row, 0);
        double[] widened = new double[row.length];
        Arrays.setAll(widened, i -> row[i]);
        return widened;
    }

    private static void softmax(double[] scores) {
        double largest = Double.NEGATIVE_INFINITY;
        for (double score : scores) {
            largest = Math.max(largest, score);
        }
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            scores[i] = Math.exp(scores[i] - largest);
            sum += scores[i];
        }
        for (int i = 0; i < scores.length; i++) {
            scores[i] /= sum;
        }
    }

    private static double[] sum(double[] a, double[] b) {
        double[] result = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            result[i] = a[i] + b[i];
        }
        return result;
    }
}
