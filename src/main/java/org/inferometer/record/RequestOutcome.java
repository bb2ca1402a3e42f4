package org.inferometer.record;

import org.inferometer.workload.RequestId;

/// The instants of one request, in nanoseconds since the run's anchor; everything about latency is derived from these.
///
/// @param warmUp whether it belongs to the warm-up, which enters no figure
/// @param admittedNanos ABSENT if the target does not report it
/// @param promptTokens tokens of the prompt as the source counts them
/// @param tokenNanos instants at which output arrived, ascending: one per token, or per chunk if [#perChunk]; may be empty
/// @param outputTokens output tokens that arrived
/// @param source counter of the tokens
/// @param askedPromptTokens tokens of the prompt that was sent; 0 if not known (older records, files of other tools)
public record RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
        long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status, String reason,
        long[] tokenNanos, int outputTokens, TokenSource source, int askedPromptTokens) {

    /// A request to an engine in this process, which reports the instant of every token.
    public RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
            long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status,
            String reason, long[] tokenNanos) {
        this(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos, prefillStartNanos,
                endNanos, status, reason, tokenNanos, tokenNanos.length, TokenSource.ENGINE, promptTokens);
    }

    /// A request of which only the counted length of its prompt is known.
    public RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
            long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status,
            String reason, long[] tokenNanos, int outputTokens, TokenSource source) {
        this(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos, prefillStartNanos,
                endNanos, status, reason, tokenNanos, outputTokens, source, 0);
    }

    /// Marks a missing instant; it is never shown and enters no figure.
    public static final long ABSENT = Long.MIN_VALUE;

    /// Whether the instants are those of chunks that may hold several tokens each.
    public boolean perChunk() {
        return tokenNanos.length > 0 && tokenNanos.length != outputTokens;
    }

    /// Whether it succeeded without streaming: tokens were counted, but the end is the only known instant of output.
    public boolean whole() {
        return ok() && tokenNanos.length == 0 && outputTokens > 0;
    }

    /// Whether it succeeded with at least one token.
    public boolean answered() {
        return ok() && (tokenNanos.length > 0 || outputTokens > 0);
    }

    /// Whether only the first and the last instant are known: from a tool's profile, or two instants of more than two
    /// tokens. The time between them is then not an inter-token gap.
    public boolean endsOnly() {
        return source == TokenSource.PROFILE || (tokenNanos.length == 2 && outputTokens > 2);
    }

    /// Whether it succeeded.
    public boolean ok() {
        return status == RequestStatus.OK;
    }

    /// The instant of the first token; ABSENT without streaming or tokens.
    public long firstTokenNanos() {
        return tokenNanos.length == 0 ? ABSENT : tokenNanos[0];
    }

    /// The instant of the last token, the end without streaming, or ABSENT.
    public long lastTokenNanos() {
        return tokenNanos.length > 0 ? tokenNanos[tokenNanos.length - 1] : whole() ? endNanos : ABSENT;
    }
}
