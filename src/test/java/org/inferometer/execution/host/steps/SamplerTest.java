package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.execution.backend.SamplingDraw;
import org.inferometer.execution.check.ReferenceSampler;
import org.inferometer.units.Seed;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SamplerTest {
    private static final int DRAWS = 20_000;

    @Property
    void greedyTakesTheLowestIdAmongTheLargest(@ForAll @IntRange(min = 1, max = 200) int vocabulary,
            @ForAll long seed) {
        var random = new Seed(seed).generator();
        float[] logits = new float[vocabulary + 3];
        int best = 0;
        for (int id = 0; id < vocabulary; id++) {
            logits[3 + id] = random.nextInt(5);
            best = logits[3 + id] > logits[3 + best] ? id : best;
        }
        assertThat(new Sampler(vocabulary).choose(logits, 3, Sampling.GREEDY, 0)).isEqualTo(best);
    }

    @Example
    void temperatureOneDrawsTheSoftmax() {
        assertFrequencies(logarithms(1, 2, 3, 4), new Sampling(1, 0, 1, 5), 0.1, 0.2, 0.3, 0.4);
    }

    @Example
    void halfTheTemperatureSquaresTheOdds() {
        assertFrequencies(logarithms(1, 2, 3, 4), new Sampling(0.5, 0, 1, 5), 1 / 30.0, 4 / 30.0, 9 / 30.0, 16 / 30.0);
    }

    @Example
    void topKKeepsTheLikeliestAndLowerIdsOfTies() {
        assertFrequencies(logarithms(2, 1, 2, 5, 2), new Sampling(1, 3, 1, 5), 2 / 9.0, 0, 2 / 9.0, 5 / 9.0, 0);
    }

    @Example
    void topPKeepsTheSmallestSufficientSet() {
        // 0.5 + 0.3 = 0.8 reaches 0.75; the third would be too many.
        assertFrequencies(logarithms(3, 1, 5, 1), new Sampling(1, 0, 0.75, 5), 3 / 8.0, 0, 5 / 8.0, 0);
    }

    @Example
    void topPAppliesAfterTopK() {
        // Top 3 leave 5 + 3 + 1 = 9; five ninths reach 0.55, not five tenths of all.
        assertFrequencies(logarithms(3, 1, 5, 1), new Sampling(1, 3, 0.55, 5), 0, 0, 1, 0);
    }

    @Example
    void atLeastOneTokenIsAlwaysKept() {
        assertFrequencies(logarithms(3, 1, 5, 1), new Sampling(1, 0, 0, 5), 0, 0, 1, 0);
    }

    @Property(tries = 200)
    void drawDependsOnSeedAndPositionOnly(@ForAll long seed, @ForAll @IntRange(min = 0, max = 100_000) int position) {
        float[] logits = logarithms(IntStream.rangeClosed(1, 50).mapToDouble(i -> i).toArray());
        Sampling sampling = new Sampling(0.9, 20, 0.9, seed);
        Sampler used = new Sampler(50);
        used.choose(logits, 0, new Sampling(2, 0, 1, seed + 1), 3);
        assertThat(used.choose(logits, 0, sampling, position))
                .isEqualTo(new Sampler(50).choose(logits, 0, sampling, position));
    }

    @Example
    void uniformNumbersOfNeighbouringSeedsAndPositionsAreSpread() {
        double sum = 0;
        double product = 0;
        for (int i = 0; i < DRAWS; i++) {
            double here = new SamplingDraw(i / 100, i % 100).uniform();
            assertThat(here).isBetween(0.0, Math.nextDown(1.0));
            sum += here;
            product += (here - 0.5) * (new SamplingDraw(i / 100, i % 100 + 1).uniform() - 0.5);
        }
        assertThat(sum / DRAWS).isCloseTo(0.5, offset(0.01));
        assertThat(product / DRAWS).isCloseTo(0, offset(0.003));
    }

    private static float[] logarithms(double... odds) {
        float[] logits = new float[odds.length];
        for (int i = 0; i < odds.length; i++) {
            logits[i] = (float) Math.log(odds[i]);
        }
        return logits;
    }

    /// Four standard errors of a frequency around one half are 0.014.
    private static void assertFrequencies(float[] logits, Sampling sampling, double... expected) {
        Sampler sampler = new Sampler(logits.length);
        int[] counts = new int[logits.length];
        for (int position = 0; position < DRAWS; position++) {
            counts[sampler.choose(logits, 0, sampling, position)]++;
        }
        for (int id = 0; id < expected.length; id++) {
            assertThat((double) counts[id] / DRAWS).as("frequency of token %d", id).isCloseTo(expected[id],
                    offset(expected[id] == 0 ? 0 : 0.015));
        }
    }

    @Property(tries = 300)
    void referenceSamplerChoosesTheSameToken(@ForAll @IntRange(min = 1, max = 300) int vocabulary,
            @ForAll @IntRange(max = 30) int topK, @ForAll @IntRange(max = 10) int tenths,
            @ForAll @IntRange(max = 20) int temperature, @ForAll long seed) {
        var random = new Seed(seed).generator();
        float[] logits = new float[vocabulary];
        for (int id = 0; id < vocabulary; id++) {
            // Halves, so that there are equals.
            logits[id] = random.nextBoolean() ? random.nextInt(8) / 2f : (float) random.nextGaussian();
        }
        Sampling sampling = new Sampling(temperature / 10.0, topK, tenths / 10.0, seed);
        int chosen = new Sampler(vocabulary).choose(logits, 0, sampling, 7);
        assertThat(ReferenceSampler.permits(logits, sampling, 7, chosen)).isTrue();
    }

    /// It leaves room for rounding at the borders of shares, and for no more; only then does the test above say anything.
    @Example
    void referenceSamplerPermitsTwoTokensAtMost() {
        var random = new Seed(5).generator();
        for (int draw = 0; draw < 500; draw++) {
            float[] logits = new float[200];
            for (int id = 0; id < logits.length; id++) {
                logits[id] = random.nextInt(8) / 2f;
            }
            Sampling sampling = new Sampling(1, 0, 0.9, draw);
            assertThat(IntStream.range(0, logits.length).filter(id -> ReferenceSampler.permits(logits, sampling, 7, id))
                    .count()).isBetween(1L, 2L);
        }
    }
}
