package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;

/// Exact latencies of measured requests, ascending, for charts of their distribution; from the same requests as the metrics.
public enum LatencySamples {
    /// firstToken − intended, of every ok request whose first token has an instant.
    TTFT("TTFT", "requests") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            boolean known = request.intendedNanos() != RequestOutcome.ABSENT && !request.whole();
            return known ? put(request.firstTokenNanos() - request.intendedNanos(), into, at) : at;
        }
    },
    /// lastToken − intended, of every ok request.
    E2E("E2E latency", "requests") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            return request.intendedNanos() == RequestOutcome.ABSENT ? at
                    : put(request.lastTokenNanos() - request.intendedNanos(), into, at);
        }
    },
    /// The gaps between consecutive tokens of every ok request, of runs in which every instant is that of one token.
    ITL("ITL", "gaps") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            return gaps(request, into, at);
        }

        @Override
        boolean isOf(List<RequestOutcome> ok) {
            return ok.stream().noneMatch(RequestOutcome::perChunk);
        }
    },
    /// The gaps between consecutive chunks of every ok request, of the other runs.
    INTER_CHUNK("Inter-chunk latency", "gaps") {
        @Override
        int gather(RequestOutcome request, double[] into, int at) {
            return gaps(request, into, at);
        }

        @Override
        boolean isOf(List<RequestOutcome> ok) {
            return ok.stream().anyMatch(RequestOutcome::perChunk);
        }
    };

    private final String label;
    private final String counted;

    LatencySamples(String label, String counted) {
        this.label = label;
        this.counted = counted;
    }

    /// Its name.
    String label() {
        return label;
    }

    /// The unit of n: "requests", "gaps".
    String counted() {
        return counted;
    }

    abstract int gather(RequestOutcome request, double[] into, int at);

    /// Whether a run has such latencies.
    ///
    /// @param ok its measured ok requests with token timestamps
    boolean isOf(List<RequestOutcome> ok) {
        return true;
    }

    private static int put(long nanos, double[] into, int at) {
        into[at] = nanos;
        return at + 1;
    }

    /// None where no more than the first and the last instant is known: the stretch between them is no gap.
    private static int gaps(RequestOutcome request, double[] into, int at) {
        long[] instants = request.tokenNanos();
        if (request.endsOnly() || instants.length == 0) {
            return at;
        }
        for (int i = 1; i < instants.length; i++) {
            into[at + i - 1] = instants[i] - instants[i - 1];
        }
        return at + instants.length - 1;
    }

    /// `[samples]` nanoseconds, ascending.
    public double[] of(List<RunRecord> runs) {
        double[] nanos = new double[256];
        int n = 0;
        for (RunRecord run : runs) {
            List<RequestOutcome> answered = run.observations().requests().stream()
                    .filter(request -> !request.warmUp() && request.answered()).toList();
            if (isOf(answered.stream().filter(request -> !request.whole()).toList())) {
                for (RequestOutcome request : answered) {
                    int room = n + Math.max(1, request.tokenNanos().length);
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
