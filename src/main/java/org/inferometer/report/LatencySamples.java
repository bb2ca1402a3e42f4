package org.inferometer.report;

import java.util.Arrays;
import java.util.List;
import org.inferometer.benchmark.RunRecord;
import org.inferometer.measurement.RequestOutcome;

/// Exact latencies of the measured requests of some runs, ascending, for pictures of their distribution.
enum LatencySamples {
    /// firstToken − intended, of every ok request.
    TTFT("TTFT", "requests") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            into[at] = request.firstTokenNanos() - request.intendedNanos();
            return at + 1;
        }
    },
    /// lastToken − intended, of every ok request.
    E2E("E2E latency", "requests") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            into[at] = request.lastTokenNanos() - request.intendedNanos();
            return at + 1;
        }
    },
    /// The gaps between consecutive tokens of every ok request.
    ITL("ITL", "gaps") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            long[] tokens = request.tokenNanos();
            for (int i = 1; i < tokens.length; i++) {
                into[at + i - 1] = tokens[i] - tokens[i - 1];
            }
            return at + tokens.length - 1;
        }
    };

    private final String label;
    private final String counted;

    LatencySamples(String label, String counted) {
        this.label = label;
        this.counted = counted;
    }

    /// What it is called.
    String label() {
        return label;
    }

    /// What one sample is: "requests", "gaps".
    String counted() {
        return counted;
    }

    abstract int gather(RequestOutcome request, double[] into, int at);

    /// `[samples]` nanoseconds, ascending.
    double[] of(List<RunRecord> runs) {
        double[] nanos = new double[256];
        int n = 0;
        for (RunRecord run : runs) {
            for (RequestOutcome request : run.observations().requests()) {
                if (!request.warmUp() && request.ok() && request.tokenNanos().length > 0 && request.intendedNanos() != RequestOutcome.ABSENT) {
                    int room = n + request.tokenNanos().length;
                    nanos = room > nanos.length ? Arrays.copyOf(nanos, Math.max(room, nanos.length * 2)) : nanos;
                    n = gather(request, nanos, n);
                }
            }
        }
        double[] sorted = Arrays.copyOf(nanos, n);
        Arrays.sort(sorted);
        return sorted;
    }
}
