package org.inferometer.results.exchange;

import java.util.Optional;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The arrivals of an imported run. If the file does not give them, all requests at once stand in; reports do not show a stand-in.
public final class ReportedArrivals {
    private static final int MOST_CONCURRENCY = 100_000;
    private static final double LEAST_RATE = 0.001;
    private static final double MOST_RATE = 1_000_000;

    private ReportedArrivals() {}

    /// The arrivals of an imported load; empty for a stand-in.
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
