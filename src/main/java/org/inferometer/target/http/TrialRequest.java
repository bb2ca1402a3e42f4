package org.inferometer.target.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.target.TargetListener;
import org.inferometer.units.Clock;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.jspecify.annotations.Nullable;

/// One short request to a server, and what its events show.
final class TrialRequest implements RequestListener, TargetListener {
    private static final int PROMPT_TOKENS = 16;
    private static final int OUTPUT_TOKENS = 8;
    private static final int LEAST_CHUNKS = 4;

    private final Clock clock;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Long> instants = new ArrayList<>(); // under this object's monitor
    private final List<String> messages = new ArrayList<>(); // under this object's monitor
    private int tokens;
    private @Nullable TokenCounts counts;
    private RequestStatus status = RequestStatus.FAILED;
    private String reason = "";
    private long endNanos;

    TrialRequest(Clock clock) {
        this.clock = clock;
    }

    /// Sends the request and waits for its end.
    ///
    /// @return whether it succeeded, whether it streams, whether the server counts tokens
    List<ProbeCheck> send(Target target, long timeoutSeconds) throws InterruptedException {
        int[] prompt = new int[PROMPT_TOKENS];
        for (int i = 0; i < prompt.length; i++) {
            prompt[i] = i + 1;
        }
        long begun = clock.nanos();
        target.send(new Request(new RequestId(0), prompt, OUTPUT_TOKENS, new Arrival.WhenFree(0), Sampling.GREEDY));
        if (!ended.await(timeoutSeconds, TimeUnit.SECONDS)) {
            return List.of(ProbeCheck.failed("request", "No complete answer within " + timeoutSeconds + " s."));
        }
        return found(begun);
    }

    private synchronized List<ProbeCheck> found(long begun) {
        List<ProbeCheck> checks = new ArrayList<>();
        if (status != RequestStatus.OK) {
            checks.add(ProbeCheck.failed("request", reason));
            return checks;
        }
        checks.add(ProbeCheck.passed("request", tokens + " tokens in " + latency(endNanos - begun)
                + (instants.isEmpty() ? "" : ", the first after " + latency(instants.getFirst() - begun)) + "."));
        long distinct = instants.stream().distinct().count();
        checks.add(streaming(instants.size(), distinct));
        TokenCounts last = counts;
        checks.add(last == null || last.source() == TokenSource.CHUNKS
                ? ProbeCheck.absent("token counts", "The server counts no tokens: runs have neither TPOT nor ITL.")
                : ProbeCheck.passed("token counts", last.promptTokens() + " prompt tokens of " + PROMPT_TOKENS + ", "
                        + last.outputTokens() + " output tokens of " + OUTPUT_TOKENS + "."));
        messages.forEach(each -> checks.add(ProbeCheck.absent("note", each)));
        return checks;
    }

    /// Chunks that come together were held back on their way: a server writes each when it has it.
    static ProbeCheck streaming(int chunks, long instants) {
        String seen = chunks + " chunks at " + instants + (instants == 1 ? " instant" : " instants");
        if (chunks < LEAST_CHUNKS) {
            return ProbeCheck.absent("streaming", seen + ": too few to tell whether the server streams.");
        }
        return 2 * instants > chunks ? ProbeCheck.passed("streaming", seen + ".") : ProbeCheck.failed("streaming", seen
                + ": something between buffers, and runs have no ITL. Ask the server without its proxy, or turn buffering off.");
    }

    private static String latency(long nanos) {
        return QuantityText.latency(nanos);
    }

    @Override
    public void admitted(RequestId request, long nanos) {}

    @Override
    public void prefillStarted(RequestId request, long nanos) {}

    @Override
    public synchronized void tokens(RequestId request, long nanos, int[] arrived) {
        instants.add(nanos);
        tokens += arrived.length;
    }

    @Override
    public synchronized void counted(RequestId request, TokenCounts counted) {
        counts = counted;
    }

    @Override
    public synchronized void ended(RequestId request, long nanos, RequestStatus with, String why) {
        status = with;
        reason = why;
        endNanos = nanos;
        ended.countDown();
    }

    @Override
    public void gauge(long nanos, String name, double value) {}

    @Override
    public void memoryPeak(long nanos, boolean ofHost, double bytes) {}

    @Override
    public synchronized void message(long nanos, String sentence) {
        messages.add(sentence);
    }
}
