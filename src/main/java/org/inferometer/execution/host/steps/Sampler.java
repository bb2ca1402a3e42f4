package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.backend.SamplingDraw;
import org.inferometer.execution.host.machine.VectorMath;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.workload.Sampling;

/// Samples a token from logits: greedy, or temperature, then top-k, then top-p.
///
/// Equal logits rank by the lower id. The random number depends on the request's seed and the token's position only.
/// One instance per thread; it holds the scratch memory.
final class Sampler {
    private final int vocabulary;
    private final float[] weights; // [vocabulary], e^((logit − largest) / temperature)
    private final int[] heap; // [vocabulary] ids, likeliest first; the ranked ids gather at its end
    private final float[] bestValues = new float[LANES];
    private final int[] bestIds = new int[LANES];

    Sampler(int vocabulary) {
        this.vocabulary = vocabulary;
        weights = new float[Vectors.roundUp(vocabulary, LANES)];
        heap = new int[vocabulary];
    }

    static long bytes(int vocabulary) {
        return 8L * vocabulary;
    }

    /// @param position of the token to choose in its sequence
    int choose(float[] logits, int at, Sampling sampling, int position) {
        int best = likeliest(logits, at);
        if (sampling.greedy()) {
            return best;
        }
        double total = weigh(logits, at, logits[at + best], sampling.temperature());
        double uniform = new SamplingDraw(sampling.seed(), position).uniform();
        if (sampling.topK() <= 0 && sampling.topP() >= 1) {
            return drawFromAll(uniform * total, best);
        }
        return drawFromRanked(logits, at, sampling, uniform, total);
    }

    /// The lowest id with the largest logit; NaN is chosen only if there is no number.
    int likeliest(float[] logits, int at) {
        FloatVector best = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
        IntVector ids = IntVector.zero(INTS);
        IntVector candidates = IntVector.zero(INTS).addIndex(1);
        int i = 0;
        for (; i + LANES <= vocabulary; i += LANES) {
            FloatVector values = FloatVector.fromArray(FLOATS, logits, at + i);
            VectorMask<Float> larger = values.compare(VectorOperators.GT, best);
            best = best.blend(values, larger);
            ids = ids.blend(candidates.add(i), larger.cast(INTS));
        }
        best.intoArray(bestValues, 0);
        ids.intoArray(bestIds, 0);
        float value = Float.NEGATIVE_INFINITY;
        int id = 0;
        for (int lane = 0; lane < LANES; lane++) {
            if (bestValues[lane] > value || (bestValues[lane] == value && bestIds[lane] < id)) {
                value = bestValues[lane];
                id = bestIds[lane];
            }
        }
        for (; i < vocabulary; i++) {
            if (logits[at + i] > value) {
                value = logits[at + i];
                id = i;
            }
        }
        return id;
    }

    private double weigh(float[] logits, int at, float largest, double temperature) {
        float inverse = (float) Math.min(1 / temperature, Float.MAX_VALUE);
        int i = 0;
        for (; i + LANES <= vocabulary; i += LANES) {
            FloatVector scaled = FloatVector.fromArray(FLOATS, logits, at + i).sub(largest).mul(inverse);
            VectorMath.exp(scaled).intoArray(weights, i);
        }
        for (; i < vocabulary; i++) {
            weights[i] = VectorMath.exp((logits[at + i] - largest) * inverse);
        }
        double total = 0;
        for (int id = 0; id < vocabulary; id++) {
            total += weights[id];
        }
        return total;
    }

    private int drawFromAll(double target, int fallback) {
        double sum = 0;
        for (int id = 0; id < vocabulary; id++) {
            sum += weights[id];
            if (sum > target) {
                return id;
            }
        }
        return fallback;
    }

    private int drawFromRanked(float[] logits, int at, Sampling sampling, double uniform, double total) {
        int size = vocabulary;
        for (int id = 0; id < size; id++) {
            heap[id] = id;
        }
        for (int node = size / 2 - 1; node >= 0; node--) {
            siftDown(logits, at, node, size);
        }
        int kept = sampling.topK() <= 0 ? vocabulary : Math.min(sampling.topK(), vocabulary);
        double mass = total;
        int ranked = 0;
        if (kept < vocabulary) {
            mass = 0;
            for (; ranked < kept; ranked++) {
                mass += weights[rank(logits, at, ranked)];
            }
        }
        double wanted = sampling.topP() >= 1 ? Double.POSITIVE_INFINITY : sampling.topP() * mass;
        double sum = 0;
        int nucleus = 0;
        while (nucleus < kept && (nucleus == 0 || sum < wanted)) {
            int id = nucleus < ranked ? heap[vocabulary - 1 - nucleus] : rank(logits, at, nucleus);
            sum += weights[id];
            nucleus++;
        }
        double target = uniform * sum;
        double passed = 0;
        for (int i = 0; i < nucleus; i++) {
            int id = heap[vocabulary - 1 - i];
            passed += weights[id];
            if (passed > target) {
                return id;
            }
        }
        return heap[vocabulary - 1];
    }

    /// Removes the most likely unranked id from the heap and stores it behind the heap.
    private int rank(float[] logits, int at, int alreadyRanked) {
        int last = vocabulary - 1 - alreadyRanked;
        int id = heap[0];
        heap[0] = heap[last];
        heap[last] = id;
        siftDown(logits, at, 0, last);
        return id;
    }

    private void siftDown(float[] logits, int at, int from, int size) {
        int node = from;
        int id = heap[node];
        while (2 * node + 1 < size) {
            int child = 2 * node + 1;
            if (child + 1 < size && likelier(logits, at, heap[child + 1], heap[child])) {
                child++;
            }
            if (!likelier(logits, at, heap[child], id)) {
                break;
            }
            heap[node] = heap[child];
            node = child;
        }
        heap[node] = id;
    }

    private static boolean likelier(float[] logits, int at, int a, int b) {
        float left = logits[at + a];
        float right = logits[at + b];
        return left > right || (left == right && a < b);
    }
}
