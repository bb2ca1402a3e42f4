package org.inferometer.load;

import java.util.Arrays;
import java.util.function.Consumer;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener;
import org.inferometer.target.TokenCounts;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Keeps the instants of a phase's requests while they happen; for requests drawn before the phase, in memory taken before it.
///
/// The load generator tells of a request before the target can answer it; everything else comes on the target's thread. A request that
/// ended is handed on whole and forgotten.
public final class RequestRecorder implements RequestListener {
    private static final int CHUNK = 1 << 10;
    private static final long[] NO_TOKENS = {};

    private final boolean warmUp;
    private final int firstId;
    private final LiveCounters counters;
    private final Consumer<RequestOutcome> whenEnded;
    // [chunks][CHUNK] by index; the generator's thread adds chunks and flights, and sending a request publishes its own.
    private @Nullable Flight[][] flights = new Flight[0][];

    /// One request on its way.
    private static final class Flight {
        private final Request asked;
        private long intendedNanos = RequestOutcome.ABSENT;
        private long sentNanos = RequestOutcome.ABSENT;
        private long admittedNanos = RequestOutcome.ABSENT;
        private long prefillStartNanos = RequestOutcome.ABSENT;
        private long[] tokenNanos;
        private int tokens;
        private int toldTokens; // to the live picture
        private @Nullable TokenCounts counted;

        private Flight(Request asked) {
            this.asked = asked;
            this.tokenNanos = new long[asked.outputTokens()];
        }
    }

    public RequestRecorder(RunPhase phase, LiveCounters counters, Consumer<RequestOutcome> whenEnded) {
        this.warmUp = phase.phase() == Phase.WARM_UP;
        this.firstId = phase.firstId();
        this.counters = counters;
        this.whenEnded = whenEnded;
        phase.requests().forEach(this::flight);
    }

    /// Called by the load generator just before it hands the request over.
    void sending(Request request, long intended, long sent) {
        Flight flight = flight(request);
        flight.intendedNanos = intended;
        flight.sentNanos = sent;
        counters.requestSent();
    }

    /// Called by the load generator for a request that will never be sent: it ends as cancelled.
    void notSent(Request request, long nanos, String reason) {
        counters.requestNotSent();
        forget(request.id());
        whenEnded.accept(new RequestOutcome(request.id(), warmUp, request.promptTokens().length, request.outputTokens(),
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, RequestOutcome.ABSENT, RequestOutcome.ABSENT, nanos,
                RequestStatus.CANCELLED, reason, NO_TOKENS));
    }

    @Override
    public void admitted(RequestId id, long nanos) {
        Flight flight = find(id);
        if (flight != null) {
            flight.admittedNanos = nanos;
        }
    }

    @Override
    public void prefillStarted(RequestId id, long nanos) {
        Flight flight = find(id);
        if (flight != null) {
            flight.prefillStartNanos = nanos;
        }
    }

    @Override
    public void tokens(RequestId id, long nanos, int[] tokens) {
        Flight flight = find(id);
        if (flight == null) {
            return;
        }
        int before = flight.tokens;
        if (before + tokens.length > flight.tokenNanos.length) {
            // More than was asked: kept, so that the verdict can see it.
            flight.tokenNanos = Arrays.copyOf(flight.tokenNanos, before + tokens.length);
        }
        Arrays.fill(flight.tokenNanos, before, before + tokens.length, nanos);
        flight.tokens = before + tokens.length;
        if (before == 0) {
            counters.firstToken(nanos - flight.intendedNanos, flight.asked.promptTokens().length);
        } else if (flight.counted == null || flight.counted.source() != TokenSource.PROFILE) {
            counters.gap(nanos - flight.tokenNanos[before - 1]);
        }
        tell(flight, flight.tokens);
    }

    @Override
    public void counted(RequestId id, TokenCounts counted) {
        Flight flight = find(id);
        if (flight != null) {
            flight.counted = counted;
            tell(flight, counted.outputTokens());
        }
    }

    /// Tokens that came without an instant of their own are told to the live picture when they are counted.
    private void tell(Flight flight, int outputTokens) {
        if (outputTokens > flight.toldTokens) {
            counters.tokens(outputTokens - flight.toldTokens);
            flight.toldTokens = outputTokens;
        }
    }

    @Override
    public void ended(RequestId id, long nanos, RequestStatus status, String reason) {
        Flight flight = find(id);
        if (flight == null) {
            return;
        }
        forget(id);
        counters.requestEnded();
        Request asked = flight.asked;
        TokenCounts counted = flight.counted;
        // A target that only knows cancelling cannot say why it was told to.
        RequestDeadlines.Cause cause = status == RequestStatus.CANCELLED ? asked.patience().cause(nanos - flight.sentNanos)
                : RequestDeadlines.Cause.NONE;
        whenEnded.accept(new RequestOutcome(id, warmUp,
                counted == null ? asked.promptTokens().length : counted.promptTokens(), asked.outputTokens(),
                flight.intendedNanos, flight.sentNanos, flight.admittedNanos, flight.prefillStartNanos, nanos,
                cause == RequestDeadlines.Cause.TIMEOUT ? RequestStatus.TIMED_OUT : status,
                reason(cause, asked.patience(), reason),
                flight.tokens == flight.tokenNanos.length ? flight.tokenNanos
                        : Arrays.copyOf(flight.tokenNanos, flight.tokens),
                counted == null ? flight.tokens : counted.outputTokens(),
                counted == null ? TokenSource.ENGINE : counted.source()));
    }

    private static String reason(RequestDeadlines.Cause cause, RequestDeadlines patience, String otherwise) {
        return switch (cause) {
            case NONE -> otherwise;
            case TIMEOUT -> "Not ended within its timeout of " + QuantityText.latency(patience.timeoutNanos()) + ".";
            case ON_PURPOSE ->
                RequestDeadlines.ON_PURPOSE + " after " + QuantityText.latency(patience.cancelAfterNanos()) + ", as drawn.";
        };
    }

    /// The flight of a request, made where there is none yet; on the generator's thread.
    private Flight flight(Request request) {
        int index = request.id().index() - firstId;
        int chunk = index / CHUNK;
        if (chunk >= flights.length) {
            @Nullable Flight[][] grown = Arrays.copyOf(flights, Math.max(chunk + 1, 2 * flights.length));
            for (int i = flights.length; i < grown.length; i++) {
                grown[i] = new Flight[CHUNK];
            }
            flights = grown;
        }
        Flight known = flights[chunk][index % CHUNK];
        Flight flight = known == null ? new Flight(request) : known;
        flights[chunk][index % CHUNK] = flight;
        return flight;
    }

    /// The flight of a request; null where it ended before or was never sent.
    private @Nullable Flight find(RequestId id) {
        int index = id.index() - firstId;
        @Nullable Flight[][] known = flights;
        return index < 0 || index / CHUNK >= known.length ? null : known[index / CHUNK][index % CHUNK];
    }

    private void forget(RequestId id) {
        int index = id.index() - firstId;
        flights[index / CHUNK][index % CHUNK] = null;
    }
}
