package org.inferometer.report.timeline;

import java.util.Arrays;

/// Spans of time that do not overlap, in order: the steps of a lane, the requests of a row, the phases of a run.
///
/// Kept in columns, so that a million spans stay small, and with running sums, so that what a pixel column shows is found by binary
/// search and never by a walk over the spans behind it. Immutable.
public final class RunTimelineTrack {
    /// A span is drawn as itself from this many columns on; narrower ones are merged.
    public static final int COLUMNS_OF_A_SPAN = 2;

    private final long[] starts;
    private final long[] ends;
    private final byte[] kinds;
    private final int[] items;
    private final float[] wasted; // share of each span that was computed for nothing
    private final long[][] busyBefore; // [kinds][spans + 1] nanoseconds of that kind in earlier spans; empty for a kind that does not occur
    private final double[] wastedBefore; // [spans + 1] nanoseconds

    /// Hears what is drawn of a track.
    public interface Cells {
        /// A span wide enough to be seen.
        void span(int span);

        /// Neighbouring spans each too narrow to be seen.
        ///
        /// @param first the first of them
        /// @param end one past the last
        /// @param kind the kind that takes most of their time
        /// @param busyShare share of the cell's time that they cover, 0 to 1
        /// @param wastedShare share of their time that was computed for nothing
        void merged(int first, int end, int kind, double busyShare, double wastedShare);
    }

    /// Collects spans in order of their start.
    static final class Builder {
        private final int kindCount;
        private long[] starts = new long[64];
        private long[] ends = new long[64];
        private byte[] kinds = new byte[64];
        private int[] items = new int[64];
        private float[] wasted = new float[64];
        private int size;

        Builder(int kindCount) {
            this.kindCount = kindCount;
        }

        /// A span that begins before the one before has ended is cut to what is left of it: a row cannot show two things at once.
        void add(long start, long end, int kind, int item, double wastedShare) {
            if (size == starts.length) {
                int larger = 2 * size;
                starts = Arrays.copyOf(starts, larger);
                ends = Arrays.copyOf(ends, larger);
                kinds = Arrays.copyOf(kinds, larger);
                items = Arrays.copyOf(items, larger);
                wasted = Arrays.copyOf(wasted, larger);
            }
            long from = size == 0 ? start : Math.max(start, ends[size - 1]);
            starts[size] = from;
            ends[size] = Math.max(from, end);
            kinds[size] = (byte) kind;
            items[size] = item;
            wasted[size++] = (float) wastedShare;
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
        wasted = Arrays.copyOf(built.wasted, size);
        busyBefore = new long[built.kindCount][];
        wastedBefore = new double[size + 1];
        for (int kind = 0; kind < built.kindCount; kind++) {
            busyBefore[kind] = sums(kind);
        }
        for (int i = 0; i < size; i++) {
            wastedBefore[i + 1] = wastedBefore[i] + (double) wasted[i] * (ends[i] - starts[i]);
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

    /// What kind a span is; what that means is the row's affair.
    public int kind(int span) {
        return kinds[span];
    }

    /// The step, request or phase that a span shows.
    public int item(int span) {
        return items[span];
    }

    /// Share of a span that was computed for nothing.
    public double wastedShare(int span) {
        return wasted[span];
    }

    /// The span that covers an instant, or -1.
    public int at(long nanos) {
        int span = firstEndingAfter(nanos);
        return span < starts.length && starts[span] <= nanos ? span : -1;
    }

    /// The span nearest to an instant, or -1 when there is none at all.
    public int nearest(long nanos) {
        int next = firstEndingAfter(nanos);
        if (next == starts.length) {
            return next - 1;
        }
        boolean beforeIsNearer = next > 0 && starts[next] > nanos && nanos - ends[next - 1] < starts[next] - nanos;
        return beforeIsNearer ? next - 1 : next;
    }

    /// Index of the first span that ends after an instant; the number of spans when there is none.
    public int firstEndingAfter(long nanos) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > nanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// Index of the first span that starts at an instant or later; the number of spans when there is none.
    public int firstStartingAt(long nanos) {
        int low = 0;
        int high = starts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] >= nanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// Nanoseconds of one kind inside a window.
    public long busyNanos(int kind, long from, long to) {
        long[] sums = busyBefore[kind];
        if (sums.length == 0 || to <= from) {
            return 0;
        }
        int first = firstEndingAfter(from);
        int end = firstStartingAt(to);
        if (first >= end) {
            return 0;
        }
        long busy = sums[end] - sums[first];
        busy -= kinds[first] == kind ? Math.max(0, from - starts[first]) : 0;
        busy -= kinds[end - 1] == kind ? Math.max(0, ends[end - 1] - to) : 0;
        return Math.max(0, busy);
    }

    /// Tells what a window shows in that many columns, from left to right.
    ///
    /// @return how many cells there were: at most three for two columns, however many spans the track has
    public int cells(long from, long to, int columns, Cells cells) {
        double nanosPerColumn = (double) (to - from) / columns;
        int span = firstEndingAfter(from);
        int told = 0;
        while (span < starts.length && starts[span] < to) {
            told++;
            if (isWide(span, nanosPerColumn)) {
                cells.span(span++);
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
            cells.merged(span, end, mostOf(span, end), busyShare(span, end, nanosPerColumn), wastedShare(span, end));
            span = end;
        }
        return told;
    }

    private boolean isWide(int span, double nanosPerColumn) {
        return ends[span] - starts[span] >= COLUMNS_OF_A_SPAN * nanosPerColumn;
    }

    private double busyShare(int first, int end, double nanosPerColumn) {
        long busy = 0;
        for (long[] sums : busyBefore) {
            busy += sums.length == 0 ? 0 : sums[end] - sums[first];
        }
        return Math.min(1, busy / Math.max(nanosPerColumn, ends[end - 1] - starts[first]));
    }

    private int mostOf(int first, int end) {
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

    private double wastedShare(int first, int end) {
        long busy = 0;
        for (long[] sums : busyBefore) {
            busy += sums.length == 0 ? 0 : sums[end] - sums[first];
        }
        return busy == 0 ? 0 : (wastedBefore[end] - wastedBefore[first]) / busy;
    }
}
