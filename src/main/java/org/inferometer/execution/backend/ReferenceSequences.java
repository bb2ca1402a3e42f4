package org.inferometer.execution.backend;

import org.inferometer.units.Seed;

/// Token sequences with the logits of the reference pass: a long one, and two short ones that other sequences are prefixes of.
///
/// @param tokens `[kinds][positions]`
/// @param logits after each position `[kinds][positions][vocabulary]`
public record ReferenceSequences(AgreementExtent extent, int[][] tokens, double[][][] logits) {
    private static final int KINDS = 3;

    /// Computes them, one position after the other, on the calling thread.
    ///
    /// @param rounding where the compared backend rounds by design
    public static ReferenceSequences of(RandomModel model, ReferenceForward.Rounding rounding, AgreementExtent extent,
            long seed) {
        int[][] tokens = new int[KINDS][];
        double[][][] logits = new double[KINDS][][];
        for (int kind = 0; kind < KINDS; kind++) {
            int positions = extent.positions(kind);
            tokens[kind] =
                    new Seed(seed).part(kind).generator().ints(positions, 0, model.shape().vocabulary()).toArray();
            logits[kind] = logits(model, rounding, tokens[kind]);
        }
        return new ReferenceSequences(extent, tokens, logits);
    }

    /// Logits after every position of one sequence `[positions][vocabulary]`, by the reference pass.
    public static double[][] logits(RandomModel model, ReferenceForward.Rounding rounding, int[] tokens) {
        ReferenceForward reference = new ReferenceForward(model.shape(), model.weights(), rounding);
        double[][] logits = new double[tokens.length][];
        for (int i = 0; i < tokens.length; i++) {
            logits[i] = reference.next(tokens[i]);
        }
        return logits;
    }

    /// Which of the sequences a numbered one is.
    int kind(int sequence) {
        return sequence == 0 ? 0 : 1 + sequence % (KINDS - 1);
    }
}
