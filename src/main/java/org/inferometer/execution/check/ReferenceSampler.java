package org.inferometer.execution.check;

import java.util.Arrays;
import org.inferometer.execution.backend.SamplingDraw;
import org.inferometer.workload.Sampling;

/// Samples a token by the rule, in double precision: greedy, or by temperature, then top-k, then top-p. The reference
/// for the samplers of every backend; slow.
///
/// Equal logits rank by the lower id. Without top-k and top-p, tokens are ordered by id, else by rank.
public final class ReferenceSampler {
    /// Tolerance for sums of floats at the border between two tokens, as a share of the kept weight.
    private static final double BORDER = 1e-5;

    private final int[] ranked; // ids, likeliest first
    private final double[] weights; // of the ids in the same order
    private final Sampling sampling;

    private ReferenceSampler(float[] logits, Sampling sampling) {
        this.sampling = sampling;
        ranked = ranked(logits);
        weights = new double[logits.length];
        Arrays.setAll(weights,
                i -> Math.exp(((double) logits[ranked[i]] - logits[ranked[0]]) / sampling.temperature()));
    }

    /// The lowest id with the largest logit.
    public static int likeliest(float[] logits) {
        int best = 0;
        for (int id = 1; id < logits.length; id++) {
            if (logits[id] > logits[best] || Float.isNaN(logits[best])) {
                best = id;
            }
        }
        return best;
    }

    /// Whether this token follows from the rule for the random number, or for one within the error of float sums.
    ///
    /// @param logits finite
    /// @param position of the sampled token
    public static boolean permits(float[] logits, Sampling sampling, int position, int token) {
        if (sampling.greedy()) {
            return token == likeliest(logits);
        }
        ReferenceSampler sampler = new ReferenceSampler(logits, sampling);
        double uniform = new SamplingDraw(sampling.seed(), position).uniform();
        for (double kept : new double[]{0, -BORDER, BORDER}) {
            for (double drawn : new double[]{0, -BORDER, BORDER}) {
                if (sampler.choose(uniform + drawn, sampling.topP() + kept) == token) {
                    return true;
                }
            }
        }
        return false;
    }

    private int choose(double uniform, double topP) {
        boolean all = sampling.topK() <= 0 && sampling.topP() >= 1;
        int kept = sampling.topK() <= 0 ? ranked.length : Math.min(sampling.topK(), ranked.length);
        int nucleus = sampling.topP() >= 1 ? kept : nucleus(kept, topP);
        double mass = Arrays.stream(weights, 0, nucleus).sum();
        int[] order = Arrays.copyOf(ranked, nucleus);
        double[] weight = Arrays.copyOf(weights, nucleus);
        if (all) {
            for (int rank = 0; rank < nucleus; rank++) {
                order[ranked[rank]] = ranked[rank];
                weight[ranked[rank]] = weights[rank];
            }
        }
        double passed = 0;
        for (int i = 0; i < nucleus; i++) {
            passed += weight[i];
            if (passed > uniform * mass) {
                return order[i];
            }
        }
        return ranked[0];
    }

    /// The number of likeliest tokens whose share of what top-k kept is at least top-p; at least one.
    private int nucleus(int kept, double topP) {
        double wanted = topP * Arrays.stream(weights, 0, kept).sum();
        double sum = 0;
        int nucleus = 0;
        while (nucleus < kept && (nucleus == 0 || sum < wanted)) {
            sum += weights[nucleus++];
        }
        return nucleus;
    }

    /// Sort keys as integers: largest logit first, then lower id.
    private static int[] ranked(float[] logits) {
        long[] keys = new long[logits.length];
        for (int id = 0; id < logits.length; id++) {
            int bits = Float.floatToIntBits(logits[id] + 0f);
            int ascending = bits >= 0 ? bits : bits ^ Integer.MAX_VALUE;
            keys[id] = ((long) ~ascending << 32) | id;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }
}
