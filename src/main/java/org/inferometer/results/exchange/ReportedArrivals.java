package org.inferometer.results.exchange;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The arrivals of an imported run. If the file does not give them, all requests at once stand in; reports do not show a stand-in.
public final class ReportedArrivals {
    private static final int MOST_CONCURRENCY = 100_000;
    private static final double LEAST_RATE = 0.001;
    private static final double MOST_RATE = 1_000_000;
    private static final double LEAST_BURSTINESS = 0.01;
    private static final double MOST_BURSTINESS = 1_000;
    /// The names of GuideLLM and of AIPerf.
    private static final List<String> PATTERNS = List.of("strategy", "arrival_pattern", "request_rate_mode");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

    private ReportedArrivals() {}

    /// The arrivals of an imported load; empty for a stand-in.
    public static Optional<ArrivalProcess> in(WorkloadSpec load) {
        return load.arrivals().equals(standIn(load.requests())) ? Optional.empty() : Optional.of(load.arrivals());
    }

    /// @param requests of the load; 0 if the file does not say
    static ArrivalProcess of(ForeignRun run, int requests) {
        if (run.ratePerSecond() >= LEAST_RATE && run.ratePerSecond() <= MOST_RATE) {
            return atRate(run.ratePerSecond(), run.settings().ofLoad());
        }
        return run.concurrency() > 0 ? new ArrivalProcess.ClosedLoop(Math.min(run.concurrency(), MOST_CONCURRENCY))
                : standIn(requests);
    }

    /// Even gaps or gamma gaps where the file says so, else Poisson: what these tools do with a rate.
    private static ArrivalProcess atRate(double rate, Map<String, String> settings) {
        if (PATTERNS.stream().anyMatch(name -> "constant".equals(settings.get(name)))) {
            return new ArrivalProcess.Constant(rate);
        }
        String burstiness = settings.getOrDefault("burstiness", "");
        double shape = NUMBER.matcher(burstiness).matches() ? Double.parseDouble(burstiness) : 1;
        return shape == 1 || shape < LEAST_BURSTINESS || shape > MOST_BURSTINESS ? new ArrivalProcess.Poisson(rate)
                : new ArrivalProcess.Gamma(rate, shape);
    }

    private static ArrivalProcess standIn(int requests) {
        return new ArrivalProcess.ClosedLoop(Math.clamp(requests, 1, MOST_CONCURRENCY));
    }
}
