package org.inferometer.report.charts;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.inferometer.measurement.statistics.RadixSort;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.charts.ChartData.RequestLookup;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;

/// Exact latencies of measured requests, ascending, for charts of their distribution; from the same requests as the metrics.
public enum LatencySamples {
    /// firstToken − intended, of every request whose first token has an instant and that ended ok or was given up.
    TTFT("TTFT", "requests", ok -> true,
            (ok, i, into, at) -> ok.whole(i) ? at : since(ok, i, ok.firstTokenNanos(i), into, at)),
    /// lastToken − intended, of every ok request.
    E2E("E2E latency", "requests", ok -> true, (ok, i, into, at) -> since(ok, i, ok.lastTokenNanos(i), into, at)),
    /// The gaps between consecutive tokens of every ok request, of runs in which every event holds one token.
    ITL("ITL", "gaps", ok -> !perChunk(ok), LatencySamples::gaps),
    /// The gaps between consecutive events of every ok request, of the other runs.
    INTER_CHUNK("Inter-chunk latency", "gaps", LatencySamples::perChunk, LatencySamples::gaps);

    private final String label;
    private final String counted;
    private final Predicate<RequestColumns> isOf;
    private final Gathering gathering;

    /// Appends the samples of a request in nanoseconds, and returns the end.
    private interface Gathering {
        int gather(RequestColumns requests, int i, long[] into, int at);
    }

    /// @param isOf whether a run has such latencies, from its measured ok requests
    LatencySamples(String label, String counted, Predicate<RequestColumns> isOf, Gathering gathering) {
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

    private static boolean perChunk(RequestColumns ok) {
        return IntStream.range(0, ok.size()).anyMatch(ok::perChunk);
    }

    private static int since(RequestColumns ok, int i, long nanos, long[] into, int at) {
        if (ok.intendedNanos(i) == RequestOutcome.ABSENT) {
            return at;
        }
        into[at] = nanos - ok.intendedNanos(i);
        return at + 1;
    }

    /// None if only the first and the last instant are known: the time between them is not one gap.
    private static int gaps(RequestColumns ok, int i, long[] into, int at) {
        return ok.endsOnly(i) ? at : at + ok.eventGapNanos(i, into, at);
    }

    /// One sample and its request.
    record Sample(RunRecord run, RequestOutcome request, double nanos) {}

    /// The requests of a run that have samples; empty if the run has other latencies. Some users saw the first token before they gave up.
    private RequestColumns counted(RunRecord run) {
        RequestColumns requests = run.observations().requests();
        RequestColumns answered = requests.where(i -> !requests.warmUp(i) && requests.answered(i));
        return !isOf.test(answered) ? RequestColumns.NONE : this != TTFT ? answered
                : requests.where(i -> !requests.warmUp(i) && (requests.answered(i)
                        || (gaveUp(requests, i) && requests.firstTokenNanos(i) != RequestOutcome.ABSENT)));
    }

    private static boolean gaveUp(RequestColumns requests, int i) {
        return requests.status(i) == RequestStatus.GAVE_UP && requests.sentNanos(i) != RequestOutcome.ABSENT
                && requests.intendedNanos(i) != RequestOutcome.ABSENT && !requests.warmUp(i);
    }

    /// What users who gave up had waited, in nanoseconds: the least that their latency would have been. None of gaps.
    double[] atLeast(List<RunRecord> runs) {
        return this == ITL || this == INTER_CHUNK ? new double[0] : runs.stream().flatMapToDouble(run -> {
            RequestColumns all = run.observations().requests();
            RequestColumns waited =
                    all.where(i -> gaveUp(all, i) && (this == E2E || all.firstTokenNanos(i) == RequestOutcome.ABSENT));
            return waited.longs(i -> waited.endNanos(i) - waited.intendedNanos(i)).asDoubleStream();
        }).toArray();
    }

    /// The sample nearest to a value, the first of equal ones; empty without samples. Reads all requests of the runs.
    Optional<Sample> nearest(List<RunRecord> runs, double nanos) {
        Sample best = null;
        long[] own = new long[256];
        for (RunRecord run : runs) {
            RequestColumns requests = counted(run);
            for (int request = 0; request < requests.size(); request++) {
                own = requests.events(request) > own.length ? new long[requests.events(request)] : own;
                int n = gathering.gather(requests, request, own, 0);
                for (int i = 0; i < n; i++) {
                    if (best == null || Math.abs(own[i] - nanos) < Math.abs(best.nanos() - nanos)) {
                        best = new Sample(run, requests.get(request), own[i]);
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /// Finds the request behind a value of a chart of latencies.
    ///
    /// @param unit of the axis
    /// @param records of the runs
    /// @param runs the runs behind each series
    record Lookup(LatencySamples samples, AxisUnit unit, Collection<ExperimentRecord> records,
            Map<String, List<RunRecord>> runs) implements RequestLookup {
        @Override
        public Optional<ChartRequest> nearest(String series, double value) {
            return samples
                    .nearest(runs.getOrDefault(series, List.of()),
                            value * unit.raw())
                    .flatMap(sample -> records.stream()
                            .flatMap(record -> IntStream.range(0, record.runs().size())
                                    .filter(run -> record.runs().get(run) == sample.run())
                                    .mapToObj(run -> new ChartRequest(record, run, sample.request().id().index(),
                                            samples.label, unit.of(sample.nanos()), unit)))
                            .findFirst());
        }
    }

    /// `[samples]` nanoseconds, ascending.
    public double[] of(List<RunRecord> runs) {
        List<RequestColumns> requests = runs.stream().map(this::counted).toList();
        long most = requests.stream().mapToLong(this::most).sum();
        long[] nanos = new long[Math.toIntExact(most)];
        int n = 0;
        for (RequestColumns own : requests) {
            for (int i = 0; i < own.size(); i++) {
                n = gathering.gather(own, i, nanos, n);
            }
        }
        return RadixSort.ascending(nanos, n);
    }

    /// The most samples of some requests.
    private long most(RequestColumns requests) {
        return switch (this) {
            case TTFT, E2E -> requests.size();
            case ITL, INTER_CHUNK -> requests.longs(i -> Math.max(0, requests.events(i) - 1)).sum();
        };
    }
}
