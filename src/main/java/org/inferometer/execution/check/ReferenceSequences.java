package org.inferometer.execution.check;

import org.inferometer.units.Seed;

/// Token sequences with the logits of the reference pass: one long, and two short ones whose prefixes serve as other
/// sequences.
///
/// @param model whose logits they are
/// @param tokens `[kinds][positions]`
/// @param logits after each position `[kinds][positions][vocabulary]`
public record ReferenceSequences(RandomModel model, AgreementExtent extent, int[][] tokens, double[][][] logits) {
    private static final int KINDS = 3;

    /// Computes the logits on the calling thread.
    ///
    /// @param rounding of the compared backend
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
        return new ReferenceSequences(model, extent, tokens, logits);
    }

    /// Reference logits after each position of one sequence, `[positions][vocabulary]`.
    public static double[][] logits(RandomModel model, ReferenceForward.Rounding rounding, int[] tokens) {
        ReferenceForward reference = new ReferenceForward(model.shape(), model.weights(), rounding);
        double[][] logits = new double[tokens.length][];
        for (int i = 0; i < tokens.length; i++) {
            logits[i] = reference.next(tokens[i]);
        }
        return logits;
    }

    /// The kind of a sequence.
    int kind(int sequence) {
        return sequence == 0 ? 0 : 1 + sequence % (KINDS - 1);
    }
}
