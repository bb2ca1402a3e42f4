package org.inferometer.execution.backend;

import org.inferometer.units.Seed;

/// Sequences of tokens whose logits the plain pass has computed: a long one, and two short ones that several others begin like.
///
/// @param tokens `[kinds][positions]`
/// @param logits after each position `[kinds][positions][vocabulary]`
public record ReferenceSequences(AgreementExtent extent, int[][] tokens, double[][][] logits) {
    private static final int KINDS = 3;

    /// Computes them, one position after the other, on the calling thread.
    ///
    /// @param rounding where the backend that is held against this rounds by design
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

    /// Logits after every position of one sequence `[positions][vocabulary]`, by the plain pass.
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
