package org.inferometer.simulation;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// Draws how long load generator and mailbox take, from what was observed. Without observations nothing takes time.
final class SendDelays {
    private final ObservedSends observed;
    private final RandomGenerator random;

    SendDelays(ObservedSends observed, Seed seed) {
        this.observed = observed;
        this.random = seed.generator();
    }

    long wakeNanos() {
        return draw(observed.wakeNanos());
    }

    long spacingNanos() {
        return draw(observed.spacingNanos());
    }

    long arrivalNanos() {
        return draw(observed.arrivalNanos());
    }

    private long draw(long[] values) {
        return values.length == 0 ? 0 : values[random.nextInt(values.length)];
    }
}
