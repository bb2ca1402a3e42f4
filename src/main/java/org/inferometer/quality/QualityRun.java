package org.inferometer.quality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.ToDoubleFunction;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.EngineQuality.Mean;
import org.inferometer.engine.EngineQuality.Reading;
import org.inferometer.execution.Backend;
import org.inferometer.execution.ExecutorException;
import org.inferometer.options.Selection;
import org.inferometer.prompting.SingleLane;
import org.inferometer.units.Clock;

/// Judges an engine by a reference: both predict every token of a text, and each prediction is compared.
///
/// Both engines are in memory at once. One thread; an interrupt stops it.
///
/// @param text the tokens of both, and where they come from
public record QualityRun(Backend backend, Selection selection, int[] tokens, Reading text, Clock clock) {
    private static final double HIGH_RANK = 0.99;

    /// @param progress receives the fraction done, from 0 to 1, on the calling thread
    /// @throws ExecutorException if memory does not suffice, or a step fails
    /// @throws InterruptedException if the thread was interrupted
    public EngineQuality judge(Engine reference, Engine judged, DoubleConsumer progress)
            throws ExecutorException, InterruptedException {
        List<TokenScore> scores = new ArrayList<>();
        try (SingleLane first = lane(reference); SingleLane second = lane(judged)) {
            for (ScoredWindow window : ScoredWindow.of(tokens.length, text.window(), text.stride())) {
                score(window, new Predictions(first, tokens, window), new Predictions(second, tokens, window), scores,
                        progress);
            }
        }
        return figures(reference, judged, scores);
    }

    private SingleLane lane(Engine engine) throws ExecutorException {
        return SingleLane.open(engine, backend, selection, text.window(), Predictions.PART, clock);
    }

    private void score(ScoredWindow window, Predictions reference, Predictions judged, List<TokenScore> scores,
            DoubleConsumer progress) throws ExecutorException, InterruptedException {
        reference.readContext();
        judged.readContext();
        int token = window.scored();
        while (token < window.end()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            float[][] expected = reference.next();
            float[][] actual = judged.next();
            for (int i = 0; i < expected.length; i++) {
                scores.add(TokenScore.of(expected[i], actual[i], tokens[token++]));
            }
            progress.accept((double) token / tokens.length);
        }
    }

    private EngineQuality figures(Engine reference, Engine judged, List<TokenScore> scores) {
        double[] divergences = values(scores, TokenScore::divergence);
        Mean agreement = mean(values(scores, score -> score.sameTop() ? 1 : 0));
        double[] sorted = divergences.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(HIGH_RANK * sorted.length) - 1;
        return new EngineQuality(reference.descriptor().name(), reference.descriptor().weightsSha256(),
                judged.descriptor().weightsSha256(), text, scores.size(), clock.wall(),
                perplexity(scores, TokenScore::negativeLogLikelihood),
                perplexity(scores, TokenScore::referenceNegativeLogLikelihood),
                mean(values(scores, score -> score.negativeLogLikelihood() - score.referenceNegativeLogLikelihood())),
                mean(divergences), sorted[rank], agreement);
    }

    private static double perplexity(List<TokenScore> scores, ToDoubleFunction<TokenScore> logLikelihood) {
        return Math.exp(Arrays.stream(values(scores, logLikelihood)).average().orElseThrow());
    }

    private static double[] values(List<TokenScore> scores, ToDoubleFunction<TokenScore> value) {
        return scores.stream().mapToDouble(value).toArray();
    }

    private static Mean mean(double[] values) {
        BatchMean mean = BatchMean.of(values);
        return new Mean(mean.mean(), mean.halfWidth().isPresent() ? mean.halfWidth().getAsDouble() : null);
    }
}
