package org.inferometer.simulation;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// Draws what the model of step times leaves unexplained: blocks of neighbouring steps of a measured run, one after the other
/// (moving blocks bootstrap, Künsch 1989).
final class BlockDraw {
    private static final int BLOCK = 64;

    private final double[] ratios;
    private final long[] deliveryNanos;
    private final long[] startDelayNanos;
    private final RandomGenerator random;
    private int at;
    private int left;

    BlockDraw(double[] ratios, long[] deliveryNanos, long[] startDelayNanos, Seed seed) {
        this.ratios = ratios;
        this.deliveryNanos = deliveryNanos;
        this.startDelayNanos = startDelayNanos;
        this.random = seed.generator();
    }

    /// Goes on to the next step.
    void next() {
        if (left == 0) {
            at = random.nextInt(ratios.length);
            left = BLOCK;
        } else {
            at = (at + 1) % ratios.length;
        }
        left--;
    }

    /// Measured by predicted time.
    double ratio() {
        return ratios[at];
    }

    long deliveryNanos() {
        return deliveryNanos[at];
    }

    long startDelayNanos() {
        return startDelayNanos[at];
    }
}
