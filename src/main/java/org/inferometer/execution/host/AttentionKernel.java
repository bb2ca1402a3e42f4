package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;

import jdk.incubator.vector.FloatVector;

/// Scaled dot-product attention of up to [#QUERIES] queries of one sequence that share a key/value head.
///
/// Every score is one chain over the head's elements, every output one chain over the positions in order, and the softmax sum
/// depends on the query's position alone: which queries are computed together changes no bit. One instance a worker; it holds
/// the scratch memory.
final class AttentionKernel {
    /// Queries of a call; a block of the cache is fetched once for all of them.
    static final int QUERIES = 16;

    private static final int TILE = 4;

    private final int headDim;
    private final int blockTokens;
    private final float scale;
    private final int scoreStride;
    private final int outputStride;
    private final float[] block; // [headDim][blockTokens] or [blockTokens][headDim]
    private final float[] scores; // [QUERIES, scoreStride]
    private final float[] outputs; // [QUERIES, outputStride]
    private final float[] spill = new float[LANES];
    /// Where each query starts in its buffer; the slots after the last repeat it.
    final int[] queryAt = new int[QUERIES];
    /// Positions each query sees, ascending.
    final int[] visible = new int[QUERIES];

    AttentionKernel(int headDim, int blockTokens, int maxPositions) {
        this.headDim = headDim;
        this.blockTokens = blockTokens;
        this.scale = (float) (1 / Math.sqrt(headDim));
        this.scoreStride = scoreStride(blockTokens, maxPositions);
        this.outputStride = Vectors.roundUp(headDim, LANES);
        this.block = new float[headDim * blockTokens + LANES];
        this.scores = new float[QUERIES * scoreStride];
        this.outputs = new float[QUERIES * outputStride];
    }

    private static int scoreStride(int blockTokens, int maxPositions) {
        // Scores are written in whole vectors of whole blocks.
        return Vectors.roundUp(Vectors.roundUp(maxPositions, blockTokens) + LANES, LANES);
    }

    static long bytes(int headDim, int blockTokens, int maxPositions) {
        return 4L * (QUERIES * scoreStride(blockTokens, maxPositions) + headDim * blockTokens
                + QUERIES * Vectors.roundUp(headDim, LANES));
    }

    /// Attends with the queries that [#queryAt] and [#visible] name; `result[queryAt[i]..]` gets each query's output.
    void attend(KvCache cache, int layer, int kvHead, int[] blockTable, int count, float[] queries, float[] result) {
        for (int i = count; i < QUERIES; i++) {
            queryAt[i] = queryAt[count - 1];
            visible[i] = visible[count - 1];
        }
        int tiles = Math.ceilDiv(count, TILE);
        int blocks = Math.ceilDiv(visible[count - 1], blockTokens);
        for (int b = 0; b < blocks; b++) {
            cache.readKeys(layer, blockTable[b], kvHead, block);
            for (int tile = 0; tile < tiles; tile++) {
                for (int t = 0; t < blockTokens; t += LANES) {
                    score(tile * TILE, t, b * blockTokens + t, queries);
                }
            }
        }
        for (int i = 0; i < count; i++) {
            softmax(i * scoreStride, visible[i]);
        }
        java.util.Arrays.fill(outputs, 0, tiles * TILE * outputStride, 0f);
        for (int b = 0; b < blocks; b++) {
            cache.readValues(layer, blockTable[b], kvHead, block);
            for (int tile = 0; tile < tiles; tile++) {
                weigh(tile * TILE, b * blockTokens, count);
            }
        }
        for (int i = 0; i < count; i++) {
            System.arraycopy(outputs, i * outputStride, result, queryAt[i], headDim);
        }
    }

    /// Scores of four queries against the positions of one vector.
    private void score(int first, int t, int position, float[] queries) {
        int q0 = queryAt[first];
        int q1 = queryAt[first + 1];
        int q2 = queryAt[first + 2];
        int q3 = queryAt[first + 3];
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int d = 0; d < headDim; d++) {
            FloatVector keys = FloatVector.fromArray(FLOATS, block, d * blockTokens + t);
            c0 = keys.fma(FloatVector.broadcast(FLOATS, queries[q0 + d]), c0);
            c1 = keys.fma(FloatVector.broadcast(FLOATS, queries[q1 + d]), c1);
            c2 = keys.fma(FloatVector.broadcast(FLOATS, queries[q2 + d]), c2);
            c3 = keys.fma(FloatVector.broadcast(FLOATS, queries[q3 + d]), c3);
        }
        int at = first * scoreStride + position;
        c0.intoArray(scores, at);
        c1.intoArray(scores, at + scoreStride);
        c2.intoArray(scores, at + 2 * scoreStride);
        c3.intoArray(scores, at + 3 * scoreStride);
    }

    /// Turns `n` scores into weights that sum to one.
    private void softmax(int at, int n) {
        float largest = largest(at, n);
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
        float inverse = 1 / sum;
        i = 0;
        for (; i + LANES <= n; i += LANES) {
            FloatVector.fromArray(FLOATS, scores, at + i).mul(inverse).intoArray(scores, at + i);
        }
        for (; i < n; i++) {
            scores[at + i] *= inverse;
        }
    }

    private float largest(int at, int n) {
        float largest = Float.NEGATIVE_INFINITY;
        int i = 0;
        if (n >= LANES) {
            FloatVector lanes = FloatVector.fromArray(FLOATS, scores, at);
            for (i = LANES; i + LANES <= n; i += LANES) {
                lanes = lanes.max(FloatVector.fromArray(FLOATS, scores, at + i));
            }
            lanes.intoArray(spill, 0);
            for (float lane : spill) {
                largest = Math.max(largest, lane);
            }
        }
        for (; i < n; i++) {
            largest = Math.max(largest, scores[at + i]);
        }
        return largest;
    }

    /// Adds a block's weighted values to four outputs: together as far as all four see, then each alone.
    private void weigh(int first, int position, int count) {
        int shared = Math.clamp(visible[first] - position, 0, blockTokens);
        for (int d = 0; d < headDim; d += LANES) {
            weighFour(first, position, shared, d);
        }
        for (int i = first; i < Math.min(first + TILE, count); i++) {
            int seen = Math.clamp(visible[i] - position, 0, blockTokens);
            for (int d = 0; d < headDim && seen > shared; d += LANES) {
                weighOne(i, position, shared, seen, d);
            }
        }
    }

    private void weighFour(int first, int position, int tokens, int d) {
        int at = first * outputStride + d;
        int p = first * scoreStride + position;
        FloatVector c0 = FloatVector.fromArray(FLOATS, outputs, at);
        FloatVector c1 = FloatVector.fromArray(FLOATS, outputs, at + outputStride);
        FloatVector c2 = FloatVector.fromArray(FLOATS, outputs, at + 2 * outputStride);
        FloatVector c3 = FloatVector.fromArray(FLOATS, outputs, at + 3 * outputStride);
        for (int t = 0; t < tokens; t++) {
            FloatVector values = FloatVector.fromArray(FLOATS, block, t * headDim + d);
            c0 = values.fma(FloatVector.broadcast(FLOATS, scores[p + t]), c0);
            c1 = values.fma(FloatVector.broadcast(FLOATS, scores[p + scoreStride + t]), c1);
            c2 = values.fma(FloatVector.broadcast(FLOATS, scores[p + 2 * scoreStride + t]), c2);
            c3 = values.fma(FloatVector.broadcast(FLOATS, scores[p + 3 * scoreStride + t]), c3);
        }
        c0.intoArray(outputs, at);
        c1.intoArray(outputs, at + outputStride);
        c2.intoArray(outputs, at + 2 * outputStride);
        c3.intoArray(outputs, at + 3 * outputStride);
    }

    private void weighOne(int query, int position, int from, int to, int d) {
        int at = query * outputStride + d;
        int p = query * scoreStride + position;
        FloatVector chain = FloatVector.fromArray(FLOATS, outputs, at);
        for (int t = from; t < to; t++) {
            chain = FloatVector.fromArray(FLOATS, block, t * headDim + d).fma(FloatVector.broadcast(FLOATS, scores[p + t]), chain);
        }
        chain.intoArray(outputs, at);
    }
}
