package org.inferometer.load;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Due times, requests in flight and timeouts of a phase. Reads no clock; confined to one thread.
///
/// A session holds its slot of a closed loop from its first turn to its last.
final class LoadLedger {
    private final Iterator<Request> requests;
    private final long startNanos;
    private final long stopNanos;
    private final boolean closed;
    private final Deque<Long> freedNanos = new ArrayDeque<>();
    private final PriorityQueue<Due> turns = new PriorityQueue<>(Comparator.comparingLong(Due::intendedNanos));
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>(Comparator.comparingLong(Deadline::nanos));
    private final Deque<Request> noTurns = new ArrayDeque<>(0);
    private final Map<RequestId, SentRequest> inFlight = new HashMap<>();
    private int unusedSlots;
    private int turnsToCome;
    private @Nullable Request start;

    /// A request and its intended send time.
    record Due(Request request, long intendedNanos, Deque<Request> laterTurns) {}

    private record SentRequest(Request request, long sentNanos, Deque<Request> laterTurns) {}

    private record Deadline(long nanos, RequestId request) {}

    /// @param requests of the phase, in order
    /// @param startNanos start of the phase
    LoadLedger(RunPhase phase, Iterator<Request> requests, long startNanos) {
        this.requests = requests;
        this.startNanos = startNanos;
        this.stopNanos = phase.durationNanos() == 0 ? Long.MAX_VALUE : startNanos + phase.durationNanos();
        this.closed = phase.arrivals() instanceof ArrivalProcess.ClosedLoop;
        this.unusedSlots = phase.arrivals() instanceof ArrivalProcess.ClosedLoop(int concurrency) ? concurrency : 0;
        this.start = pull();
    }

    /// The next request to send; null if it depends on requests in flight or none is left.
    @Nullable
    Due due() {
        Due turn = turns.peek();
        Request first = start;
        long intended = first == null ? Long.MAX_VALUE : intendedNanos(first);
        if (intended >= stopNanos || first == null) {
            return turn;
        }
        return turn != null && turn.intendedNanos <= intended ? turn : new Due(first, intended, noTurns);
    }

    /// Marks the due request as sent.
    void sent(Due due, long sentNanos) {
        RequestId id = due.request.id();
        Deque<Request> laterTurns = due.laterTurns;
        if (due == turns.peek()) {
            turns.remove();
            turnsToCome--;
        } else {
            if (closed && unusedSlots > 0) {
                unusedSlots--;
            } else if (closed) {
                freedNanos.remove();
            }
            laterTurns = pullTurns();
            turnsToCome += laterTurns.size();
        }
        inFlight.put(id, new SentRequest(due.request, sentNanos, laterTurns));
        long patience = due.request.deadlines().nanos();
        if (patience != Long.MAX_VALUE) {
            deadlines.add(new Deadline(sentNanos + patience, id));
        }
    }

    /// The deadline of a request in flight that has passed at an instant; NONE also for unknown requests.
    RequestDeadlines.Cause cause(RequestId id, long nanos) {
        SentRequest entry = inFlight.get(id);
        return entry == null ? RequestDeadlines.Cause.NONE : entry.request.deadlines().cause(nanos - entry.sentNanos);
    }

    /// Marks a request as ended. Unknown requests are ignored.
    ///
    /// @return later turns of its session that are not sent because this turn failed
    Collection<Request> ended(RequestId id, long nanos, boolean well) {
        SentRequest entry = inFlight.remove(id);
        if (entry == null) {
            return List.of();
        }
        Request next = well ? entry.laterTurns.peek() : null;
        long intended = next == null ? stopNanos : nanos + thinkNanos(next);
        if (next != null && intended < stopNanos) {
            entry.laterTurns.remove();
            turns.add(new Due(next, intended, entry.laterTurns));
            return List.of();
        }
        turnsToCome -= entry.laterTurns.size();
        if (closed) {
            freedNanos.add(nanos);
        }
        return well ? List.of() : entry.laterTurns;
    }

    /// A request whose deadline has passed, each once; null if there is none.
    @Nullable
    RequestId outOfPatience(long nowNanos) {
        Deadline first = firstDeadline();
        if (first == null || first.nanos > nowNanos) {
            return null;
        }
        deadlines.remove();
        return first.request;
    }

    /// Whether all requests of the phase have been sent.
    boolean allSent(long nowNanos) {
        boolean over = nowNanos >= stopNanos;
        return due() == null && (over || (start == null && turnsToCome == 0));
    }

    boolean nothingInFlight() {
        return inFlight.isEmpty();
    }

    /// The next deadline for sending or cancelling; [Long#MAX_VALUE] for none.
    long nextNanos(long nowNanos) {
        Due due = due();
        Deadline deadline = firstDeadline();
        long next = Math.min(due == null ? Long.MAX_VALUE : due.intendedNanos,
                deadline == null ? Long.MAX_VALUE : deadline.nanos);
        return nowNanos < stopNanos ? Math.min(next, stopNanos) : next;
    }

    /// Removes deadlines of ended requests, so that they do not wake the thread.
    private @Nullable Deadline firstDeadline() {
        Deadline first = deadlines.peek();
        while (first != null && !inFlight.containsKey(first.request)) {
            deadlines.remove();
            first = deadlines.peek();
        }
        return first;
    }

    private long intendedNanos(Request request) {
        return switch (request.arrival()) {
            case Arrival.At(long offset) -> startNanos + offset;
            case Arrival.WhenFree(long think) -> {
                Long freed = unusedSlots > 0 ? Long.valueOf(startNanos) : freedNanos.peek();
                yield freed == null ? Long.MAX_VALUE : freed + think;
            }
            case Arrival.AfterTurn(RequestId previous, long think) -> startNanos + think;
        };
    }

    private static long thinkNanos(Request turn) {
        return turn.arrival() instanceof Arrival.AfterTurn(RequestId previous, long think) ? think : 0;
    }

    /// The later turns of a session: the requests up to the next session start.
    private Deque<Request> pullTurns() {
        start = pull();
        Deque<Request> found = noTurns;
        while (start != null && start.arrival() instanceof Arrival.AfterTurn) {
            found = found.isEmpty() ? new ArrayDeque<>() : found;
            found.add(start);
            start = pull();
        }
        return found;
    }

    private @Nullable Request pull() {
        return requests.hasNext() ? requests.next() : null;
    }
}
