package org.inferometer.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess.Constant;
import org.inferometer.workload.ArrivalProcess.Gamma;
import org.inferometer.workload.ArrivalProcess.OpenLoop;
import org.inferometer.workload.ArrivalProcess.Poisson;
import org.inferometer.workload.ArrivalProcess.Ramp;
import org.inferometer.workload.ArrivalProcess.Ramp.Gaps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalOffsetsTest {
    private static final int N = 100_000;

    @Test
    void constantArrivalsLieOnTheGridOfTheirRateWithoutDrift() {
        long[] offsets = offsets(new Constant(3), N);
        assertThat(Arrays.copyOf(offsets, 4)).containsExactly(0, 333_333_333, 666_666_667, 1_000_000_000);
        assertThat(offsets[99_999]).isEqualTo(33_333_000_000_000L);
    }

    @Test
    void poissonGapsHaveTheMeanTheSpreadAndTheTailOfExponentialOnes() {
        double[] gaps = gaps(new Poisson(10));
        // Of 100,000 gaps the mean has a standard error of 0.3 %, the coefficient of variation one of about 0.4 %.
        assertThat(mean(gaps)).isCloseTo(0.1, within(0.001));
        assertThat(variation(gaps)).isCloseTo(1, within(0.016));
        assertThat(Arrays.stream(gaps).filter(gap -> gap > 0.3).count() / (double) N).isCloseTo(Math.exp(-3),
                within(0.0028));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 0.5, 1, 2, 9})
    void gammaGapsKeepTheirMeanAndVaryByOneOverTheRootOfTheBurstiness(double burstiness) {
        double[] gaps = gaps(new Gamma(10, burstiness));
        double variation = 1 / Math.sqrt(burstiness);
        assertThat(mean(gaps)).isCloseTo(0.1, within(4 * 0.1 * variation / Math.sqrt(N)));
        assertThat(variation(gaps)).isCloseTo(variation, within(0.03 * variation));
    }

    @Test
    void aBurstinessOfOneIsPoisson() {
        double[] gaps = gaps(new Gamma(10, 1));
        assertThat(Arrays.stream(gaps).filter(gap -> gap > 0.3).count() / (double) N).isCloseTo(Math.exp(-3),
                within(0.0028));
    }

    @Test
    void aRampHasItsRateAtEveryInstantAndKeepsTheLastOne() {
        // 2 to 10 a second in 100 s: 600 arrivals on the ramp, 10 a second after it.
        long[] even = offsets(new Ramp(2, 10, 100, Gaps.CONSTANT), 1_000);
        assertThat(even[0]).isZero();
        // Λ(50) = 2·50 + 8·50²/200 = 200, Λ(100) = 600, Λ(110) = 700.
        assertThat(even[200]).isEqualTo(50_000_000_000L);
        assertThat(even[600]).isEqualTo(100_000_000_000L);
        assertThat(even[700]).isEqualTo(110_000_000_000L);
        long[] down = offsets(new Ramp(10, 2, 100, Gaps.CONSTANT), 1_000);
        assertThat(down[400]).isEqualTo(50_000_000_000L);
        assertThat(down[602]).isEqualTo(101_000_000_000L);
        assertThat(offsets(new Ramp(0, 4, 10, Gaps.CONSTANT), 21)).startsWith(0, Math.round(Math.sqrt(5) * 1e9))
                .endsWith(10_000_000_000L);
    }

    @Test
    void poissonRampHasPoissonMeanAndVariance() {
        double[] first = new double[2_000];
        double[] second = new double[2_000];
        for (int i = 0; i < first.length; i++) {
            long[] offsets = offsets(new Ramp(1, 5, 20, Gaps.POISSON), 400, new Seed(i));
            first[i] = Arrays.stream(offsets).filter(at -> at < 10_000_000_000L).count();
            second[i] = Arrays.stream(offsets).filter(at -> at >= 10_000_000_000L && at < 20_000_000_000L).count();
        }
        // Λ(10) = 10 + 10 = 20 and Λ(20) − Λ(10) = 40; mean and variance are equal.
        assertThat(mean(first)).isCloseTo(20, within(0.4));
        assertThat(mean(second)).isCloseTo(40, within(0.6));
        assertThat(variation(first)).isCloseTo(1 / Math.sqrt(20), within(0.016));
        assertThat(variation(second)).isCloseTo(1 / Math.sqrt(40), within(0.011));
    }

    @Property(tries = 200)
    void theRampIsTheInverseOfItsIntegratedRate(@ForAll @DoubleRange(max = 100) double from,
            @ForAll @DoubleRange(min = 0.01, max = 100) double to,
            @ForAll @DoubleRange(min = 0.1, max = 1000) double seconds, @ForAll @DoubleRange(max = 2) double share) {
        Ramp ramp = new Ramp(from, to, seconds, Gaps.CONSTANT);
        double t = share * seconds;
        double onRamp = Math.min(t, seconds);
        double arrivals = from * onRamp + (to - from) * onRamp * onRamp / (2 * seconds) + to * (t - onRamp);
        assertThat(ArrivalOffsets.rampSeconds(ramp, arrivals)).isCloseTo(t, within(1e-4 * seconds));
    }

    @Test
    void equalSeedsArriveAlikeAndNothingGoesBack() {
        for (OpenLoop process : List.of(new Poisson(5), new Gamma(5, 0.1), new Ramp(0, 9, 3, Gaps.POISSON),
                new Constant(7))) {
            long[] offsets = offsets(process, 1_000);
            assertThat(offsets).isEqualTo(offsets(process, 1_000)).isSorted();
            assertThat(offsets[0]).isNotNegative();
        }
    }

    @Test
    void everyProcessIsWrittenAsItIsRead() {
        for (String text : List.of("closed:concurrency=8", "constant:rate=4.0", "poisson:rate=4.0",
                "gamma:rate=4.0,burstiness=0.5", "ramp:from=1.0,to=8.0,seconds=60.0,gaps=poisson", "trace:speed=2.0")) {
            assertThat(ArrivalProcess.parse(text)).hasToString(text);
        }
        assertThat(ArrivalProcess.parse("gamma:r=4,b=2")).isEqualTo(new Gamma(4, 2));
        assertThat(ArrivalProcess.NAMES)
                .allSatisfy(name -> assertThat(ArrivalProcess.parse(name).toString()).startsWith(name));
        assertThatThrownBy(() -> ArrivalProcess.parse("ramp:from=-1"))
                .hasMessage("ramp: from=-1: expected 0 to 1000000 requests/s.");
        assertThatThrownBy(() -> ArrivalProcess.parse("gama")).hasMessageContaining("Did you mean gamma?");
        assertThatThrownBy(() -> ArrivalProcess.parse("gamma:rate=NaN")).hasMessageContaining("expected 0.001 to");
    }

    private static long[] offsets(OpenLoop process, int count) {
        return offsets(process, count, new Seed(17));
    }

    private static long[] offsets(OpenLoop process, int count, Seed seed) {
        ArrivalOffsets offsets = ArrivalOffsets.of(process, seed.generator());
        long[] drawn = new long[count];
        Arrays.setAll(drawn, i -> offsets.nextNanos());
        return drawn;
    }

    private static double[] gaps(OpenLoop process) {
        long[] offsets = offsets(process, N);
        double[] gaps = new double[N];
        Arrays.setAll(gaps, i -> (offsets[i] - (i == 0 ? 0 : offsets[i - 1])) / 1e9);
        return gaps;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double variation(double[] values) {
        double mean = mean(values);
        return Math.sqrt(Arrays.stream(values).map(value -> (value - mean) * (value - mean)).average().orElseThrow())
                / mean;
    }
}
