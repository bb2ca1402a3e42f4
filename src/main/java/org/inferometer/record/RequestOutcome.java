package org.inferometer.record;

import org.inferometer.workload.RequestId;

/// The instants of one request, in nanoseconds since the run's anchor; everything about latency is derived from these.
///
/// @param warmUp whether it belongs to the warm-up, which enters no figure
/// @param admittedNanos absent (ABSENT) where the target cannot say
/// @param promptTokens tokens of the prompt as the source counts them
/// @param tokenNanos instants at which output arrived, ascending: one a token, or one a chunk where [#perChunk] holds; empty when none
///     arrived
/// @param outputTokens output tokens that arrived
/// @param source who counted the tokens
public record RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
        long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status, String reason,
        long[] tokenNanos, int outputTokens, TokenSource source) {

    /// A request to an engine in this process, which tells the instant of every token.
    public RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
            long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status,
            String reason, long[] tokenNanos) {
        this(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos, prefillStartNanos,
                endNanos, status, reason, tokenNanos, tokenNanos.length, TokenSource.ENGINE);
    }

    /// Marks an instant that does not exist; it is never shown and never enters a figure.
    public static final long ABSENT = Long.MIN_VALUE;

    /// Whether the instants are those of chunks that may hold several tokens each.
    public boolean perChunk() {
        return tokenNanos.length > 0 && tokenNanos.length != outputTokens;
    }

    /// Whether it ended ok and its answer came in one piece: tokens were counted, and no instant of output is known but the end. Tools that
    /// did not stream leave such requests.
    public boolean whole() {
        return ok() && tokenNanos.length == 0 && outputTokens > 0;
    }

    /// Whether it ended ok with at least one token.
    public boolean answered() {
        return ok() && (tokenNanos.length > 0 || outputTokens > 0);
    }

    /// Whether no more is known than the first and the last instant: always from a tool's profile, else where there are two instants of more
    /// than two tokens. Nothing tells then whether there were chunks between, so the stretch from one to the other is no gap.
    public boolean endsOnly() {
        return source == TokenSource.PROFILE || (tokenNanos.length == 2 && outputTokens > 2);
    }

    /// Whether it ended well.
    public boolean ok() {
        return status == RequestStatus.OK;
    }

    /// The first token's instant, or ABSENT; of a whole answer it is not known.
    public long firstTokenNanos() {
        return tokenNanos.length == 0 ? ABSENT : tokenNanos[0];
    }

    /// The last token's instant, or ABSENT; of a whole answer its end.
    public long lastTokenNanos() {
        return tokenNanos.length > 0 ? tokenNanos[tokenNanos.length - 1] : whole() ? endNanos : ABSENT;
    }
}
