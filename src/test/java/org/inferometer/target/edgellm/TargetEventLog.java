package org.inferometer.target.edgellm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.TargetListener;
import org.inferometer.workload.RequestId;

/// Writes down what the target tells.
final class TargetEventLog implements RequestListener, TargetListener {
    final Map<Integer, List<Long>> instants = new TreeMap<>();
    final Map<Integer, TokenCounts> counts = new TreeMap<>();
    final Map<Integer, RequestStatus> ends = new TreeMap<>();
    final Map<Integer, String> reasons = new TreeMap<>();
    final List<String> memoryPeaks = new ArrayList<>();
    final List<String> said = new ArrayList<>();
    private final CountDownLatch left;

    TargetEventLog(int requests) {
        left = new CountDownLatch(requests);
    }

    /// Waits until all requests have ended, and gives it back, to be read.
    TargetEventLog complete() throws InterruptedException {
        assertThat(left.await(15, SECONDS)).as("requests that ended: " + ends).isTrue();
        return this;
    }

    private synchronized void at(RequestId request, long nanos) {
        assertThat(ends).doesNotContainKey(request.index());
        instants.computeIfAbsent(request.index(), key -> new ArrayList<>()).add(nanos);
    }

    @Override
    public void admitted(RequestId request, long nanos) {
        at(request, nanos);
    }

    @Override
    public void prefillStarted(RequestId request, long nanos) {
        at(request, nanos);
    }

    @Override
    public void tokens(RequestId request, long nanos, int[] tokens) {
        assertThat(tokens).hasSize(1);
        at(request, nanos);
    }

    @Override
    public synchronized void counted(RequestId request, TokenCounts counted) {
        counts.put(request.index(), counted);
    }

    @Override
    public synchronized void ended(RequestId request, long nanos, RequestStatus status, String reason) {
        assertThat(ends.put(request.index(), status)).isNull();
        reasons.put(request.index(), reason);
        left.countDown();
    }

    @Override
    public synchronized void gauge(long nanos, String name, double value) {
        throw new AssertionError("a tool has no gauges");
    }

    @Override
    public synchronized void memoryPeak(long nanos, boolean ofHost, double bytes) {
        memoryPeaks.add((ofHost ? "host " : "GPU ") + (long) bytes);
    }

    @Override
    public synchronized void message(long nanos, String sentence) {
        said.add(sentence);
    }
}
