package org.inferometer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.EngineQuality.Reading;
import org.inferometer.engine.Precision;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.checkpoint.PublishedCheckpoint;
import org.inferometer.engine.checkpoint.PublishedFormulas;
import org.inferometer.execution.host.HostBackend;
import org.inferometer.options.Selection;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
class QualityRunTest {
    private static final PublishedCheckpoint CHECKPOINT = PublishedCheckpoint.of("qwen3", PublishedCheckpoint.SIZES, 4);
    private static final int[] TOKENS = new SplittableRandom(9).ints(90, 0, 300).toArray();

    @TempDir
    Path folder;

    private Engine engine(Precision precision) throws Exception {
        Path built = folder.resolve("m-" + precision.id());
        try (Checkpoint opened = Checkpoint.open(CHECKPOINT.write(folder.resolve("c-" + precision), "F32", 1))) {
            new EngineBuilder().build(built, opened.material("m", precision), fraction -> {});
        }
        return Engine.open(built);
    }

    private static EngineQuality judged(Engine reference, Engine judged, int window, int stride) throws Exception {
        return new QualityRun(new HostBackend(1L << 30, 1), Selection.parse("host:threads=1"), TOKENS,
                new Reading("text", "0", window, stride), new SystemClock()).judge(reference, judged, fraction -> {});
    }

    @ParameterizedTest
    @CsvSource({"90, 90", "40, 20", "40, 40", "7, 3", "33, 1"})
    void everyTokenButTheFirstCountsOnce(int window, int stride) {
        int[] counted = new int[TOKENS.length];
        for (ScoredWindow each : ScoredWindow.of(TOKENS.length, window, stride)) {
            assertThat(each.end() - each.begin()).isLessThanOrEqualTo(window);
            assertThat(each.scored()).isGreaterThan(each.begin());
            IntStream.range(each.scored(), each.end()).forEach(token -> counted[token]++);
        }
        // Without context, the first token of a window cannot count.
        int uncounted = stride == window ? Math.ceilDiv(TOKENS.length, window) : 1;
        assertThat(Arrays.stream(counted).filter(times -> times == 0).count()).isEqualTo(uncounted);
        assertThat(Arrays.stream(counted).max().orElseThrow()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"90, 90", "40, 20"})
    void perplexityIsThatOfThePublishedFormulas(int window, int stride) throws Exception {
        PublishedFormulas formulas = new PublishedFormulas(CHECKPOINT);
        double sum = 0;
        int count = 0;
        for (ScoredWindow each : ScoredWindow.of(TOKENS.length, window, stride)) {
            for (int token = each.scored(); token < each.end(); token++) {
                double[] logits = formulas.logits(Arrays.copyOfRange(TOKENS, each.begin(), token));
                sum += Math.log(Arrays.stream(logits).map(Math::exp).sum()) - logits[TOKENS[token]];
                count++;
            }
        }
        try (Engine engine = engine(Precision.BF16)) {
            EngineQuality same = judged(engine, engine, window, stride);
            assertThat(same.tokens()).isEqualTo(count);
            assertThat(same.perplexity()).isCloseTo(Math.exp(sum / count), within(0.01 * Math.exp(sum / count)));
            assertThat(same.divergence()).isEqualTo(new EngineQuality.Mean(0, null));
            assertThat(same.logLikelihoodLoss().mean()).isZero();
            assertThat(same.topAgreement().mean()).isEqualTo(1);
        }
    }

    @Test
    void fewerBitsAreFartherFromTheReference() throws Exception {
        try (Engine reference = engine(Precision.BF16);
                Engine fp8 = engine(Precision.FP8);
                Engine int4 = engine(Precision.INT4)) {
            EngineQuality eight = judged(reference, fp8, 90, 45);
            EngineQuality four = judged(reference, int4, 90, 45);
            assertThat(eight.divergence().mean()).isPositive().isLessThan(four.divergence().mean());
            assertThat(eight.divergenceP99()).isGreaterThan(eight.divergence().mean());
            assertThat(eight.perplexityRatio()).isCloseTo(eight.perplexity() / eight.referencePerplexity(),
                    within(1e-12));
            assertThat(four.topAgreement().mean()).isBetween(0.2, 1.0);
        }
    }

    @Test
    void scoresFollowTheirDefinitions() {
        float[] reference = {1, 2, 0.5f, -1};
        float[] judged = {1.5f, 1, 0, -2};
        double p = 0;
        double q = 0;
        for (int i = 0; i < 4; i++) {
            p += Math.exp(reference[i]);
            q += Math.exp(judged[i]);
        }
        double divergence = 0;
        for (int i = 0; i < 4; i++) {
            double a = Math.exp(reference[i]) / p;
            divergence += a * Math.log(a / (Math.exp(judged[i]) / q));
        }
        TokenScore score = TokenScore.of(reference, judged, 2);
        assertThat(score.divergence()).isCloseTo(divergence, within(1e-12));
        assertThat(score.negativeLogLikelihood()).isCloseTo(-Math.log(1 / q), within(1e-12));
        assertThat(score.referenceNegativeLogLikelihood()).isCloseTo(-Math.log(Math.exp(0.5) / p), within(1e-12));
        assertThat(score.sameTop()).isFalse();
    }

    /// Values that depend on the one before, as tokens of a text do: an interval of independent values would be too narrow.
    @Test
    void intervalsHoldForValuesThatDependOnEachOther() {
        SplittableRandom random = new SplittableRandom(17);
        int covered = 0;
        int runs = 1000;
        for (int run = 0; run < runs; run++) {
            double[] values = new double[4000];
            double last = 0;
            for (int i = 0; i < values.length; i++) {
                last = 0.8 * last + random.nextGaussian();
                values[i] = last;
            }
            BatchMean mean = BatchMean.of(values);
            covered += Math.abs(mean.mean()) <= mean.halfWidth().orElseThrow() ? 1 : 0;
        }
        assertThat(covered / (double) runs).isBetween(0.92, 0.975);
        assertThat(BatchMean.of(new double[199]).halfWidth()).isEmpty();
    }
}
