package org.inferometer.quality;

/// How two models predict one token. Natural logarithms, double precision.
///
/// @param negativeLogLikelihood −log q(token) of the judged model
/// @param referenceNegativeLogLikelihood −log p(token) of the reference
/// @param divergence Kullback-Leibler divergence of the judged model from the reference: Σ p·log(p/q) over the vocabulary
/// @param sameTop whether the likeliest token of both is the same
record TokenScore(double negativeLogLikelihood, double referenceNegativeLogLikelihood, double divergence,
        boolean sameTop) {
    /// Of the logits of both models.
    static TokenScore of(float[] reference, float[] judged, int token) {
        double referenceTotal = logTotal(reference);
        double judgedTotal = logTotal(judged);
        double divergence = 0;
        for (int i = 0; i < reference.length; i++) {
            double logP = reference[i] - referenceTotal;
            divergence += Math.exp(logP) * (logP - (judged[i] - judgedTotal));
        }
        // Rounding can make an equal pair slightly negative.
        return new TokenScore(judgedTotal - judged[token], referenceTotal - reference[token], Math.max(0, divergence),
                top(reference) == top(judged));
    }

    /// log Σ exp, shifted by the largest logit.
    private static double logTotal(float[] logits) {
        double largest = logits[top(logits)];
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - largest);
        }
        return largest + Math.log(sum);
    }

    private static int top(float[] logits) {
        int top = 0;
        for (int i = 1; i < logits.length; i++) {
            top = logits[i] > logits[top] ? i : top;
        }
        return top;
    }
}
