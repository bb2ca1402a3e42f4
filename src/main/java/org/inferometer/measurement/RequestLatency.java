package org.inferometer.measurement;

import java.util.List;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// A latency of which each request has one: the time between two of its instants.
///
/// @param end where it ends with an answer
/// @param isKnownOfGivenUp whether what a user waited who gave up is the least that it would have been
record RequestLatency(MetricFamily family, Instant start, Instant end, boolean isKnownOfGivenUp) {
    static final RequestLatency TTFT =
            new RequestLatency(Metrics.TTFT, RequestColumns::intendedNanos, RequestColumns::firstTokenNanos, true);
    static final RequestLatency SERVICE_TTFT =
            new RequestLatency(Metrics.SERVICE_TTFT, RequestColumns::sentNanos, RequestColumns::firstTokenNanos, true);
    static final RequestLatency ENGINE_QUEUE =
            new RequestLatency(Metrics.ENGINE_QUEUE, RequestColumns::sentNanos, RequestColumns::admittedNanos, false);
    static final RequestLatency PREFILL = new RequestLatency(Metrics.PREFILL_LATENCY, RequestColumns::prefillStartNanos,
            RequestColumns::firstTokenNanos, false);
    static final RequestLatency DECODE = new RequestLatency(Metrics.DECODE_LATENCY,
            (requests, i) -> requests.events(i) > 1 ? requests.firstTokenNanos(i) : RequestOutcome.ABSENT,
            RequestColumns::lastTokenNanos, false);
    static final RequestLatency E2E =
            new RequestLatency(Metrics.E2E, RequestColumns::intendedNanos, RequestColumns::lastTokenNanos, true);
    static final RequestLatency SERVICE_E2E =
            new RequestLatency(Metrics.SERVICE_E2E, RequestColumns::sentNanos, RequestColumns::lastTokenNanos, true);
    static final List<RequestLatency> ALL =
            List.of(TTFT, SERVICE_TTFT, ENGINE_QUEUE, PREFILL, DECODE, E2E, SERVICE_E2E);

    /// An instant of a request; [RequestOutcome#ABSENT] where it is not known.
    interface Instant {
        long nanos(RequestColumns requests, int i);
    }

    /// Of an ok request; [RequestOutcome#ABSENT] where an instant is not known.
    long nanos(RequestColumns requests, int i) {
        return between(start.nanos(requests, i), end.nanos(requests, i));
    }

    /// Whether a user who gave up had seen its end: the first token.
    boolean isSeen(RequestColumns requests, int i) {
        return (family.equals(Metrics.TTFT) || family.equals(Metrics.SERVICE_TTFT))
                && requests.firstTokenNanos(i) != RequestOutcome.ABSENT;
    }

    /// Of an ok request, or the least of one that was given up; NaN where it is not known.
    double value(RequestColumns requests, int i) {
        long nanos = requests.answered(i) ? nanos(requests, i) : isGivenUp(requests, i) ? leastNanos(requests, i)
                : RequestOutcome.ABSENT;
        return nanos == RequestOutcome.ABSENT ? Double.NaN : nanos;
    }

    /// Whether only the least of it is known.
    boolean isOpen(RequestColumns requests, int i) {
        return isGivenUp(requests, i) && !isSeen(requests, i);
    }

    private boolean isGivenUp(RequestColumns requests, int i) {
        return isKnownOfGivenUp && requests.status(i) == RequestStatus.GAVE_UP
                && requests.sentNanos(i) != RequestOutcome.ABSENT;
    }

    /// Of a request that was given up: the latency if it was seen, else what its user had waited.
    long leastNanos(RequestColumns requests, int i) {
        return between(start.nanos(requests, i),
                isSeen(requests, i) ? requests.firstTokenNanos(i) : requests.endNanos(i));
    }

    /// The time between two instants; [RequestOutcome#ABSENT] where one is not known.
    static long between(long from, long to) {
        return from == RequestOutcome.ABSENT || to == RequestOutcome.ABSENT ? RequestOutcome.ABSENT : to - from;
    }
}
