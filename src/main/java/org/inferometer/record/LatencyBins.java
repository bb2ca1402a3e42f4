package org.inferometer.record;

/// Sixty-four logarithmic bins from 10 µs to 100 s for live latency distributions. Figures do not use bins.
public final class LatencyBins {
    /// How many bins there are.
    public static final int COUNT = 64;

    private static final double LOWEST_NANOS = 1e4;
    private static final double DECADES = 7;
    private static final long[] INNER_EDGES_NANOS = innerEdges();
    private static final int[] FIRST_OF_OCTAVE = firstOfOctave();

    private LatencyBins() {}

    /// The bin of a latency; the outermost bins include values beyond the range.
    public static int of(long nanos) {
        // Called for every token: the power of two leads to within three bins, which costs less than a logarithm.
        int bin = FIRST_OF_OCTAVE[63 - Long.numberOfLeadingZeros(Math.max(nanos, 1))];
        while (bin < COUNT - 1 && INNER_EDGES_NANOS[bin] <= nanos) {
            bin++;
        }
        return bin;
    }

    private static int[] firstOfOctave() {
        int[] first = new int[Long.SIZE];
        for (int octave = 0; octave < Long.SIZE - 1; octave++) {
            while (first[octave] < COUNT - 1 && INNER_EDGES_NANOS[first[octave]] <= 1L << octave) {
                first[octave]++;
            }
        }
        return first;
    }

    private static long[] innerEdges() {
        long[] edges = new long[COUNT - 1];
        for (int bin = 1; bin < COUNT; bin++) {
            edges[bin - 1] = Math.round(edge(bin));
        }
        return edges;
    }

    /// The lower edge of a bin in nanoseconds; `edge(COUNT)` is the upper edge of the last.
    public static double edge(int bin) {
        return LOWEST_NANOS * Math.pow(10, DECADES * bin / COUNT);
    }
}
