package org.inferometer.measurement;

import java.util.stream.LongStream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.RequestId;

/// Request outcomes for tests, instants in milliseconds.
public final class Outcomes {
    public static final long MS = 1_000_000L;

    private Outcomes() {}

    /// A measured ok request of 10 prompt tokens, sent when intended, admitted and prefilled at once.
    public static RequestOutcome ok(int id, long intendedMillis, long... tokenMillis) {
        return of(id, false, 10, tokenMillis.length, intendedMillis, intendedMillis, intendedMillis, intendedMillis,
                RequestStatus.OK, tokenMillis);
    }

    public static RequestOutcome of(int id, boolean warmUp, int prompt, int asked, long intended, long sent,
            long admitted, long prefill, RequestStatus status, long... tokenMillis) {
        long[] tokens = LongStream.of(tokenMillis).map(millis -> millis * MS).toArray();
        long end = (tokens.length == 0 ? sent * MS : tokens[tokens.length - 1]) + 1;
        return new RequestOutcome(new RequestId(id), warmUp, prompt, asked, intended * MS, sent * MS, admitted * MS,
                prefill * MS, end, status, status == RequestStatus.OK ? "" : "it broke", tokens);
    }

    /// An ok request of a server that sent chunks and said how many tokens they held.
    public static RequestOutcome chunked(int id, long intendedMillis, int tokens, long... chunkMillis) {
        RequestOutcome r = ok(id, intendedMillis, chunkMillis);
        return new RequestOutcome(r.id(), false, r.promptTokens(), tokens, r.intendedNanos(), r.sentNanos(),
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, r.endNanos(), r.status(), "", r.eventNanos(), tokens,
                TokenSource.SERVER_USAGE);
    }

    /// An ok request of a server whose events held these tokens; 0 if only their sum is known.
    public static RequestOutcome inEvents(int id, int tokens, int[] eventTokens, long... eventMillis) {
        RequestOutcome r = chunked(id, 0, tokens, eventMillis);
        return new RequestOutcome(r.id(), false, r.promptTokens(), tokens, r.intendedNanos(), r.sentNanos(),
                r.admittedNanos(), r.prefillStartNanos(), r.endNanos(), r.status(), "", r.eventNanos(), eventTokens,
                tokens, TokenSource.SERVER_USAGE, 0);
    }

    /// An ok request of a tool whose profile tells the first and the last instant of its tokens.
    public static RequestOutcome profiled(int id, long intendedMillis, int tokens, long... endMillis) {
        RequestOutcome r = chunked(id, intendedMillis, tokens, endMillis);
        return new RequestOutcome(r.id(), false, r.promptTokens(), tokens, r.intendedNanos(), r.sentNanos(),
                r.admittedNanos(), r.prefillStartNanos(), r.endNanos(), r.status(), "", r.eventNanos(), tokens,
                TokenSource.PROFILE);
    }

    /// An ok request whose answer was not streamed.
    public static RequestOutcome whole(int id, long intendedMillis, int tokens, long endMillis) {
        return new RequestOutcome(new RequestId(id), false, 10, tokens, intendedMillis * MS, intendedMillis * MS,
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, endMillis * MS, RequestStatus.OK, "", new long[0], tokens,
                TokenSource.SERVER_USAGE);
    }

    public static RequestOutcome ended(int id, RequestStatus status) {
        return of(id, false, 10, 4, 0, 0, 0, 0, status);
    }

    public static RequestOutcome warmUp(int id, long intendedMillis, long... tokenMillis) {
        return of(id, true, 10, tokenMillis.length, intendedMillis, intendedMillis, intendedMillis, intendedMillis,
                RequestStatus.OK, tokenMillis);
    }

    public static RequestOutcome without(RequestOutcome r, boolean engineInstants, boolean clientInstants) {
        long absent = RequestOutcome.ABSENT;
        return new RequestOutcome(r.id(), r.warmUp(), r.promptTokens(), r.askedOutputTokens(),
                clientInstants ? absent : r.intendedNanos(), clientInstants ? absent : r.sentNanos(),
                engineInstants ? absent : r.admittedNanos(), engineInstants ? absent : r.prefillStartNanos(),
                r.endNanos(), r.status(), r.reason(), r.eventNanos());
    }
}
