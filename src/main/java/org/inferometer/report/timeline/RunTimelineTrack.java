package org.inferometer.report.timeline;

import java.util.Arrays;
import java.util.BitSet;
import org.inferometer.units.BinarySearch;

/// Spans of time that do not overlap, in order: the steps of a lane, the requests of a row, the phases of a run.
///
/// Spans are kept as arrays with running sums: a million spans stay small, and a pixel column is found by binary search. Immutable.
public final class RunTimelineTrack {
    /// The width in columns from which a span is drawn by itself; narrower ones are merged.
    public static final int COLUMNS_OF_A_SPAN = 2;

    private final long[] starts;
    private final long[] ends;
    private final byte[] kinds;
    private final int[] items;
    private final float[] padding; // padding / positions of each span
    private final long[][] busyBefore; // [kinds][spans + 1] nanoseconds of that kind in earlier spans; empty for a kind that does not occur
    private final double[] paddingBefore; // [spans + 1] nanoseconds

    /// Receives the cells of a track.
    public interface CellVisitor {
        /// A span that is drawn by itself.
        void span(int span);

        /// Neighbouring narrow spans.
        ///
        /// @param first the first of them
        /// @param end one past the last
        /// @param kind the kind that takes most of their time
        /// @param busyShare share of the cell's time that they cover, 0 to 1
        /// @param paddingShare share of their time spent on padding
        void merged(int first, int end, int kind, double busyShare, double paddingShare);
    }

    /// Collects spans in order of their start.
    static final class Builder {
        private final int kindCount;
        private long[] starts = new long[64];
        private long[] ends = new long[64];
        private byte[] kinds = new byte[64];
        private int[] items = new int[64];
        private float[] padding = new float[64];
        private int size;

        Builder(int kindCount) {
            this.kindCount = kindCount;
        }

        /// A span that overlaps the one before is cut to the rest.
        void add(long start, long end, int kind, int item, double paddingShare) {
            if (size == starts.length) {
                int larger = 2 * size;
                starts = Arrays.copyOf(starts, larger);
                ends = Arrays.copyOf(ends, larger);
                kinds = Arrays.copyOf(kinds, larger);
                items = Arrays.copyOf(items, larger);
                padding = Arrays.copyOf(padding, larger);
            }
            long from = size == 0 ? start : Math.max(start, ends[size - 1]);
            starts[size] = from;
            ends[size] = Math.max(from, end);
            kinds[size] = (byte) kind;
            items[size] = item;
            padding[size++] = (float) paddingShare;
        }

        RunTimelineTrack build() {
            return new RunTimelineTrack(this);
        }
    }

    private RunTimelineTrack(Builder built) {
        int size = built.size;
        starts = Arrays.copyOf(built.starts, size);
        ends = Arrays.copyOf(built.ends, size);
        kinds = Arrays.copyOf(built.kinds, size);
        items = Arrays.copyOf(built.items, size);
        padding = Arrays.copyOf(built.padding, size);
        busyBefore = new long[built.kindCount][];
        paddingBefore = new double[size + 1];
        for (int kind = 0; kind < built.kindCount; kind++) {
            busyBefore[kind] = sums(kind);
        }
        for (int i = 0; i < size; i++) {
            paddingBefore[i + 1] = paddingBefore[i] + (double) padding[i] * (ends[i] - starts[i]);
        }
    }

    private long[] sums(int kind) {
        boolean occurs = false;
        long[] sums = new long[starts.length + 1];
        for (int i = 0; i < starts.length; i++) {
            boolean mine = kinds[i] == kind;
            occurs |= mine;
            sums[i + 1] = sums[i] + (mine ? ends[i] - starts[i] : 0);
        }
        return occurs ? sums : new long[0];
    }

    /// The spans of some items.
    RunTimelineTrack only(BitSet some) {
        Builder kept = new Builder(busyBefore.length);
        for (int span = 0; span < starts.length; span++) {
            if (some.get(items[span])) {
                kept.add(starts[span], ends[span], kinds[span], items[span], padding[span]);
            }
        }
        return kept.build();
    }

    /// Whether a span is of this kind.
    public boolean has(int kind) {
        return busyBefore[kind].length > 0;
    }

    /// Whether a span has padding.
    public boolean isPadded() {
        return paddingBefore[starts.length] > 0;
    }

    /// How many spans.
    public int size() {
        return starts.length;
    }

    /// When a span starts, in nanoseconds since the run's anchor.
    public long start(int span) {
        return starts[span];
    }

    /// When a span ends.
    public long end(int span) {
        return ends[span];
    }

    /// The kind of a span; its meaning depends on the row.
    public int kind(int span) {
        return kinds[span];
    }

    /// The step, request or phase that a span shows.
    public int item(int span) {
        return items[span];
    }

    /// Padding / positions of a span.
    public double paddingShare(int span) {
        return padding[span];
    }

    /// The span that covers an instant, or -1.
    public int at(long nanos) {
        int span = firstEndingAfter(nanos);
        return span < starts.length && starts[span] <= nanos ? span : -1;
    }

    /// The span nearest to an instant, or -1 without spans.
    public int nearest(long nanos) {
        int next = firstEndingAfter(nanos);
        if (next == starts.length) {
            return next - 1;
        }
        boolean beforeIsNearer = next > 0 && starts[next] > nanos && nanos - ends[next - 1] < starts[next] - nanos;
        return beforeIsNearer ? next - 1 : next;
    }

    /// Index of the first span that ends after an instant; the number of spans if there is none.
    public int firstEndingAfter(long nanos) {
        return BinarySearch.first(ends.length, span -> ends[span] > nanos);
    }

    /// Index of the first span that starts at an instant or later; the number of spans if there is none.
    public int firstStartingAt(long nanos) {
        return BinarySearch.first(starts.length, span -> starts[span] >= nanos);
    }

    /// Gives the cells of a window in that many columns, from left to right.
    ///
    /// @return number of cells: at most three for two columns
    public int cells(long from, long to, int columns, CellVisitor visitor) {
        double nanosPerColumn = (double) (to - from) / columns;
        int span = firstEndingAfter(from);
        int cellCount = 0;
        while (span < starts.length && starts[span] < to) {
            cellCount++;
            if (isWide(span, nanosPerColumn)) {
                visitor.span(span++);
                continue;
            }
            double column = Math.floor((starts[span] - from) / nanosPerColumn);
            // The last column ends with the window: rounding may put it a nanosecond later.
            long columnEnd = Math.min(to, (long) Math.ceil(from + (column + 1) * nanosPerColumn));
            int end = Math.max(span + 1, firstStartingAt(columnEnd));
            // Spans do not overlap, so only the last that starts inside the column can reach out of it.
            if (end > span + 1 && isWide(end - 1, nanosPerColumn)) {
                end--;
            }
            visitor.merged(span, end, mainKind(span, end), busyShare(span, end, nanosPerColumn),
                    paddingShare(span, end));
            span = end;
        }
        return cellCount;
    }

    private boolean isWide(int span, double nanosPerColumn) {
        return ends[span] - starts[span] >= COLUMNS_OF_A_SPAN * nanosPerColumn;
    }

    private double busyShare(int first, int end, double nanosPerColumn) {
        return Math.min(1, busyNanos(first, end) / Math.max(nanosPerColumn, ends[end - 1] - starts[first]));
    }

    private long busyNanos(int first, int end) {
        return Arrays.stream(busyBefore).filter(sums -> sums.length > 0).mapToLong(sums -> sums[end] - sums[first])
                .sum();
    }

    private int mainKind(int first, int end) {
        int most = kinds[first];
        long longest = -1;
        for (int kind = 0; kind < busyBefore.length; kind++) {
            long[] sums = busyBefore[kind];
            if (sums.length > 0 && sums[end] - sums[first] > longest) {
                longest = sums[end] - sums[first];
                most = longest == 0 ? most : kind;
            }
        }
        return most;
    }

    private double paddingShare(int first, int end) {
        long busy = busyNanos(first, end);
        return busy == 0 ? 0 : (paddingBefore[end] - paddingBefore[first]) / busy;
    }
}
