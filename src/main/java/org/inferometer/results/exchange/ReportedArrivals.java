package org.inferometer.results.exchange;

import java.util.Optional;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// How the requests of an imported run came. A load must have arrivals, and files need not tell them: all requests at once, or one where the
/// file holds none, stand in, and are not shown as what was asked.
public final class ReportedArrivals {
    private static final int MOST_CONCURRENCY = 100_000;
    private static final double LEAST_RATE = 0.001;
    private static final double MOST_RATE = 1_000_000;

    private ReportedArrivals() {}

    /// The arrivals of an imported load; empty where they only stand in.
    public static Optional<ArrivalProcess> in(WorkloadSpec load) {
        return load.arrivals().equals(standIn(load.requests())) ? Optional.empty() : Optional.of(load.arrivals());
    }

    static ArrivalProcess of(ForeignRun run) {
        if (run.ratePerSecond() >= LEAST_RATE && run.ratePerSecond() <= MOST_RATE) {
            return new ArrivalProcess.Poisson(run.ratePerSecond());
        }
        return run.concurrency() > 0 ? new ArrivalProcess.ClosedLoop(Math.min(run.concurrency(), MOST_CONCURRENCY))
                : standIn(run.requests().size());
    }

    private static ArrivalProcess standIn(int requests) {
        return new ArrivalProcess.ClosedLoop(Math.clamp(requests, 1, MOST_CONCURRENCY));
    }
}
