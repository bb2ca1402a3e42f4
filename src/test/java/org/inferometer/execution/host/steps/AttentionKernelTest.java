package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Seed;

/// The attention of one key/value head against the formula in double precision.
public class AttentionKernelTest {
    private static final int KV_HEADS = 2;
    private static final int HEAD = 1;
    private static final int LAYER = 1;

    @Property(tries = 60)
    void attentionEqualsTheFormula(@ForAll KvDtype dtype, @ForAll @IntRange(min = 1, max = 150) int headDim,
            @ForAll @IntRange(min = 1, max = 70) int blockTokens, @ForAll @IntRange(min = 1, max = 300) int positions,
            @ForAll @IntRange(min = 1, max = AttentionKernel.QUERIES) int count,
            @ForAll @IntRange(min = 1, max = 9) int groupHeads, @ForAll long seed) {
        assertAttention(new Case(dtype, headDim, blockTokens, positions, count, groupHeads, 0, seed));
    }

    /// Windows of one position up to more than there are; positions that no query sees are NaN in the cache.
    @Property(tries = 80)
    void attentionInAWindowEqualsTheFormula(@ForAll KvDtype dtype, @ForAll @IntRange(min = 1, max = 150) int headDim,
            @ForAll @IntRange(min = 1, max = 40) int blockTokens, @ForAll @IntRange(min = 1, max = 300) int positions,
            @ForAll @IntRange(min = 1, max = AttentionKernel.QUERIES) int count,
            @ForAll @IntRange(min = 1, max = 9) int groupHeads, @ForAll @IntRange(min = 1, max = 310) int window,
            @ForAll long seed) {
        assertAttention(new Case(dtype, headDim, blockTokens, positions, count, groupHeads, window, seed));
        assertAttention(new Case(dtype, 64, 16, positions, count, groupHeads, window, seed));
    }

    /// The widths of real models and blocks of whole vectors, where four blocks go together.
    @Property(tries = 30)
    void attentionOverWholeBlocksEqualsTheFormula(@ForAll KvDtype dtype,
            @ForAll @IntRange(min = 1, max = 2) int headDims, @ForAll @IntRange(min = 1, max = 3) int blocksOf16,
            @ForAll @IntRange(min = 1, max = 300) int positions,
            @ForAll @IntRange(min = 1, max = AttentionKernel.QUERIES) int count, @ForAll long seed) {
        assertAttention(new Case(dtype, 64 * headDims, 16 * blocksOf16, positions, count, 8, 0, seed));
    }

    public static void assertAttention(KvDtype dtype, int headDim, int blockTokens, int positions, int count,
            int groupHeads) {
        assertAttention(new Case(dtype, headDim, blockTokens, positions, count, groupHeads, 0, 5));
    }

    private static void assertAttention(Case example) {
        float[][] together = example.attend(0, example.count);
        for (int i = 0; i < example.count; i++) {
            double[] expected = example.expected(i);
            for (int d = 0; d < example.headDim; d++) {
                assertThat((double) together[i][d]).as("query %d, output %d", i, d).isCloseTo(expected[d],
                        offset(2e-5));
            }
            assertThat(example.attend(i, i + 1)[0]).as("query %d alone", i).containsExactly(together[i]);
        }
    }

    /// A sequence's keys and values in blocks that lie anywhere, everything else in the cache being NaN.
    private static final class Case {
        private final int headDim;
        private final int count;
        private final int[] visible;
        private final float[] queries; // [count, headDim]
        private final float[][] keys; // [positions][headDim]
        private final float[][] values; // [positions][headDim]
        private final int blockTokens;
        private final int positions;
        private final int window;
        private final int[] blockTable;
        private final ModelShape shape;
        private final HostOptions options;

        Case(KvDtype dtype, int headDim, int blockTokens, int positions, int count, int groupHeads, int window,
                long seed) {
            RandomGenerator random = new Seed(seed).generator();
            this.headDim = headDim;
            this.blockTokens = blockTokens;
            this.positions = positions;
            this.window = window;
            this.count = count;
            visible = new int[count];
            Arrays.setAll(visible, i -> Math.max(1, positions - (count - 1) / groupHeads + i / groupHeads));
            queries = floats(random, count * headDim);
            keys = new float[positions][];
            values = new float[positions][];
            for (int i = 0; i < positions; i++) {
                keys[i] = rounded(dtype, floats(random, headDim));
                values[i] = rounded(dtype, floats(random, headDim));
            }
            int blocks = Math.ceilDiv(positions, blockTokens);
            blockTable = new int[blocks];
            Arrays.setAll(blockTable, i -> blocks - i);
            shape = RandomModel.shape(ModelFamily.LLAMA, 2, 8, 8, KV_HEADS, KV_HEADS, headDim, 8, null);
            options = HostRun.options(1, 1, blockTokens, dtype);
        }

        private static float[] floats(RandomGenerator random, int count) {
            float[] floats = new float[count];
            for (int i = 0; i < count; i++) {
                floats[i] = (float) random.nextGaussian();
            }
            return floats;
        }

        private static float[] rounded(KvDtype dtype, float[] elements) {
            for (int i = 0; i < elements.length && dtype == KvDtype.BF16; i++) {
                elements[i] = Bfloat16.decode(Bfloat16.encode(elements[i]));
            }
            return elements;
        }

        float[][] attend(int from, int end) {
            try (Arena arena = Arena.ofConfined()) {
                KvCache cache = new KvCache(shape, options, new PoolId(0), blockTable.length + 2, arena);
                float[] nan = new float[KV_HEADS * headDim];
                Arrays.fill(nan, Float.NaN);
                for (int block = 0; block < blockTable.length + 2; block++) {
                    for (int slot = 0; slot < blockTokens; slot++) {
                        cache.write(LAYER, block, slot, nan, 0, nan, 0);
                    }
                }
                for (int i = firstBlockSeen(from); i < positions; i++) {
                    float[] key = nan.clone();
                    float[] value = nan.clone();
                    System.arraycopy(keys[i], 0, key, HEAD * headDim, headDim);
                    System.arraycopy(values[i], 0, value, HEAD * headDim, headDim);
                    cache.write(LAYER, blockTable[i / blockTokens], i % blockTokens, key, 0, value, 0);
                }
                AttentionKernel kernel = new AttentionKernel(headDim, blockTokens, positions, window);
                for (int i = from; i < end; i++) {
                    kernel.queryAt[i - from] = i * headDim;
                    kernel.visible[i - from] = visible[i];
                }
                float[] result = new float[count * headDim];
                kernel.attend(cache, LAYER, HEAD, blockTable, end - from, queries, result);
                float[][] outputs = new float[end - from][];
                Arrays.setAll(outputs, i -> Arrays.copyOfRange(result, (from + i) * headDim, (from + i + 1) * headDim));
                return outputs;
            }
        }

        /// Positions before the block of the first that the query sees are NaN in the cache.
        private int firstBlockSeen(int query) {
            return firstSeen(query) / blockTokens * blockTokens;
        }

        private int firstSeen(int query) {
            return window == 0 ? 0 : Math.max(0, visible[query] - window);
        }

        double[] expected(int query) {
            double[] weights = new double[visible[query]];
            double sum = 0;
            for (int i = firstSeen(query); i < weights.length; i++) {
                double score = 0;
                for (int d = 0; d < headDim; d++) {
                    score += (double) queries[query * headDim + d] * keys[i][d];
                }
                weights[i] = Math.exp(score / Math.sqrt(headDim));
                sum += weights[i];
            }
            double[] output = new double[headDim];
            for (int i = firstSeen(query); i < weights.length; i++) {
                for (int d = 0; d < headDim; d++) {
                    output[d] += weights[i] / sum * values[i][d];
                }
            }
            return output;
        }
    }
}
