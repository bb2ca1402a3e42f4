package org.inferometer.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Slice;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;

class StepTimesTest {
    private static final double SLOWDOWN = 0.3;

    /// The time of a made-up engine: a fixed part, rows that get cheaper from the eighth on, reading, and sampling.
    private static double nanos(StepWork work) {
        int rows = work.rows();
        return 500_000 + 200_000.0 * Math.min(rows, 8) + 40_000.0 * Math.max(0, rows - 8) + 90.0 * work.readPositions()
                + 25.0 * work.attendedPairs() + 30_000.0 * work.sampledSlices();
    }

    /// Steps of decoding, prefill and both, with a noise of 5 %.
    static List<ObservedStep> steps(long seed, int count, double noise) {
        RandomGenerator random = new Seed(seed).generator();
        List<ObservedStep> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int decoding = random.nextInt(33);
            int prompt = i % 4 == 0 || decoding == 0 ? 2 + random.nextInt(200) : 0;
            int sampled = decoding + (prompt > 0 ? 1 : 0);
            StepWork work = new StepWork(decoding + prompt, decoding * (long) random.nextInt(1, 2000),
                    prompt * (prompt + 1L) / 2, sampled, sampled);
            double others = i % 3 == 0 ? random.nextDouble() : 0;
            double ratio = 1 + noise * random.nextGaussian();
            steps.add(new ObservedStep(work, Math.round(nanos(work) * (1 + SLOWDOWN * others) * ratio), others,
                    ObservedStep.UNKNOWN, ObservedStep.UNKNOWN));
        }
        return steps;
    }

    @Test
    void timesOfOtherStepsAreFoundWithinTwoPercent() {
        StepTimes fitted = StepTimes.fit(steps(1, 3000, 0.05));
        assertThat(fitted.slowdown()).isCloseTo(SLOWDOWN, within(0.03));
        double worst = 0;
        for (ObservedStep step : steps(2, 300, 0)) {
            worst = Math.max(worst, Math.abs(fitted.nanos(step.work(), step.otherLanes()) / step.nanos() - 1));
        }
        assertThat(worst).isLessThan(0.02);
    }

    @Test
    void moreWorkNeverTakesLessTime() {
        StepTimes fitted = StepTimes.fit(steps(3, 200, 0.3));
        double before = 0;
        for (int rows = 1; rows < 3000; rows += 7) {
            double now = fitted.nanos(new StepWork(rows, 100L * rows, rows, 1, 1), 0);
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
    }

    @Test
    void stepsOfOneLaneTellNoSlowdown() {
        List<ObservedStep> alone = steps(4, 300, 0.05).stream().filter(step -> step.otherLanes() == 0).toList();
        assertThat(StepTimes.fit(alone).slowdown()).isZero();
    }

    @Test
    void theWorkOfARecordedStepIsThatOfTheJob() {
        StepSlices slices = StepSlices.of(List.of(new Slice(new RequestId(7), 40, 1),
                new Slice(new RequestId(8), 0, 16), new Slice(new RequestId(9), 16, 16)));
        StepReport report = new StepReport(3, new LaneId(0), 0, 10, 9, 1, slices, 32, 1, 2, 0, 3, 0, 5, "");
        Step job = new Step(3, List.of(slice(40, 1, true), slice(0, 16, false), slice(16, 16, true)), 2, false);
        // Prompts of 32 tokens.
        assertThat(StepWork.of(report, request -> 32)).isEqualTo(StepWork.of(job))
                .isEqualTo(new StepWork(35, 41, 16 * 8 + 16 * 24, 3, 2));
    }

    private static StepSlice slice(int from, int count, boolean sample) {
        return new StepSlice(from, new int[count], new int[0], sample, Sampling.GREEDY);
    }
}
