package org.inferometer.load;

import java.util.Iterator;
import java.util.List;
import org.inferometer.record.Phase;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LaterRequests;
import org.inferometer.workload.Request;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadSpec;

/// The requests of one phase of a run and how they arrive.
///
/// @param requests drawn before the phase; the turns of a session follow each other
/// @param later requests after these, drawn during the phase
/// @param durationNanos sending stops after this time; 0 if the requests end the phase
/// @param notes sentences for the record
/// @param stopAfterFailures share of failed requests above which the phase stops; 0 for never
public record RunPhase(Phase phase, List<Request> requests, LaterRequests later, ArrivalProcess arrivals,
        long durationNanos, List<String> notes, double stopAfterFailures) {
    /// A phase whose requests are all drawn before it.
    public RunPhase(Phase phase, List<Request> requests, ArrivalProcess arrivals) {
        this(phase, requests, LaterRequests.NONE, arrivals, 0, List.of(), 0);
    }

    /// The measured requests of a workload.
    public static RunPhase measured(Workload workload, WorkloadSpec spec) {
        return new RunPhase(Phase.MEASURE, workload.measured(), workload.later(), spec.arrivals(),
                spec.refinements().durationNanos(), workload.notes(), spec.refinements().stopAfterFailures());
    }

    /// All requests: those drawn before the phase, then the later ones.
    ///
    /// With later requests, the earlier ones are drawn again, which may take seconds. Call it before the phase starts.
    public Iterator<Request> inOrder() {
        Iterator<Request> before = requests.iterator();
        Iterator<Request> after = later.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return before.hasNext() || after.hasNext();
            }

            @Override
            public Request next() {
                return before.hasNext() ? before.next() : after.next();
            }
        };
    }

    /// The index of the first request's id.
    int firstId() {
        return requests.isEmpty() ? 0 : requests.getFirst().id().index();
    }

    /// Number of requests; 0 if its duration ends it.
    public int total() {
        return later == LaterRequests.NONE ? requests.size() : 0;
    }

    /// Progress from 0 to 1: share of requests, or of time if the duration ends a closed loop.
    public double share(int done, long elapsedNanos) {
        double byCount = total() > 0 ? (double) done / total() : 0;
        boolean byClock = durationNanos > 0 && arrivals instanceof ArrivalProcess.ClosedLoop;
        return Math.min(1, Math.max(byCount, byClock ? (double) elapsedNanos / durationNanos : 0));
    }
}
