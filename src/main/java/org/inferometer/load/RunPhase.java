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
/// @param later what follows them, drawn while the phase goes on
/// @param durationNanos nothing is sent this long after the phase began; 0 where the requests alone end it
/// @param notes sentences for the record
public record RunPhase(Phase phase, List<Request> requests, LaterRequests later, ArrivalProcess arrivals,
        long durationNanos, List<String> notes) {
    /// Requests that were all drawn before.
    public RunPhase(Phase phase, List<Request> requests, ArrivalProcess arrivals) {
        this(phase, requests, LaterRequests.NONE, arrivals, 0, List.of());
    }

    /// The measured requests of a workload.
    public static RunPhase measured(Workload workload, WorkloadSpec spec) {
        return new RunPhase(Phase.MEASURE, workload.measured(), workload.later(), spec.arrivals(),
                spec.refinements().durationNanos(), workload.notes());
    }

    /// All its requests, those drawn before and then the later ones.
    ///
    /// Where there are later ones, those before them are drawn once more here, which may take seconds: to be called before any time
    /// of the phase counts.
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

    /// How many requests it has; 0 where more are drawn until its time is up.
    public int total() {
        return later == LaterRequests.NONE ? requests.size() : 0;
    }

    /// How much of it is done, 0 to 1: of its requests, or of its time where a closed loop sends until that is up.
    public double share(int done, long elapsedNanos) {
        double byCount = total() > 0 ? (double) done / total() : 0;
        boolean byClock = durationNanos > 0 && arrivals instanceof ArrivalProcess.ClosedLoop;
        return Math.min(1, Math.max(byCount, byClock ? (double) elapsedNanos / durationNanos : 0));
    }
}
