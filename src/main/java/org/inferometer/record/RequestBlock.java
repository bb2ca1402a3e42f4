package org.inferometer.record;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some thousand requests of a run, a column for each field. Not changed after it was filled.
final class RequestBlock {
    static final int ROW_BITS = 14;
    /// The most rows.
    static final int ROWS = 1 << ROW_BITS;
    static final RequestStatus[] STATUSES = RequestStatus.values();
    static final TokenSource[] SOURCES = TokenSource.values();

    private static final int WARM_UP = 1;
    private static final int STATUS_SHIFT = 1;
    private static final int SOURCE_SHIFT = 4;
    private static final int LOW_BITS = 7;
    final int[] ids;
    final int[] promptTokens;
    final int[] askedOutputTokens;
    final int[] outputTokens;
    final int[] askedPromptTokens;
    final int[] events; // places in the pages of events
    final long[] intended;
    final InstantColumn sent;
    final InstantColumn admitted;
    final InstantColumn prefillStart;
    final InstantColumn end;
    final InstantColumn last; // of the events
    private final byte[] marks; // warm-up, status, source
    private final String @Nullable [] reasons; // null if all are empty

    private RequestBlock(Filling from, int rows) {
        ids = Arrays.copyOf(from.ids, rows);
        promptTokens = Arrays.copyOf(from.promptTokens, rows);
        askedOutputTokens = Arrays.copyOf(from.askedOutputTokens, rows);
        outputTokens = copyUnless(askedOutputTokens, from.outputTokens);
        askedPromptTokens = copyUnless(promptTokens, from.askedPromptTokens);
        events = Arrays.copyOf(from.events, rows);
        marks = Arrays.copyOf(from.marks, rows);
        reasons = from.anyReason ? Arrays.copyOf(from.reasons, rows) : null;
        intended = Arrays.copyOf(from.instants[0], rows);
        sent = column(from, 1, rows);
        admitted = column(from, 2, rows);
        prefillStart = column(from, 3, rows);
        end = column(from, 4, rows);
        last = column(from, 5, rows);
    }

    /// Lengths as asked are usually those received, which share their column.
    private static int[] copyUnless(int[] equal, int[] column) {
        int rows = equal.length;
        return Arrays.equals(equal, 0, rows, column, 0, rows) ? equal : Arrays.copyOf(column, rows);
    }

    private InstantColumn column(Filling from, int column, int rows) {
        return InstantColumn.of(Arrays.copyOf(from.instants[column], rows), intended);
    }

    boolean warmUp(int row) {
        return (marks[row] & WARM_UP) != 0;
    }

    RequestStatus status(int row) {
        return STATUSES[marks[row] >>> STATUS_SHIFT & LOW_BITS];
    }

    TokenSource source(int row) {
        return SOURCES[marks[row] >>> SOURCE_SHIFT & LOW_BITS];
    }

    String reason(int row) {
        return reasons == null ? "" : reasons[row];
    }

    /// The columns of a block that is being filled, used for one after another.
    static final class Filling {
        private static final int FIRST_ROWS = 64;
        private int[] ids = new int[FIRST_ROWS];
        private int[] promptTokens = new int[FIRST_ROWS];
        private int[] askedOutputTokens = new int[FIRST_ROWS];
        private int[] outputTokens = new int[FIRST_ROWS];
        private int[] askedPromptTokens = new int[FIRST_ROWS];
        private int[] events = new int[FIRST_ROWS];
        private byte[] marks = new byte[FIRST_ROWS];
        private String[] reasons = new String[FIRST_ROWS];
        private final long[][] instants = new long[6][FIRST_ROWS];
        private boolean anyReason;
        private int rows;

        /// @param place of its events
        /// @param last instant of its last event, or [RequestOutcome#ABSENT]
        void add(RequestOutcome request, int place, long last) {
            if (rows == ids.length) {
                grow(Math.min(ROWS, 4 * rows));
            }
            ids[rows] = request.id().index();
            promptTokens[rows] = request.promptTokens();
            askedOutputTokens[rows] = request.askedOutputTokens();
            outputTokens[rows] = request.outputTokens();
            askedPromptTokens[rows] = request.askedPromptTokens();
            events[rows] = place;
            marks[rows] = (byte) ((request.warmUp() ? WARM_UP : 0) | request.status().ordinal() << STATUS_SHIFT
                    | request.source().ordinal() << SOURCE_SHIFT);
            reasons[rows] = request.reason();
            anyReason |= !request.reason().isEmpty();
            instants[0][rows] = request.intendedNanos();
            instants[1][rows] = request.sentNanos();
            instants[2][rows] = request.admittedNanos();
            instants[3][rows] = request.prefillStartNanos();
            instants[4][rows] = request.endNanos();
            instants[5][rows++] = last;
        }

        private void grow(int to) {
            ids = Arrays.copyOf(ids, to);
            promptTokens = Arrays.copyOf(promptTokens, to);
            askedOutputTokens = Arrays.copyOf(askedOutputTokens, to);
            outputTokens = Arrays.copyOf(outputTokens, to);
            askedPromptTokens = Arrays.copyOf(askedPromptTokens, to);
            events = Arrays.copyOf(events, to);
            marks = Arrays.copyOf(marks, to);
            reasons = Arrays.copyOf(reasons, to);
            Arrays.setAll(instants, column -> Arrays.copyOf(instants[column], to));
        }

        boolean isFull() {
            return rows == ROWS;
        }

        /// Adds these rows as a block, if there are any, and begins the next.
        void closeInto(List<RequestBlock> blocks) {
            if (rows > 0) {
                blocks.add(new RequestBlock(this, rows));
                rows = 0;
                anyReason = false;
            }
        }
    }
}
