package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;

/// Ascending arrival instants of an open loop, in nanoseconds since its start.
@FunctionalInterface
interface ArrivalOffsets {
    /// The next instant.
    long nextNanos();

    /// Draws the instants of a process; those of a trace come from its file.
    ///
    /// @param random used by the returned instants only
    static ArrivalOffsets of(ArrivalProcess.OpenLoop process, RandomGenerator random) {
        return switch (process) {
            case ArrivalProcess.Constant(double rate) -> constant(rate);
            case ArrivalProcess.Poisson(double rate) -> gaps(() -> unitExponential(random) / rate * 1e9);
            case ArrivalProcess.Gamma(double rate, double burstiness) -> {
                // As vLLM draws it: shape is the burstiness, and the scale keeps the mean gap at 1 / rate.
                ContinuousDistribution.Sampler sampler =
                        GammaDistribution.of(burstiness, 1 / (rate * burstiness)).createSampler(random::nextLong);
                yield gaps(() -> sampler.sample() * 1e9);
            }
            case ArrivalProcess.Ramp ramp -> ramp(ramp, random);
            case ArrivalProcess.Offline _ -> () -> 0;
            case ArrivalProcess.Trace trace -> throw new IllegalArgumentException("The instants of " + trace
                    + " come from a trace file. Choose the workload trace:FILE or other arrivals.");
        };
    }

    /// Λ⁻¹(s): when the integral of the ramp's rate reaches s arrivals, in seconds.
    ///
    /// During the ramp Λ(t) = from·t + (to − from)·t² / 2T, afterwards it grows by `to` a second.
    static double rampSeconds(ArrivalProcess.Ramp ramp, double arrivals) {
        double from = ramp.fromPerSecond();
        double to = ramp.toPerSecond();
        double onRamp = (from + to) / 2 * ramp.seconds();
        if (arrivals >= onRamp) {
            return ramp.seconds() + (arrivals - onRamp) / to;
        }
        double slope = (to - from) / ramp.seconds();
        double root = Math.sqrt(Math.max(0, from * from + 2 * slope * arrivals));
        // (root − from) / slope would lose digits for a nearly constant rate.
        return arrivals == 0 ? 0 : 2 * arrivals / (from + root);
    }

    private static ArrivalOffsets constant(double rate) {
        long[] index = {0};
        return () -> Math.round(index[0]++ / rate * 1e9);
    }

    private static ArrivalOffsets gaps(java.util.function.DoubleSupplier gapNanos) {
        double[] offset = {0};
        return () -> (long) (offset[0] += gapNanos.getAsDouble());
    }

    private static ArrivalOffsets ramp(ArrivalProcess.Ramp ramp, RandomGenerator random) {
        double[] arrivals = {0};
        return switch (ramp.gaps()) {
            case POISSON -> () -> Math.round(rampSeconds(ramp, arrivals[0] += unitExponential(random)) * 1e9);
            case CONSTANT -> () -> Math.round(rampSeconds(ramp, arrivals[0]++) * 1e9);
        };
    }

    private static double unitExponential(RandomGenerator random) {
        return -Math.log1p(-random.nextDouble());
    }
}
