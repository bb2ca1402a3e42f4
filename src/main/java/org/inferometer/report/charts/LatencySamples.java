package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.inferometer.measurement.RadixSort;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;

/// Exact latencies of measured requests, ascending, for charts of their distribution; from the same requests as the metrics.
public enum LatencySamples {
    /// firstToken − intended, of every ok request whose first token has an instant.
    TTFT("TTFT", "requests", ok -> true,
            (request, into, at) -> request.whole() ? at : since(request, request.firstTokenNanos(), into, at)),
    /// lastToken − intended, of every ok request.
    E2E("E2E latency", "requests", ok -> true,
            (request, into, at) -> since(request, request.lastTokenNanos(), into, at)),
    /// The gaps between consecutive tokens of every ok request, of runs in which every event holds one token.
    ITL("ITL", "gaps", ok -> ok.stream().noneMatch(RequestOutcome::perChunk), LatencySamples::gaps),
    /// The gaps between consecutive events of every ok request, of the other runs.
    INTER_CHUNK("Inter-chunk latency", "gaps", ok -> ok.stream().anyMatch(RequestOutcome::perChunk),
            LatencySamples::gaps);

    private final String label;
    private final String counted;
    private final Predicate<List<RequestOutcome>> isOf;
    private final Gathering gathering;

    /// Appends the samples of a request in nanoseconds, and returns the end.
    private interface Gathering {
        int gather(RequestOutcome request, double[] into, int at);
    }

    /// @param isOf whether a run has such latencies, from its measured ok requests with token instants
    LatencySamples(String label, String counted, Predicate<List<RequestOutcome>> isOf, Gathering gathering) {
        this.label = label;
        this.counted = counted;
        this.isOf = isOf;
        this.gathering = gathering;
    }

    /// Name of the chart of its distribution, for files: "ttft-ecdf".
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-') + "-ecdf";
    }

    /// Its name.
    String label() {
        return label;
    }

    /// The unit of n: "requests", "gaps".
    String counted() {
        return counted;
    }

    private static int since(RequestOutcome request, long nanos, double[] into, int at) {
        if (request.intendedNanos() == RequestOutcome.ABSENT) {
            return at;
        }
        into[at] = nanos - request.intendedNanos();
        return at + 1;
    }

    /// None if only the first and the last instant are known: the time between them is not one gap.
    private static int gaps(RequestOutcome request, double[] into, int at) {
        long[] instants = request.eventNanos();
        if (request.endsOnly() || instants.length == 0) {
            return at;
        }
        for (int i = 1; i < instants.length; i++) {
            into[at + i - 1] = instants[i] - instants[i - 1];
        }
        return at + instants.length - 1;
    }

    /// One sample and its request.
    record Sample(RunRecord run, RequestOutcome request, double nanos) {}

    /// The requests of a run that have samples; empty if the run has other latencies.
    private List<RequestOutcome> counted(RunRecord run) {
        List<RequestOutcome> answered = run.observations().requests().stream()
                .filter(request -> !request.warmUp() && request.answered()).toList();
        return isOf.test(answered.stream().filter(request -> !request.whole()).toList()) ? answered : List.of();
    }

    /// The sample nearest to a value, the first of equal ones; empty without samples. Reads all requests of the runs.
    Optional<Sample> nearest(List<RunRecord> runs, double nanos) {
        Sample best = null;
        double[] own = new double[256];
        for (RunRecord run : runs) {
            for (RequestOutcome request : counted(run)) {
                own = request.eventNanos().length > own.length ? new double[request.eventNanos().length] : own;
                int n = gathering.gather(request, own, 0);
                for (int i = 0; i < n; i++) {
                    if (best == null || Math.abs(own[i] - nanos) < Math.abs(best.nanos() - nanos)) {
                        best = new Sample(run, request, own[i]);
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /// `[samples]` nanoseconds, ascending.
    public double[] of(List<RunRecord> runs) {
        double[] nanos = new double[256];
        int n = 0;
        for (RunRecord run : runs) {
            for (RequestOutcome request : counted(run)) {
                int room = n + Math.max(1, request.eventNanos().length);
                nanos = room > nanos.length ? Arrays.copyOf(nanos, Math.max(room, nanos.length * 2)) : nanos;
                n = gathering.gather(request, nanos, n);
            }
        }
        double[] sorted = Arrays.copyOf(nanos, n);
        RadixSort.ascending(sorted);
        return sorted;
    }
}
