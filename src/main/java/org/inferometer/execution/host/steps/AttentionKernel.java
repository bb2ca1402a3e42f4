package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.machine.VectorMath;
import org.inferometer.execution.host.machine.Vectors;

/// Scaled dot-product attention of up to [#QUERIES] queries of one sequence that share a key/value head.
///
/// The [KvProducts] of the cache read keys and values in place. A score is one chain over the head's elements. An
/// output is the sum of four chains, each over the positions of every fourth block. The softmax sum depends on the
/// query's position only, so queries computed together do not affect each other. With a sliding window, blocks that no
/// query sees are not read; positions before a query's window in its first block have weight zero. One instance per
/// worker; it holds the scratch memory.
public final class AttentionKernel {
    /// Queries of a call; a block of the cache is fetched once for all of them.
    public static final int QUERIES = 16;

    private static final int STREAMS = KvProducts.STREAMS;
    private static final int WIDTH = KvProducts.WIDTH;
    private static final int[] EACH = {0, 1, 2, 3};
    private static final int[] SAME = {0, 0, 0, 0};

    private final int headDim;
    private final int blockTokens;
    private final int window; // positions that a query sees, 0 for all before it
    private final float scale;
    private final int scoreStride;
    private final int chainStride;
    private final float[] scores; // [QUERIES, scoreStride]
    private final float[] chains; // [QUERIES, STREAMS, chainStride]
    private final float[] factors = new float[QUERIES]; // of the weights, so that they sum to one
    private final long[] tilesAt = new long[STREAMS];
    private final float[] spill = new float[LANES];
    private int firstBlock; // that a query of the call sees
    /// Where each query starts in its buffer; the slots after the last repeat it.
    public final int[] queryAt = new int[QUERIES];
    /// Positions each query sees, ascending.
    public final int[] visible = new int[QUERIES];

    /// @param window last positions that a query sees, 0 for all
    public AttentionKernel(int headDim, int blockTokens, int maxPositions, int window) {
        this.headDim = headDim;
        this.blockTokens = blockTokens;
        this.window = window;
        this.scale = (float) (1 / Math.sqrt(headDim));
        this.scoreStride = scoreStride(blockTokens, maxPositions);
        this.chainStride = Vectors.roundUp(headDim, WIDTH);
        this.scores = new float[QUERIES * scoreStride];
        this.chains = new float[QUERIES * STREAMS * chainStride];
    }

    private static int scoreStride(int blockTokens, int maxPositions) {
        // Scores are written in whole vectors of whole blocks, and of four tiles at once.
        return Vectors.roundUp(Vectors.roundUp(maxPositions, blockTokens) + STREAMS * LANES, LANES);
    }

    public static long bytes(int headDim, int blockTokens, int maxPositions) {
        return 4L * QUERIES * (scoreStride(blockTokens, maxPositions) + STREAMS * Vectors.roundUp(headDim, WIDTH));
    }

    /// Attends with the queries that [#queryAt] and [#visible] name; `result[queryAt[i]..]` gets each query's output.
    public void attend(KvCache cache, int layer, int kvHead, int[] blockTable, int count, float[] queries,
            float[] result) {
        for (int i = count; i < QUERIES; i++) {
            queryAt[i] = queryAt[count - 1];
            visible[i] = visible[count - 1];
        }
        int blocks = Math.ceilDiv(visible[count - 1], blockTokens);
        firstBlock = firstVisible(0) / blockTokens;
        scoreAll(cache, layer, kvHead, blockTable, blocks, count, queries);
        for (int i = 0; i < count; i++) {
            int row = i * scoreStride;
            int from = firstVisible(i);
            factors[i] = softmax(scores, row + from, visible[i] - from, scale, spill);
            Arrays.fill(scores, row + firstBlock * blockTokens, row + from, 0f);
        }
        Arrays.fill(chains, 0, Vectors.roundUp(count, KvProducts.QUERIES) * STREAMS * chainStride, 0f);
        for (int column = 0; column * WIDTH < headDim; column++) {
            // A block belongs to the same chain whatever the first one is.
            for (int b = firstBlock / STREAMS * STREAMS; b < blocks; b += STREAMS) {
                weigh(cache, layer, kvHead, blockTable, b, Math.min(b + STREAMS, blocks), count, column);
            }
        }
        for (int i = 0; i < count; i++) {
            cache.products().finish(chains, i * STREAMS * chainStride, chainStride, factors[i], result, queryAt[i]);
        }
    }

    /// The first position that a query sees.
    private int firstVisible(int query) {
        return window == 0 ? 0 : Math.max(0, visible[query] - window);
    }

    private void scoreAll(KvCache cache, int layer, int kvHead, int[] blockTable, int blocks, int count,
            float[] queries) {
        KvProducts products = cache.products();
        int tiles = Math.ceilDiv(blockTokens, LANES);
        int all = blocks * tiles;
        int tile = firstBlock * tiles;
        // The last of up to three remaining tiles is repeated; the extra scores are behind all others.
        for (; blockTokens % LANES == 0 && tile + 1 < all; tile += STREAMS) {
            for (int i = 0; i < STREAMS; i++) {
                int next = Math.min(tile + i, all - 1);
                tilesAt[i] = cache.keysAt(layer, blockTable[next / tiles], kvHead) + products.tile(next % tiles);
            }
            for (int q = 0; q < count; q += KvProducts.QUERIES) {
                products.scoreFour(tilesAt[0], tilesAt[1], tilesAt[2], tilesAt[3], queries, queryAt, q, scores,
                        q * scoreStride + tile * LANES, scoreStride);
            }
        }
        for (; tile < all; tile++) {
            int block = tile / tiles;
            long keys = cache.keysAt(layer, blockTable[block], kvHead);
            int position = block * blockTokens + tile % tiles * LANES;
            for (int q = 0; q < count; q += KvProducts.QUERIES) {
                products.score(keys, tile % tiles, queries, queryAt, q, scores, q * scoreStride + position,
                        scoreStride);
            }
        }
    }

    /// Converts `n` scores to weights.
    ///
    /// @return the factor by which the weights sum to one
    static float softmax(float[] scores, int at, int n, float scale, float[] spill) {
        float largest = largest(scores, at, n, spill);
        FloatVector lanes = FloatVector.zero(FLOATS);
        int i = 0;
        for (; i + LANES <= n; i += LANES) {
            FloatVector weight = VectorMath.exp(FloatVector.fromArray(FLOATS, scores, at + i).sub(largest).mul(scale));
            weight.intoArray(scores, at + i);
            lanes = lanes.add(weight);
        }
        float sum = Vectors.orderedSum(lanes, spill);
        for (; i < n; i++) {
            float weight = VectorMath.exp((scores[at + i] - largest) * scale);
            scores[at + i] = weight;
            sum += weight;
        }
        return 1 / sum;
    }

    private static float largest(float[] scores, int at, int n, float[] spill) {
        float largest = Float.NEGATIVE_INFINITY;
        FloatVector lanes = FloatVector.broadcast(FLOATS, largest);
        int i = 0;
        for (; i + LANES <= n; i += LANES) {
            // The vector's own maximum handles NaN and signed zeros in six dependent instructions.
            FloatVector next = FloatVector.fromArray(FLOATS, scores, at + i);
            lanes = lanes.blend(next, next.compare(VectorOperators.GT, lanes));
        }
        lanes.intoArray(spill, 0);
        for (float lane : spill) {
            largest = Math.max(largest, lane);
        }
        for (; i < n; i++) {
            largest = Math.max(largest, scores[at + i]);
        }
        return largest;
    }

    /// Adds the weighted values of up to four neighbouring blocks to one column of the queries' outputs.
    private void weigh(KvCache cache, int layer, int kvHead, int[] blockTable, int first, int end, int count,
            int column) {
        int position = first * blockTokens;
        boolean whole = (column + 1) * WIDTH <= headDim && first >= firstBlock
                && visible[0] >= position + STREAMS * blockTokens;
        // The first queries load four blocks at once into the cache; the others read them there.
        int alone = whole ? (count - 1) % KvProducts.QUERIES + 1 : 0;
        for (int i = 0; i < alone; i++) {
            weighFour(cache, layer, kvHead, blockTable, first, i, column);
        }
        for (int b = Math.max(first, firstBlock); b < end; b++) {
            long values = cache.valuesAt(layer, blockTable[b], kvHead);
            for (int i = alone; i < count; i += KvProducts.QUERIES) {
                int shared = seen(i, b);
                add(cache, values, column, 0, shared, EACH, i, b);
                for (int j = i; j < Math.min(i + KvProducts.QUERIES, count); j++) {
                    add(cache, values, column, shared, seen(j, b), SAME, j, b);
                }
            }
        }
    }

    private void weighFour(KvCache cache, int layer, int kvHead, int[] blockTable, int first, int query, int column) {
        KvProducts products = cache.products();
        long from = products.column(column);
        products.addFour(cache.valuesAt(layer, blockTable[first], kvHead) + from,
                cache.valuesAt(layer, blockTable[first + 1], kvHead) + from,
                cache.valuesAt(layer, blockTable[first + 2], kvHead) + from,
                cache.valuesAt(layer, blockTable[first + 3], kvHead) + from, scores,
                query * scoreStride + first * blockTokens, chains, query * STREAMS * chainStride + column * WIDTH,
                chainStride);
    }

    /// Positions of a block that are visible to a query.
    private int seen(int query, int block) {
        return Math.clamp(visible[query] - block * blockTokens, 0, blockTokens);
    }

    private void add(KvCache cache, long values, int column, int from, int to, int[] slots, int query, int block) {
        if (from < to) {
            cache.products().add(values, column, from, to, slots, 0, scores, query * scoreStride + block * blockTokens,
                    scoreStride, chains, (query * STREAMS + block % STREAMS) * chainStride + column * WIDTH,
                    STREAMS * chainStride);
        }
    }
}
