package org.inferometer.measurement;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.RequestOutcome;

/// Which requests meet an SLO.
public record SloAttainment(ServiceObjective objective) {
    /// The share of the measured requests that met every limit; 0 if there are none.
    public double share(List<RequestOutcome> requests) {
        List<RequestOutcome> measured = requests.stream().filter(request -> !request.warmUp()).toList();
        return measured.isEmpty() ? 0 : (double) measured.stream().filter(this::isMetBy).count() / measured.size();
    }

    /// Whether a request ended ok within every limit. A request of one token has no TPOT and meets any TPOT limit. A missing instant
    /// meets no limit that needs it.
    public boolean isMetBy(RequestOutcome request) {
        if (!request.ok() || request.outputTokens() == 0) {
            return false;
        }
        boolean known = request.intendedNanos() != RequestOutcome.ABSENT;
        int gaps = request.outputTokens() - 1;
        OptionalDouble ttft = objective.ttftNanos();
        OptionalDouble e2e = objective.e2eNanos();
        OptionalDouble tpot = objective.tpotNanos();
        boolean first = ttft.isEmpty() || (known && !request.whole()
                && request.firstTokenNanos() - request.intendedNanos() <= ttft.getAsDouble());
        boolean last =
                e2e.isEmpty() || (known && request.lastTokenNanos() - request.intendedNanos() <= e2e.getAsDouble());
        boolean perToken = tpot.isEmpty() || gaps == 0 || (!request.whole()
                && (request.lastTokenNanos() - request.firstTokenNanos()) / (double) gaps <= tpot.getAsDouble());
        return first && last && perToken;
    }
}
