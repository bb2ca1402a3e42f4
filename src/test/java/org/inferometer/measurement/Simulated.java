package org.inferometer.measurement;

import org.assertj.core.data.Offset;

/// How much is simulated: all with -Pendurance, else a quarter with limits twice as wide, which are as many standard errors away.
public final class Simulated {
    private static final boolean IN_FULL = Boolean.getBoolean("inferometer.endurance");

    private Simulated() {}

    /// The number of tries.
    public static int tries(int inFull) {
        return IN_FULL ? inFull : inFull / 4;
    }

    /// How far a share may be from the truth.
    public static Offset<Double> within(double inFull) {
        return Offset.offset(IN_FULL ? inFull : 2 * inFull);
    }
}
