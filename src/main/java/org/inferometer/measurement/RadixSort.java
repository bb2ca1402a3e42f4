package org.inferometer.measurement;

/// Sorts many numbers by their bits, eleven at a time from the lowest: a few passes over the array whatever its order. Digits that all
/// numbers share cost no pass, as with durations of whole nanoseconds, whose lowest bits are 0.
final class RadixSort {
    /// Arrays of this size or more are sorted faster than by comparison.
    static final int LEAST = 1 << 15;
    private static final int BITS = 11;
    private static final int DIGITS = 6;
    private static final int BUCKETS = 1 << BITS;

    private RadixSort() {}

    /// Ascending, as `Arrays.sort` would: −0.0 before 0.0 and NaN last.
    static void sort(double[] values) {
        long[] keys = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            keys[i] = key(values[i]);
        }
        long[] sorted = sortedKeys(keys);
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.longBitsToDouble(sorted[i] ^ (~sorted[i] >> 63 | Long.MIN_VALUE));
        }
    }

    /// Ascending, as `Arrays.sort` would.
    static void sort(long[] values) {
        long[] keys = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            keys[i] = values[i] ^ Long.MIN_VALUE;
        }
        long[] sorted = sortedKeys(keys);
        for (int i = 0; i < values.length; i++) {
            values[i] = sorted[i] ^ Long.MIN_VALUE;
        }
    }

    /// The keys in their unsigned order, in the array given or in another.
    private static long[] sortedKeys(long[] keys) {
        int n = keys.length;
        int[][] counts = new int[DIGITS][BUCKETS];
        for (long key : keys) {
            for (int digit = 0; digit < DIGITS; digit++) {
                counts[digit][(int) (key >>> (digit * BITS)) & BUCKETS - 1]++;
            }
        }
        long[] from = keys;
        long[] to = new long[n];
        for (int digit = 0; digit < DIGITS; digit++) {
            int[] at = counts[digit];
            int shift = digit * BITS;
            if (n > 0 && at[(int) (from[0] >>> shift) & BUCKETS - 1] == n) {
                continue;
            }
            int start = 0;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int count = at[bucket];
                at[bucket] = start;
                start += count;
            }
            for (long key : from) {
                to[at[(int) (key >>> shift) & BUCKETS - 1]++] = key;
            }
            long[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    /// Bits whose unsigned order is the order of the numbers: the sign is turned over, and all others too where it was set.
    private static long key(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits ^ (bits >> 63 | Long.MIN_VALUE);
    }
}
