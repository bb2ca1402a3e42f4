package org.inferometer.measurement;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// A service-level objective: limits that each request must meet. A limit that is empty binds nobody.
public record ServiceObjective(OptionalDouble ttftNanos, OptionalDouble tpotNanos, OptionalDouble e2eNanos) {
    /// Requests a second that ended ok and met every limit; absent without a window.
    public Optional<Figure> goodput(List<RequestOutcome> requests) {
        List<RequestOutcome> measured = requests.stream().filter(request -> !request.warmUp()).toList();
        return RunWindow.of(measured).map(window -> {
            long good = measured.stream().filter(this::met).count();
            return new Figure(Metrics.GOODPUT, good / window.seconds(), measured.size(), true);
        });
    }

    /// Whether a request ended ok within every limit. A request of one token has no TPOT and meets any; an instant that is missing
    /// meets no limit that needs it.
    public boolean met(RequestOutcome request) {
        if (!request.ok() || request.outputTokens() == 0) {
            return false;
        }
        boolean known = request.intendedNanos() != RequestOutcome.ABSENT;
        int gaps = request.outputTokens() - 1;
        boolean first = ttftNanos.isEmpty()
                || known && request.firstTokenNanos() - request.intendedNanos() <= ttftNanos.getAsDouble();
        boolean last = e2eNanos.isEmpty() || known && request.lastTokenNanos() - request.intendedNanos() <= e2eNanos.getAsDouble();
        boolean perToken = tpotNanos.isEmpty() || gaps == 0
                || (request.lastTokenNanos() - request.firstTokenNanos()) / (double) gaps <= tpotNanos.getAsDouble();
        return first && last && perToken;
    }
}
