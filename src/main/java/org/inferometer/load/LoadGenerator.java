package org.inferometer.load;

import java.util.Iterator;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Sends the requests of one phase when they are due, cancels them at their timeouts, and waits until all have ended, or until too many have
/// failed.
///
/// Runs on the thread that calls [#run]. One wait covers the next send and the next timeout, both absolute deadlines.
/// A late send does not move the intended time: lateness is recorded and counts against the system.
public final class LoadGenerator {
    private static final int LEAST_ENDED = 20;
    private final Clock clock;
    private final AtomicBoolean cancelled;
    private final WaitStrategy wait;
    private final Queue<End> ends = new ConcurrentLinkedQueue<>();
    private int ended;
    private int failed;
    private String failure = "";
    private volatile Thread generator = Thread.currentThread();

    private record End(RequestId request, long nanos, RequestStatus status) {}

    /// @param cancelled once true, sending stops and the phase ends
    public LoadGenerator(Clock clock, AtomicBoolean cancelled) {
        this(clock, cancelled, WaitStrategy.parkThenSpin(clock));
    }

    public LoadGenerator(Clock clock, AtomicBoolean cancelled, WaitStrategy wait) {
        this.clock = clock;
        this.cancelled = cancelled;
        this.wait = wait;
    }

    /// Reports the end of a request; called on the target's thread.
    public void requestEnded(RequestId request, long nanos, RequestStatus status) {
        ends.add(new End(request, nanos, status));
        LockSupport.unpark(generator);
    }

    /// Sends all requests.
    ///
    /// @return true once all have ended; false if cancelled or if too many failed, see [#failure]
    public boolean run(RunPhase phase, Target target, RequestRecorder recorder) {
        return run(phase, phase.inOrder(), target, recorder);
    }

    /// Sends the requests of a prepared ledger, for callers that start more than this with the phase.
    public boolean run(RunPhase phase, Iterator<Request> requests, Target target, RequestRecorder recorder) {
        generator = Thread.currentThread();
        LoadLedger ledger = new LoadLedger(phase, requests, clock.nanos());
        boolean arrivalsEnded = false;
        while (true) {
            hear(ledger, recorder);
            long now = clock.nanos();
            for (RequestId id = ledger.outOfPatience(now); id != null; id = ledger.outOfPatience(now)) {
                target.cancel(id);
            }
            boolean allSent = ledger.allSent(now);
            if (allSent && !arrivalsEnded) {
                target.arrivalsEnded();
                arrivalsEnded = true;
            }
            if (allSent && ledger.nothingInFlight()) {
                return true;
            }
            if (cancelled.getAcquire() || tooManyFailed(phase)) {
                return false;
            }
            LoadLedger.@Nullable Due due = ledger.due();
            if (due == null || due.intendedNanos() > now) {
                wait.until(ledger.nextNanos(now));
                continue;
            }
            long sent = clock.nanos();
            recorder.sending(due.request(), due.intendedNanos(), sent);
            target.send(due.request());
            ledger.sent(due, sent);
        }
    }

    private boolean tooManyFailed(RunPhase phase) {
        double share = phase.stopAfterFailures();
        boolean tooMany = share > 0 && failed > share * Math.max(LEAST_ENDED, ended);
        failure = tooMany ? String.format(Locale.ROOT,
                "Stopped: %d of the first %d requests failed, more than %.0f %%.", failed, ended, share * 100) : "";
        return tooMany;
    }

    /// Why the phase stopped; empty if not because of failures. On the thread that called [#run].
    public String failure() {
        return failure;
    }

    private void hear(LoadLedger ledger, RequestRecorder recorder) {
        for (End end = ends.poll(); end != null; end = ends.poll()) {
            RequestDeadlines.Cause cause = end.status == RequestStatus.CANCELLED ? ledger.cause(end.request, end.nanos)
                    : RequestDeadlines.Cause.NONE;
            ended++;
            failed += end.status == RequestStatus.OK || cause == RequestDeadlines.Cause.GAVE_UP ? 0 : 1;
            for (Request turn : ledger.ended(end.request, end.nanos, end.status == RequestStatus.OK)) {
                recorder.notSent(turn, end.nanos,
                        cause == RequestDeadlines.Cause.GAVE_UP ? RequestStatus.GAVE_UP : RequestStatus.CANCELLED,
                        reason(end, cause));
            }
        }
    }

    /// The reason why later turns of a session are not sent. Who gives up a turn asks no later one.
    private static String reason(End end, RequestDeadlines.Cause cause) {
        return switch (cause) {
            case GAVE_UP -> notSentAfter(end.request, RequestStatus.GAVE_UP);
            case TIMEOUT -> notSentAfter(end.request, RequestStatus.TIMED_OUT);
            case NONE -> notSentAfter(end.request, end.status);
        };
    }

    private static String notSentAfter(RequestId turn, RequestStatus status) {
        return "Not sent: request " + turn + ", an earlier turn of its session, ended as " + status.id() + ".";
    }
}
