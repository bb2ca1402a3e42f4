package org.inferometer.measurement;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.statistics.CensoredDistribution;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// Which requests meet an SLO.
///
/// Failed requests are misses, and so are those that users gave up after a limit had passed. What was given up before tells only that it took
/// at least so long.
public record SloAttainment(ServiceObjective objective) {
    /// The requests that are judged: measured, and not given up before a limit had passed.
    public List<RequestOutcome> judged(List<RequestOutcome> requests) {
        return requests.stream().filter(request -> !request.warmUp() && !isOpen(request)).toList();
    }

    /// The share of the measured requests that met every limit; 0 if there are none. What was given up before a limit had passed counts as
    /// the others that took at least so long, and as a miss where there are none ([#unknown]).
    public double share(List<RequestOutcome> requests) {
        List<RequestOutcome> judged = judged(requests);
        double[] open = open(requests);
        return open.length == 0 ? (double) judged.stream().filter(this::isMetBy).count() / Math.max(1, judged.size())
                : distribution(judged, open).upTo(1);
    }

    /// The share of the measured requests of which no other tells whether they would have met every limit: all users left earlier.
    public double unknown(List<RequestOutcome> requests) {
        double[] open = open(requests);
        return open.length == 0 ? 0 : distribution(judged(requests), open).unknown(1);
    }

    private double[] open(List<RequestOutcome> requests) {
        return requests.stream().filter(request -> !request.warmUp() && isOpen(request)).mapToDouble(this::shareWaited)
                .toArray();
    }

    private CensoredDistribution distribution(List<RequestOutcome> judged, double[] open) {
        return CensoredDistribution.of(judged.stream().mapToDouble(this::limitShare).toArray(), open);
    }

    private boolean isOpen(RequestOutcome request) {
        return request.status() == RequestStatus.GAVE_UP && shareWaited(request) <= 1;
    }

    /// What the user of a request that was given up had waited, as the largest share of a limit.
    private double shareWaited(RequestOutcome request) {
        boolean known = request.intendedNanos() != RequestOutcome.ABSENT;
        boolean began = request.firstTokenNanos() != RequestOutcome.ABSENT;
        double first = share(objective.ttftNanos(), known,
                (began ? request.firstTokenNanos() : request.endNanos()) - request.intendedNanos());
        return Math.max(first, share(objective.e2eNanos(), known, request.endNanos() - request.intendedNanos()));
    }

    /// Whether a request ended ok within every limit.
    public boolean isMetBy(RequestOutcome request) {
        return limitShare(request) <= 1;
    }

    /// The largest latency of a request as a share of its limit; infinite if the request did not end ok.
    ///
    /// A request whose tokens came in one event has no TPOT and meets any TPOT limit. A missing instant meets no limit that needs it. Where the
    /// tokens of the first event are not known, TPOT is the longest that it may be.
    public double limitShare(RequestOutcome request) {
        if (!request.ok() || request.outputTokens() == 0) {
            return Double.POSITIVE_INFINITY;
        }
        boolean known = request.intendedNanos() != RequestOutcome.ABSENT;
        double first = share(objective.ttftNanos(), known && !request.whole(),
                request.firstTokenNanos() - request.intendedNanos());
        double last = share(objective.e2eNanos(), known, request.lastTokenNanos() - request.intendedNanos());
        OptionalDouble tpot = longestTpotNanos(request);
        return Math.max(Math.max(first, last), share(objective.tpotNanos(), tpot.isPresent(), tpot.orElse(0)));
    }

    private static double share(OptionalDouble limit, boolean known, double nanos) {
        if (limit.isEmpty() || (known && nanos <= 0)) {
            return 0;
        }
        return known ? nanos / limit.getAsDouble() : Double.POSITIVE_INFINITY;
    }

    /// The TPOT of a request for a limit: 0 if all tokens came in one event, the longest that it may be if the tokens of the first
    /// event are not known; empty for an answer that was not streamed.
    public static OptionalDouble longestTpotNanos(RequestOutcome request) {
        int events = request.eventNanos().length;
        if (events == 0 || request.tpotNanos().isPresent()) {
            return request.tpotNanos();
        }
        return OptionalDouble
                .of(events == 1 ? 0 : (double) (request.lastTokenNanos() - request.firstTokenNanos()) / (events - 1));
    }
}
