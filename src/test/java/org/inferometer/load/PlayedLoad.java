package org.inferometer.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// Plays a phase against a target whose answers are known beforehand, in a time that passes only while the generator waits.
final class PlayedLoad implements Clock, WaitStrategy, Target {
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private final Answers answers;
    private final Set<RequestId> inFlight = new HashSet<>();
    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final LoadGenerator generator = new LoadGenerator(this, cancelled, this);
    private RequestRecorder recorder = new RequestRecorder(
            new RunPhase(Phase.LOAD, List.of(), new org.inferometer.workload.ArrivalProcess.ClosedLoop(1)),
            new LiveCounters(), outcomes::add);
    private long nowNanos = 1_000;
    private long order;
    private int pauses;
    private int mostInFlight;

    private record Event(long nanos, long order, Runnable what) {}

    /// How long an answer takes, and how it ends.
    record Answer(long nanos, RequestStatus status) {}

    /// What the target does with each request.
    @FunctionalInterface
    interface Answers {
        Answer to(Request request);
    }

    PlayedLoad(Answers answers) {
        this.answers = answers;
    }

    /// Plays the whole phase; whether it was sent and answered to its end.
    boolean play(RunPhase phase) {
        recorder = new RequestRecorder(phase, new LiveCounters(), outcomes::add);
        return generator.run(phase, this, recorder);
    }

    String failure() {
        return generator.failure();
    }

    /// As the recorder told them, in the order in which they ended.
    List<RequestOutcome> outcomes() {
        return outcomes;
    }

    RequestOutcome outcome(int id) {
        return outcomes.stream().filter(each -> each.id().index() == id).findFirst().orElseThrow();
    }

    /// "cancel 3", "arrivals ended at 1000".
    List<String> calls() {
        return calls;
    }

    int pauses() {
        return pauses;
    }

    int mostInFlight() {
        return mostInFlight;
    }

    /// Lets time pass, as whoever computes on the generator's thread does.
    void pass(long nanos) {
        nowNanos += nanos;
    }

    /// Breaks the run off at an instant.
    void cancelRunAt(long nanos) {
        at(nanos, () -> cancelled.set(true));
    }

    @Override
    public void until(long deadlineNanos) {
        pauses++;
        Event next = events.peek();
        if (next != null && next.nanos <= deadlineNanos) {
            events.remove();
            nowNanos = Math.max(nowNanos, next.nanos);
            next.what.run();
        } else if (deadlineNanos == Long.MAX_VALUE) {
            throw new AssertionError("It would wait for ever.");
        } else {
            nowNanos = Math.max(nowNanos, deadlineNanos);
        }
    }

    @Override
    public void send(Request request) {
        inFlight.add(request.id());
        mostInFlight = Math.max(mostInFlight, inFlight.size());
        Answer answer = answers.to(request);
        at(nowNanos + answer.nanos, () -> end(request.id(), answer.status));
    }

    @Override
    public void cancel(RequestId request) {
        calls.add("cancel " + request);
        at(nowNanos, () -> end(request, RequestStatus.CANCELLED));
    }

    @Override
    public void arrivalsEnded() {
        calls.add("arrivals ended at " + nowNanos);
    }

    private void end(RequestId request, RequestStatus status) {
        if (inFlight.remove(request)) {
            if (status == RequestStatus.OK) {
                recorder.tokens(request, nowNanos, new int[1]);
            }
            recorder.ended(request, nowNanos, status, status == RequestStatus.OK ? "" : "As played.");
            generator.requestEnded(request, nowNanos, status);
        }
    }

    private void at(long nanos, Runnable what) {
        events.add(new Event(nanos, order++, what));
    }

    @Override
    public long nanos() {
        return nowNanos;
    }

    @Override
    public Instant wall() {
        return Instant.EPOCH;
    }

    @Override
    public String description() {
        return "played";
    }

    @Override
    public void close() {}
}
