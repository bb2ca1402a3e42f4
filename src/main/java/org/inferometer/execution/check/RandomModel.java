package org.inferometer.execution.check;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.engine.ArchitectureTraits;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.E4m3;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// A small model with seeded random weights in memory, for comparing backends with the reference pass.
public record RandomModel(ModelShape shape, ModelWeights weights) {
    /// Seeded weights for a shape.
    public static RandomModel of(ModelShape shape, Precision precision, long seed) {
        return of(shape, WeightFormats.all(precision), seed);
    }

    /// Seeded weights in these formats for a shape.
    public static RandomModel of(ModelShape shape, WeightFormats formats, long seed) {
        return new Maker(shape, formats, false, new Seed(seed).generator()).make();
    }

    /// As [#of], of [#typicalMatrix].
    public static RandomModel typical(ModelShape shape, Precision precision, long seed) {
        return new Maker(shape, WeightFormats.all(precision), true, new Seed(seed).generator()).make();
    }

    /// A shape with widths that are no multiples of vectors or tiles.
    public static ModelShape odd(ModelFamily family) {
        return switch (family) {
            case LLAMA -> shape(family, 2, 130, 36, 6, 2, 16, 97, new RopeScaling(8, 1, 4, 32));
            case QWEN2 -> shape(family, 2, 72, 150, 3, 3, 24, 61, null);
            case QWEN3 -> shape(family, 1, 260, 70, 4, 1, 64, 133, null);
            case GPT2 -> shape(family, 2, 45, 181, 3, 3, 15, 50, null);
        };
    }

    /// Positions of a KV block in the checks; different for each family.
    public static int blockTokens(ModelFamily family) {
        return switch (family) {
            case LLAMA -> 16;
            case QWEN2 -> 3;
            case QWEN3 -> 20;
            case GPT2 -> 64;
        };
    }

    /// A shape with these widths and 512 positions; the head of GPT-2 is tied.
    ///
    /// @param scaling absent for unscaled RoPE
    public static ModelShape shape(ModelFamily family, int layers, int hidden, int intermediate, int heads, int kvHeads,
            int headDim, int vocabulary, @Nullable RopeScaling scaling) {
        return new ModelShape(family, layers, hidden, intermediate, heads, kvHeads, headDim, vocabulary, 512,
                family == ModelFamily.GPT2, 10_000, scaling, 1e-5);
    }

    /// Random weights scaled so that products keep the size of their input. A tenth of FP8 weights are near zero, so that
    /// subnormal codes are tested.
    public static WeightMatrix matrix(int rows, int columns, Precision precision, RandomGenerator random) {
        return switch (precision) {
            case BF16 -> bf16(rows, columns, random);
            case FP8 -> fp8(rows, columns, 0, 10, random);
            case INT8 -> int8(rows, columns, random);
            case INT4 -> int4(rows, columns, WeightMatrix.Int4.GROUP_COLUMNS, random);
        };
    }

    /// As [#matrix], with FP8 codes as quantisers make them of trained weights: one in ten thousand is subnormal.
    public static WeightMatrix typicalMatrix(int rows, int columns, Precision precision, RandomGenerator random) {
        return precision == Precision.FP8 ? fp8(rows, columns, 0, Integer.MAX_VALUE, random)
                : matrix(rows, columns, precision, random);
    }

    private static WeightMatrix bf16(int rows, int columns, RandomGenerator random) {
        MemorySegment values = MemorySegment.ofArray(new byte[2 * rows * columns]);
        for (int i = 0; i < rows * columns; i++) {
            values.set(LittleEndian.SHORT, 2L * i,
                    Bfloat16.encode((float) (random.nextGaussian() / Math.sqrt(columns))));
        }
        return new WeightMatrix.Bf16(rows, columns, values);
    }

    /// As [#matrix], FP8 with scales of groups of this width; 0 for one scale a row.
    ///
    /// @param tiny one value in this many is near zero
    public static WeightMatrix.Fp8 fp8(int rows, int columns, int groupColumns, int tiny, RandomGenerator random) {
        byte[] codes = new byte[rows * columns];
        int groups = WeightMatrix.Fp8.groups(columns, groupColumns);
        MemorySegment scales = MemorySegment.ofArray(new byte[4 * rows * groups]);
        for (int row = 0; row < rows; row++) {
            for (int group = 0; group < groups; group++) {
                scales.set(LittleEndian.FLOAT, 4L * (row * groups + group),
                        (float) ((0.5 + random.nextDouble()) / 100 / Math.sqrt(columns)));
            }
            for (int i = 0; i < columns; i++) {
                double value = random.nextGaussian() * (random.nextInt(tiny) == 0 ? 0.005 : 100);
                codes[row * columns + i] = E4m3.encode((float) value);
            }
        }
        return new WeightMatrix.Fp8(rows, columns, groupColumns, MemorySegment.ofArray(codes), scales);
    }

    /// As [#matrix], INT8 with codes of all sizes and scales of either sign.
    public static WeightMatrix.Int8 int8(int rows, int columns, RandomGenerator random) {
        byte[] codes = new byte[rows * columns];
        random.nextBytes(codes);
        int groups = Math.ceilDiv(columns, WeightMatrix.Int8.GROUP_COLUMNS);
        MemorySegment scales = MemorySegment.ofArray(new byte[2 * rows * groups]);
        for (int i = 0; i < rows * groups; i++) {
            double scale = (0.5 + random.nextDouble()) / 74 / Math.sqrt(columns) * (random.nextBoolean() ? 1 : -1);
            scales.set(LittleEndian.SHORT, 2L * i, Float.floatToFloat16((float) scale));
        }
        return new WeightMatrix.Int8(rows, columns, MemorySegment.ofArray(codes), scales);
    }

    /// As [#matrix], INT4 in groups of this width.
    public static WeightMatrix.Int4 int4(int rows, int columns, int groupColumns, RandomGenerator random) {
        byte[] nibbles = new byte[rows * WeightMatrix.Int4.rowBytes(columns)];
        random.nextBytes(nibbles);
        float[] scales = new float[rows * Math.ceilDiv(columns, groupColumns)];
        byte[] zeros = new byte[scales.length];
        for (int i = 0; i < scales.length; i++) {
            double scale = (0.5 + random.nextDouble()) / 6 / Math.sqrt(columns);
            scales[i] = Float.float16ToFloat(Float.floatToFloat16((float) scale));
            zeros[i] = (byte) (6 + random.nextInt(4));
        }
        return new WeightMatrix.Int4(rows, columns, groupColumns, MemorySegment.ofArray(nibbles), scales, zeros);
    }

    private record Maker(ModelShape shape, WeightFormats formats, boolean typical, RandomGenerator random) {
        RandomModel make() {
            WeightMatrix embedding = table();
            List<ModelWeights.LayerWeights> layers = new ArrayList<>();
            for (int i = 0; i < shape.layers(); i++) {
                layers.add(layer());
            }
            WeightMatrix head = shape.tiedHead() ? embedding : table();
            float[] positions = shape.traits().learnedPositions()
                    ? vector(shape.maxPositions() * shape.hidden(), 0, 0.3) : new float[0];
            return new RandomModel(shape, new ModelWeights(embedding, positions, layers, norm(), head));
        }

        private ModelWeights.LayerWeights layer() {
            boolean biased = shape.traits().qkvBias();
            boolean headNorms = shape.traits().headNorms();
            int[] order = order(shape.hidden());
            return new ModelWeights.LayerWeights(norm(), linear(shape.queryWidth(), biased, order),
                    linear(shape.kvWidth(), biased, order), linear(shape.kvWidth(), biased, order),
                    headNorms ? vector(shape.headDim(), 1, 0.1) : new float[0],
                    headNorms ? vector(shape.headDim(), 1, 0.1) : new float[0],
                    linear(shape.hidden(), shape.queryWidth(), shape.traits().otherBiases(), order(shape.queryWidth())),
                    norm(), feedForward());
        }

        private ModelWeights.FeedForward feedForward() {
            boolean biased = shape.traits().otherBiases();
            int[] order = order(shape.hidden());
            ModelWeights.Linear up = linear(shape.intermediate(), biased, order);
            ModelWeights.Linear down = linear(shape.hidden(), shape.intermediate(), biased, ModelWeights.IN_ORDER);
            return switch (shape.traits().mlp()) {
                case GELU -> new ModelWeights.FeedForward.Gelu(up, down);
                case SWIGLU ->
                    new ModelWeights.FeedForward.SwiGlu(linear(shape.intermediate(), false, order), up, down);
            };
        }

        /// A map of the residual stream.
        private ModelWeights.Linear linear(int rows, boolean biased, int[] order) {
            return linear(rows, shape.hidden(), biased, order);
        }

        private ModelWeights.Linear linear(int rows, int columns, boolean biased, int[] order) {
            return new ModelWeights.Linear(matrix(rows, columns), biased ? vector(rows, 0, 0.2) : new float[0], order);
        }

        /// A random order with act-order, else none.
        private int[] order(int columns) {
            if (!formats.actOrder()) {
                return ModelWeights.IN_ORDER;
            }
            int[] order = IntStream.range(0, columns).toArray();
            for (int i = columns - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int kept = order[i];
                order[i] = order[other];
                order[other] = kept;
            }
            return order;
        }

        private ModelWeights.Norm norm() {
            return new ModelWeights.Norm(vector(shape.hidden(), 1, 0.1),
                    shape.traits().norm() == ArchitectureTraits.Norm.LAYER ? vector(shape.hidden(), 0, 0.1)
                            : new float[0]);
        }

        private WeightMatrix matrix(int rows, int columns) {
            return matrix(rows, columns, formats.projections(), typical);
        }

        private WeightMatrix table() {
            return matrix(shape.vocabulary(), shape.hidden(), formats.tables(), false);
        }

        private WeightMatrix matrix(int rows, int columns, Precision precision, boolean asTrained) {
            if (precision == Precision.INT4) {
                return int4(rows, columns, formats.groupColumns(), random);
            }
            if (precision == Precision.FP8 && formats.groupColumns(precision) > 0) {
                return fp8(rows, columns, formats.groupColumns(precision), 10, random);
            }
            return asTrained ? typicalMatrix(rows, columns, precision, random)
                    : RandomModel.matrix(rows, columns, precision, random);
        }

        private float[] vector(int length, double mean, double deviation) {
            float[] vector = new float[length];
            for (int i = 0; i < length; i++) {
                vector[i] = (float) (mean + deviation * random.nextGaussian());
            }
            return vector;
        }
    }
}
