package org.inferometer.record;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.inferometer.workload.RequestId;

/// The instants of one request, in nanoseconds since the run's anchor; everything about latency is derived from these.
///
/// An event is what arrived together: a chunk of a stream, or the tokens of one step.
///
/// @param warmUp whether it belongs to the warm-up, which enters no figure
/// @param admittedNanos ABSENT if the target does not report it
/// @param promptTokens tokens of the prompt as the source counts them
/// @param eventNanos instants of the events with output, ascending; may be empty
/// @param eventTokens tokens of each event, all [#NOT_KNOWN] where only their sum is known; empty if each holds one, or if the
///        instants are the first and the last of an answer
/// @param outputTokens output tokens that arrived
/// @param source counter of the tokens
/// @param askedPromptTokens tokens of the prompt that was sent; 0 if not known (older records, files of other tools)
/// @param eventAnswers answer of each event, from 0, or [#ANSWER_NOT_KNOWN]; empty for a request with one answer
public record RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
        long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status, String reason,
        long[] eventNanos, int[] eventTokens, int outputTokens, TokenSource source, int askedPromptTokens,
        int[] eventAnswers) {
    /// The answer of an event that the target does not tell.
    public static final int ANSWER_NOT_KNOWN = -1;
    /// The tokens of an event that are not known.
    public static final int NOT_KNOWN = 0;

    private static final int[] ONE_EACH = {};
    // Events that are fewer than the tokens by at most this share leave TPOT within 5 %.
    private static final double MOST_UNKNOWN = 0.05;
    private static final long NEAR_NANOS = 100_000;

    public RequestOutcome {
        if (eventAnswers.length > 0 && eventAnswers.length != eventNanos.length) {
            throw new IllegalArgumentException("The answers of request " + id + " are not those of its events.");
        }
        if (eventTokens.length > 0) {
            long tokens = Arrays.stream(eventTokens).asLongStream().sum();
            if (eventTokens.length != eventNanos.length || (tokens != NOT_KNOWN && tokens != outputTokens)) {
                throw new IllegalArgumentException("The tokens of request " + id + " are not those of its events.");
            }
            eventTokens = Arrays.stream(eventTokens).allMatch(each -> each == 1) ? ONE_EACH : eventTokens;
        }
    }

    /// A request with one answer.
    public RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
            long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status,
            String reason, long[] eventNanos, int[] eventTokens, int outputTokens, TokenSource source,
            int askedPromptTokens) {
        this(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos, prefillStartNanos,
                endNanos, status, reason, eventNanos, eventTokens, outputTokens, source, askedPromptTokens, ONE_EACH);
    }

    /// A request to an engine in this process, which reports the instant of every token.
    public RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
            long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status,
            String reason, long[] eventNanos) {
        this(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos, prefillStartNanos,
                endNanos, status, reason, eventNanos, ONE_EACH, eventNanos.length, TokenSource.ENGINE, promptTokens);
    }

    /// A request of which only the counted length of its prompt is known, and whose events hold one token each, or whose instants
    /// are the first and the last.
    public RequestOutcome(RequestId id, boolean warmUp, int promptTokens, int askedOutputTokens, long intendedNanos,
            long sentNanos, long admittedNanos, long prefillStartNanos, long endNanos, RequestStatus status,
            String reason, long[] eventNanos, int outputTokens, TokenSource source) {
        this(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos, prefillStartNanos,
                endNanos, status, reason, eventNanos, ONE_EACH, outputTokens, source, 0);
    }

    /// The same with other events of one answer.
    public RequestOutcome withEvents(long[] nanos, int[] tokens) {
        return new RequestOutcome(id, warmUp, promptTokens, askedOutputTokens, intendedNanos, sentNanos, admittedNanos,
                prefillStartNanos, endNanos, status, reason, nanos, tokens, outputTokens, source, askedPromptTokens);
    }

    /// Marks a missing instant; it is never shown and enters no figure.
    public static final long ABSENT = Long.MIN_VALUE;

    /// Whether every event holds one token.
    public boolean oneTokenPerEvent() {
        return eventTokens.length == 0 && eventNanos.length == outputTokens && source != TokenSource.CHUNKS;
    }

    /// Whether some event holds several tokens, or may do so.
    public boolean perChunk() {
        return eventNanos.length > 0 && !oneTokenPerEvent();
    }

    /// The tokens of an event; the mean of the request where its events are not known.
    public double tokensOf(int event) {
        return knowsEventTokens() ? eventTokens[event] : (double) outputTokens / eventNanos.length;
    }

    /// Whether the tokens of each event were counted and some event holds several.
    public boolean knowsEventTokens() {
        return eventTokens.length > 0 && eventTokens[0] != NOT_KNOWN;
    }

    /// Tokens that came with the first one, in its event or in others at the same instant; empty where that is not known.
    ///
    /// Where only the sum is known, the first event holds between 1 and tokens − events + 1. It counts as one token if that
    /// leaves less than 5 % between both ends of TPOT.
    public OptionalInt firstEventTokens() {
        long near = nearNanos(source, endsOnly());
        int together = 1;
        while (together < eventNanos.length && eventNanos[together] - eventNanos[together - 1] <= near) {
            together++;
        }
        if (knowsEventTokens()) {
            return OptionalInt.of(Arrays.stream(eventTokens, 0, together).sum());
        }
        return firstHoldsOne(eventNanos.length, outputTokens, source, endsOnly()) ? OptionalInt.of(together)
                : OptionalInt.empty();
    }

    /// How soon after another event of its stream one counts as a part of it: a network may deliver one writing in several reads. Events of an
    /// engine in this program have no network.
    public static long nearNanos(TokenSource source, boolean endsOnly) {
        return source == TokenSource.ENGINE || endsOnly ? 0 : NEAR_NANOS;
    }

    /// Whether the first event counts as one token where the tokens of each event are not known.
    static boolean firstHoldsOne(int events, int outputTokens, TokenSource source, boolean endsOnly) {
        boolean fewUnknown = outputTokens - events <= MOST_UNKNOWN * (events - 1);
        return events > 0 && source != TokenSource.CHUNKS && (endsOnly || fewUnknown);
    }

    /// TPOT: (lastToken − firstToken) / (n − k), k being the tokens of the first event; empty unless n > k, and where k is not known.
    ///
    /// With several answers: the sum of both over the answers.
    public OptionalDouble tpotNanos() {
        if (eventAnswers.length > 0) {
            return tpotOfAnswers();
        }
        OptionalInt first = firstEventTokens();
        return eventNanos.length > 1 && first.isPresent() && outputTokens > first.getAsInt()
                ? OptionalDouble.of((double) (lastTokenNanos() - firstTokenNanos()) / (outputTokens - first.getAsInt()))
                : OptionalDouble.empty();
    }

    private OptionalDouble tpotOfAnswers() {
        if (!(knowsEventTokens() || oneTokenPerEvent()) || !knowsAnswers()) {
            return OptionalDouble.empty();
        }
        long[] first = new long[1 + Arrays.stream(eventAnswers).max().orElse(0)];
        Arrays.fill(first, ABSENT);
        long[] last = first.clone();
        double tokens = 0;
        for (int i = 0; i < eventNanos.length; i++) {
            int answer = eventAnswers[i];
            tokens += first[answer] == ABSENT ? 0 : tokensOf(i);
            first[answer] = first[answer] == ABSENT ? eventNanos[i] : first[answer];
            last[answer] = eventNanos[i];
        }
        double nanos = 0;
        for (int answer = 0; answer < first.length; answer++) {
            nanos += last[answer] - first[answer];
        }
        return tokens > 0 ? OptionalDouble.of(nanos / tokens) : OptionalDouble.empty();
    }

    /// Whether the answer of every event is known.
    private boolean knowsAnswers() {
        return Arrays.stream(eventAnswers).allMatch(answer -> answer != ANSWER_NOT_KNOWN);
    }

    /// The gaps between consecutive events of an answer, in the order of their ends; empty where answers or instants are not known.
    public long[] gapNanos() {
        if (eventNanos.length == 0 || endsOnly() || !knowsAnswers()) {
            return new long[0];
        }
        long[] before = new long[1 + Arrays.stream(eventAnswers).max().orElse(0)];
        Arrays.fill(before, ABSENT);
        long[] gaps = new long[eventNanos.length];
        int n = 0;
        for (int i = 0; i < eventNanos.length; i++) {
            int answer = eventAnswers.length == 0 ? 0 : eventAnswers[i];
            if (before[answer] != ABSENT) {
                gaps[n++] = eventNanos[i] - before[answer];
            }
            before[answer] = eventNanos[i];
        }
        return Arrays.copyOf(gaps, n);
    }

    /// Whether it succeeded without streaming: tokens were counted, but the end is the only known instant of output.
    public boolean whole() {
        return ok() && eventNanos.length == 0 && outputTokens > 0;
    }

    /// Whether it succeeded with at least one token.
    public boolean answered() {
        return ok() && (eventNanos.length > 0 || outputTokens > 0);
    }

    /// Whether only the first and the last instant are known. The time between them is then not a gap between events.
    public boolean endsOnly() {
        return source == TokenSource.PROFILE || (eventNanos.length == 2 && outputTokens > 2 && eventTokens.length == 0);
    }

    /// Whether it succeeded.
    public boolean ok() {
        return status == RequestStatus.OK;
    }

    /// The instant of the first token; ABSENT without streaming or tokens.
    public long firstTokenNanos() {
        return eventNanos.length == 0 ? ABSENT : eventNanos[0];
    }

    /// The instant of the last token, the end without streaming, or ABSENT.
    public long lastTokenNanos() {
        return eventNanos.length > 0 ? eventNanos[eventNanos.length - 1] : whole() ? endNanos : ABSENT;
    }
}
