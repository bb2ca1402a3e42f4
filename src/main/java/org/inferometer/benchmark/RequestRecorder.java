package org.inferometer.benchmark;

import java.util.Arrays;
import java.util.function.Consumer;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.serving.RequestListener;
import org.inferometer.serving.RequestStatus;
import org.inferometer.serving.TokenCounts;
import org.inferometer.serving.TokenSource;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Keeps the instants of a phase's requests while they happen, in arrays taken before the phase starts.
///
/// The load generator writes `intended` and `sent` before the target can answer; everything else comes on the target's thread.
/// A request that ended is handed on whole.
final class RequestRecorder implements RequestListener {
    private final boolean warmUp;
    private final int firstId;
    private final Request[] requests;
    private final long[] intendedNanos;
    private final long[] sentNanos;
    private final long[] admittedNanos;
    private final long[] prefillStartNanos;
    private final long[][] tokenNanos;
    private final int[] tokenCounts;
    private final @Nullable TokenCounts[] counts;
    private final LiveCounters counters;
    private final Consumer<RequestOutcome> whenEnded;

    RequestRecorder(RunPhase phase, LiveCounters counters, Consumer<RequestOutcome> whenEnded) {
        this.warmUp = phase.phase() == Phase.WARM_UP;
        this.requests = phase.requests().toArray(Request[]::new);
        this.firstId = requests.length == 0 ? 0 : requests[0].id().index();
        this.intendedNanos = absent(requests.length);
        this.sentNanos = absent(requests.length);
        this.admittedNanos = absent(requests.length);
        this.prefillStartNanos = absent(requests.length);
        this.tokenNanos = new long[requests.length][];
        for (int i = 0; i < requests.length; i++) {
            tokenNanos[i] = new long[requests[i].outputTokens()];
        }
        this.tokenCounts = new int[requests.length];
        this.counts = new TokenCounts[requests.length];
        this.counters = counters;
        this.whenEnded = whenEnded;
    }

    /// Called by the load generator just before it hands the request over.
    void sending(RequestId id, long intended, long sent) {
        intendedNanos[index(id)] = intended;
        sentNanos[index(id)] = sent;
    }

    @Override
    public void admitted(RequestId id, long nanos) {
        admittedNanos[index(id)] = nanos;
    }

    @Override
    public void prefillStarted(RequestId id, long nanos) {
        prefillStartNanos[index(id)] = nanos;
    }

    @Override
    public void tokens(RequestId id, long nanos, int[] tokens) {
        int request = index(id);
        int before = tokenCounts[request];
        if (before + tokens.length > tokenNanos[request].length) {
            // More than was asked: kept, so that the verdict can see it.
            tokenNanos[request] = Arrays.copyOf(tokenNanos[request], before + tokens.length);
        }
        Arrays.fill(tokenNanos[request], before, before + tokens.length, nanos);
        tokenCounts[request] = before + tokens.length;
        if (before == 0) {
            counters.firstToken(nanos - intendedNanos[request], requests[request].promptTokens().length);
        } else {
            counters.gap(nanos - tokenNanos[request][before - 1]);
        }
        counters.tokens(tokens.length);
    }

    @Override
    public void counted(RequestId id, TokenCounts counted) {
        counts[index(id)] = counted;
    }

    @Override
    public void ended(RequestId id, long nanos, RequestStatus status, String reason) {
        int request = index(id);
        Request asked = requests[request];
        TokenCounts counted = counts[request];
        counters.requestEnded();
        whenEnded.accept(new RequestOutcome(
                id,
                warmUp,
                counted == null ? asked.promptTokens().length : counted.promptTokens(),
                asked.outputTokens(),
                intendedNanos[request],
                sentNanos[request],
                admittedNanos[request],
                prefillStartNanos[request],
                nanos,
                status,
                reason,
                Arrays.copyOf(tokenNanos[request], tokenCounts[request]),
                counted == null ? tokenCounts[request] : counted.outputTokens(),
                counted == null ? TokenSource.ENGINE : counted.source()));
    }

    private int index(RequestId id) {
        return id.index() - firstId;
    }

    private static long[] absent(int length) {
        long[] instants = new long[length];
        Arrays.fill(instants, RequestOutcome.ABSENT);
        return instants;
    }
}
