package org.inferometer.record;

/// Instants of a block of requests: as 32-bit differences to other instants of the same requests where all fit, else as they are.
///
/// @param nanos `[rows]`; empty if there are differences
/// @param after `[rows]` differences, the least number for an absent instant; empty if there are instants
record InstantColumn(long[] nanos, int[] after) {
    private static final int ABSENT = Integer.MIN_VALUE;

    /// @param nanos `[rows]`
    /// @param from `[rows]` the instants that differences refer to
    static InstantColumn of(long[] nanos, long[] from) {
        int[] after = new int[nanos.length];
        for (int i = 0; i < nanos.length; i++) {
            long difference = nanos[i] - from[i];
            boolean absent = nanos[i] == RequestOutcome.ABSENT;
            if (!absent && (difference != (int) difference || difference == ABSENT)) {
                return new InstantColumn(nanos, new int[0]);
            }
            after[i] = absent ? ABSENT : (int) difference;
        }
        return new InstantColumn(new long[0], after);
    }

    /// The instant of a row, or [RequestOutcome#ABSENT].
    long at(int row, long[] from) {
        if (after.length == 0) {
            return nanos[row];
        }
        return after[row] == ABSENT ? RequestOutcome.ABSENT : from[row] + after[row];
    }
}
