package org.inferometer.measurement.statistics;

import java.util.Arrays;

/// Selects a few ranks from many whole numbers: counts all into buckets once, and sorts only the bucket of a rank.
///
/// Numbers and their differences lie within ±2^53, exact as doubles. Thread-safe.
final class RankedNumbers {
    private static final int BUCKET_BITS = 16;
    private final long[] numbers; // [n] in any order
    private final long least;
    private final int shift;
    private final int[] ends; // [2^16] numbers in this bucket and below

    /// Takes ownership of the array.
    RankedNumbers(long[] numbers) {
        this.numbers = numbers;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (long number : numbers) {
            min = Math.min(min, number);
            max = Math.max(max, number);
        }
        this.least = min;
        this.shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, max - min)) - BUCKET_BITS);
        this.ends = new int[1 << BUCKET_BITS];
        for (long number : numbers) {
            ends[(int) ((number - min) >>> shift)]++;
        }
        for (int bucket = 1; bucket < ends.length; bucket++) {
            ends[bucket] += ends[bucket - 1];
        }
    }

    int n() {
        return numbers.length;
    }

    /// The numbers at consecutive ranks, ascending.
    ///
    /// @param rank from 0, the least
    long[] at(int rank, int count) {
        int first = bucketOf(rank);
        int last = bucketOf(rank + count - 1);
        int before = first == 0 ? 0 : ends[first - 1];
        long[] near = new long[ends[last] - before];
        long from = least + ((long) first << shift);
        long width = (last - first + 1L) << shift;
        int n = 0;
        for (long number : numbers) {
            long distance = number - from;
            if (distance >= 0 && distance < width) {
                near[n++] = number;
            }
        }
        if (near.length < RadixSort.LEAST) {
            Arrays.sort(near);
        } else {
            RadixSort.sort(near);
        }
        return Arrays.copyOfRange(near, rank - before, rank - before + count);
    }

    private int bucketOf(int rank) {
        int from = 0;
        int to = ends.length - 1;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (ends[middle] > rank) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }
}
