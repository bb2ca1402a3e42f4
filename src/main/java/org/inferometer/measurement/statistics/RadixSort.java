package org.inferometer.measurement.statistics;

import java.util.Arrays;

/// Radix sort of many numbers, eleven bits per pass from the lowest, in a few passes for any order. Digits that all numbers share need no
/// pass, such as the low bits of whole nanoseconds as doubles.
public final class RadixSort {
    /// From this size on it is faster than `Arrays.sort`.
    static final int LEAST = 1 << 15;
    private static final int BITS = 11;
    private static final int DIGITS = 6;
    private static final int BUCKETS = 1 << BITS;

    private RadixSort() {}

    /// Sorts in place by the faster way for the size, as `Arrays.sort` would.
    public static void ascending(double[] values) {
        if (values.length < LEAST) {
            Arrays.sort(values);
        } else {
            sort(values);
        }
    }

    /// The first whole numbers of an array as doubles, ascending. Numbers within 2^32 of each other are sorted as 32-bit ones.
    ///
    /// @param values may be changed
    public static double[] ascending(long[] values, int n) {
        double[] ascending = new double[n];
        long least = n == 0 ? 0 : values[0];
        long greatest = least;
        for (int i = 1; i < n; i++) {
            least = Math.min(least, values[i]);
            greatest = Math.max(greatest, values[i]);
        }
        long range = greatest - least;
        if (n < LEAST || range < 0 || range >= 1L << Integer.SIZE) {
            long[] kept = n == values.length ? values : Arrays.copyOf(values, n);
            ascending(kept);
            Arrays.setAll(ascending, i -> kept[i]);
            return ascending;
        }
        int[] from = new int[n];
        for (int i = 0; i < n; i++) {
            from[i] = (int) (values[i] - least);
        }
        int[] to = new int[n];
        for (int shift = 0; shift < Integer.SIZE && range >>> shift != 0; shift += BITS) {
            int[] at = new int[BUCKETS];
            for (int key : from) {
                at[key >>> shift & BUCKETS - 1]++;
            }
            starts(at);
            for (int key : from) {
                to[at[key >>> shift & BUCKETS - 1]++] = key;
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        for (int i = 0; i < n; i++) {
            ascending[i] = least + (from[i] & 0xffffffffL);
        }
        return ascending;
    }

    /// Sorts in place by the faster way for the size, as `Arrays.sort` would. An array in order is only read.
    public static void ascending(long[] values) {
        boolean ordered = true;
        for (int i = 1; i < values.length && ordered; i++) {
            ordered = values[i] >= values[i - 1];
        }
        if (ordered) {
            return;
        }
        if (values.length < LEAST) {
            Arrays.sort(values);
        } else {
            sort(values);
        }
    }

    /// Indexes of keys in ascending order of the keys; those of equal keys in the order of the indexes.
    ///
    /// @return `[keys]` indexes
    public static int[] order(double[] keys) {
        int n = keys.length;
        long[] from = new long[n];
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            from[i] = key(keys[i]);
            order[i] = i;
        }
        long[] to = new long[n];
        int[] moved = new int[n];
        for (int shift = 0; shift < Long.SIZE; shift += BITS) {
            int[] at = new int[BUCKETS];
            for (long key : from) {
                at[(int) (key >>> shift) & BUCKETS - 1]++;
            }
            if (n > 0 && at[(int) (from[0] >>> shift) & BUCKETS - 1] == n) {
                continue;
            }
            starts(at);
            for (int i = 0; i < n; i++) {
                int place = at[(int) (from[i] >>> shift) & BUCKETS - 1]++;
                to[place] = from[i];
                moved[place] = order[i];
            }
            long[] keysBefore = from;
            from = to;
            to = keysBefore;
            int[] orderBefore = order;
            order = moved;
            moved = orderBefore;
        }
        return order;
    }

    /// Replaces the counts of buckets by their first places.
    private static void starts(int[] counts) {
        int start = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int count = counts[bucket];
            counts[bucket] = start;
            start += count;
        }
    }

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

    /// The keys in unsigned order, in the given array or another.
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
            starts(at);
            for (long key : from) {
                to[at[(int) (key >>> shift) & BUCKETS - 1]++] = key;
            }
            long[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    /// Bits whose unsigned order is the order of the numbers: flips the sign bit, and all bits of negative numbers.
    private static long key(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits ^ (bits >> 63 | Long.MIN_VALUE);
    }
}
