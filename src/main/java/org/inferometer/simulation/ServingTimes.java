package org.inferometer.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// All times of an engine that its records show: of steps, between them, and of copies between KV pools, with what the model of
/// steps leaves unexplained.
///
/// Immutable. Fit it from runs of one engine with one backend on one machine.
public final class ServingTimes {
    private final List<ObservedRun> measured;
    private final StepTimes steps;
    private final double copyFixedNanos;
    private final double copyNanosPerPosition;
    private final List<Unexplained> runs;
    private final ObservedSends sends;

    /// What one run adds to the model, step by step: the ratio of measured to predicted time, and the delays around the step.
    private record Unexplained(double[] ratios, long[] deliveryNanos, long[] startDelayNanos) {}

    private ServingTimes(List<ObservedRun> measured, StepTimes steps, double copyFixedNanos,
            double copyNanosPerPosition, List<Unexplained> runs, ObservedSends sends) {
        this.measured = measured;
        this.steps = steps;
        this.copyFixedNanos = copyFixedNanos;
        this.copyNanosPerPosition = copyNanosPerPosition;
        this.runs = runs;
        this.sends = sends;
    }

    /// The times of measured runs.
    ///
    /// @throws IllegalArgumentException if they have no steps
    public static ServingTimes fit(List<ObservedRun> measured) {
        List<ObservedStep> all = measured.stream().flatMap(run -> run.steps().stream()).toList();
        if (all.isEmpty()) {
            throw new IllegalArgumentException("No run has recorded steps.");
        }
        return of(measured, StepTimes.fit(all));
    }

    /// The times that as many runs, drawn from the measured ones, would have given (bootstrap over runs): how uncertain they are.
    ServingTimes resampled(Seed seed) {
        RandomGenerator random = seed.generator();
        List<ObservedStep> drawn = new ArrayList<>();
        for (int i = 0; i < measured.size() || drawn.isEmpty(); i++) {
            drawn.addAll(measured.get(random.nextInt(measured.size())).steps());
        }
        return of(measured, StepTimes.fit(drawn, steps.slowdown()));
    }

    private static ServingTimes of(List<ObservedRun> measured, StepTimes steps) {
        List<Unexplained> unexplained =
                measured.stream().filter(run -> !run.steps().isEmpty()).map(run -> unexplained(run, steps)).toList();
        double[] copy = line(measured.stream().flatMap(run -> run.copies().stream()).toList());
        return new ServingTimes(measured, steps, copy[0], copy[1], unexplained,
                ObservedSends.joined(measured.stream().map(ObservedRun::sends).toList()));
    }

    private static Unexplained unexplained(ObservedRun run, StepTimes steps) {
        int count = run.steps().size();
        double[] ratios = new double[count];
        long[] delivery = new long[count];
        long[] startDelay = new long[count];
        for (int i = 0; i < count; i++) {
            ObservedStep step = run.steps().get(i);
            ratios[i] = step.nanos() / steps.nanos(step.work(), step.otherLanes());
            delivery[i] = step.deliveryNanos();
            startDelay[i] = step.startDelayNanos();
        }
        return new Unexplained(ratios, filled(delivery), filled(startDelay));
    }

    /// Each unknown delay takes the one before it; the first ones take the first that is known.
    private static long[] filled(long[] delays) {
        long last = Arrays.stream(delays).filter(delay -> delay != ObservedStep.UNKNOWN).findFirst().orElse(0);
        for (int i = 0; i < delays.length; i++) {
            last = delays[i] == ObservedStep.UNKNOWN ? last : delays[i];
            delays[i] = last;
        }
        return delays;
    }

    /// Fixed nanoseconds and nanoseconds per position, by least squares; neither is negative.
    private static double[] line(List<ObservedRun.ObservedCopy> copies) {
        double meanPositions = copies.stream().mapToInt(ObservedRun.ObservedCopy::positions).average().orElse(0);
        double meanNanos = copies.stream().mapToLong(ObservedRun.ObservedCopy::nanos).average().orElse(0);
        double xx = 0;
        double xy = 0;
        for (ObservedRun.ObservedCopy copy : copies) {
            xx += (copy.positions() - meanPositions) * (copy.positions() - meanPositions);
            xy += (copy.positions() - meanPositions) * (copy.nanos() - meanNanos);
        }
        double slope = xx == 0 ? 0 : Math.max(0, xy / xx);
        double fixed = Math.max(0, meanNanos - slope * meanPositions);
        return new double[]{fixed, slope};
    }

    /// Step times with what one of the measured runs left unexplained, drawn in blocks of neighbouring steps, so that slow
    /// stretches and slow runs stay.
    TimedSteps drawn(Seed seed) {
        int run = seed.part("run").generator().nextInt(runs.size());
        Unexplained of = runs.get(run);
        return new TimedSteps(this,
                new BlockDraw(of.ratios, of.deliveryNanos, of.startDelayNanos, seed.part("blocks")));
    }

    /// Delays of load generator and mailbox.
    SendDelays sendDelays(Seed seed) {
        return new SendDelays(sends, seed.part("sends"));
    }

    /// The model of steps.
    public StepTimes steps() {
        return steps;
    }

    /// Nanoseconds of a copy between KV pools.
    double copyNanos(int positions) {
        return copyFixedNanos + copyNanosPerPosition * positions;
    }
}
