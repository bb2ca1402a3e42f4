package org.inferometer.target.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.inferometer.record.RequestStatus;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.TargetListener;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Writes down what a target tells, and finds fault with what a listener was promised not to hear.
final class RecordingListener implements RequestListener, TargetListener {
    final List<String> said = new CopyOnWriteArrayList<>();
    final Set<Integer> departed = ConcurrentHashMap.newKeySet();
    final List<String> prompts = new CopyOnWriteArrayList<>();
    final StringBuffer answer = new StringBuffer();
    final List<String> times = new CopyOnWriteArrayList<>();
    final List<String> cached = new CopyOnWriteArrayList<>();
    final List<String> unusable = new CopyOnWriteArrayList<>();
    final List<String> contradictions = new CopyOnWriteArrayList<>();
    final Map<Integer, String> variants = new ConcurrentHashMap<>();
    final List<Double> readings = new CopyOnWriteArrayList<>();
    final List<String> histograms = new CopyOnWriteArrayList<>();
    final Map<String, Double> gauges = new ConcurrentHashMap<>();
    final CountDownLatch firstGauge = new CountDownLatch(1);
    private final CountDownLatch ends;
    private final Map<Integer, List<Integer>> arrivals = new TreeMap<>();
    private final Map<Integer, List<Long>> instants = new TreeMap<>();
    private final Map<Integer, TokenCounts> counts = new TreeMap<>();
    private final Map<Integer, End> ended = new TreeMap<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final List<String> faults = new ArrayList<>();
    private final Map<Integer, Runnable> atFirstTokens = new ConcurrentHashMap<>();

    @Override
    public void departed(RequestId request, long nanos) {
        departed.add(request.index());
    }

    @Override
    public void prompt(RequestId request, String text) {
        prompts.add(text);
    }

    @Override
    public void text(RequestId request, String part) {
        answer.append(part);
    }

    /// How a request ended.
    record End(RequestStatus status, String reason) {}

    RecordingListener(int expectedEnds) {
        ends = new CountDownLatch(expectedEnds);
    }

    /// Runs something on the target's thread when the first tokens of a request come; said before it is sent.
    void atFirstTokens(int request, Runnable action) {
        atFirstTokens.put(request, action);
    }

    void await() throws InterruptedException {
        assertThat(ends.await(15, SECONDS)).as("all requests end; so far " + ended).isTrue();
        assertThat(faults).isEmpty();
        assertThat(threads).hasSizeLessThanOrEqualTo(1);
    }

    /// Returns once a request has ended.
    synchronized void await(int request) throws InterruptedException {
        while (!ended.containsKey(request)) {
            wait();
        }
    }

    /// Tokens of each arrival of a request, in order.
    synchronized List<Integer> arrivals(int request) {
        return List.copyOf(arrivals.getOrDefault(request, List.of()));
    }

    synchronized List<Long> instants(int request) {
        return List.copyOf(instants.getOrDefault(request, List.of()));
    }

    synchronized @Nullable TokenCounts counts(int request) {
        return counts.get(request);
    }

    synchronized @Nullable End end(int request) {
        return ended.get(request);
    }

    synchronized Map<Integer, End> ends() {
        return Map.copyOf(ended);
    }

    @Override
    public void unusable(long nanos, String sentence) {
        unusable.add(sentence);
    }

    @Override
    public synchronized void admitted(RequestId request, long nanos) {
        faults.add("a server cannot say when a request was admitted");
    }

    @Override
    public synchronized void prefillStarted(RequestId request, long nanos) {
        faults.add("a server cannot say when a prefill started");
    }

    @Override
    public synchronized void tokens(RequestId request, long nanos, int[] tokens) {
        called(request);
        arrivals.computeIfAbsent(request.index(), key -> new ArrayList<>()).add(tokens.length);
        instants.computeIfAbsent(request.index(), key -> new ArrayList<>()).add(nanos);
        Runnable action = atFirstTokens.remove(request.index());
        if (action != null) {
            action.run();
        }
    }

    @Override
    public synchronized void counted(RequestId request, TokenCounts counted) {
        called(request);
        counts.put(request.index(), counted);
    }

    @Override
    public synchronized void ended(RequestId request, long nanos, RequestStatus status, String reason) {
        called(request);
        ended.put(request.index(), new End(status, reason));
        ends.countDown();
        notifyAll();
    }

    @Override
    public void gauge(long nanos, String name, double value) {
        gauges.put(name, value);
        readings.add(value);
        firstGauge.countDown();
    }

    @Override
    public void histogram(long nanos, String name, boolean first, SortedMap<Double, Long> added) {
        histograms.add(name + (first ? " all " : " more ") + added);
    }

    @Override
    public void variant(RequestId request, long nanos, String variant) {
        variants.put(request.index(), variant);
    }

    @Override
    public void memoryPeak(long nanos, boolean ofHost, double bytes) {
        faults.add("a server reports no peak of its memory");
    }

    @Override
    public synchronized void countsContradicted(RequestId request, long nanos, int countedTokens, int seenTokens) {
        called(request);
        contradictions.add(request.index() + ": " + countedTokens + " of " + seenTokens);
    }

    @Override
    public synchronized void reportedTimes(RequestId request, long nanos, long prefillNanos, long decodeNanos) {
        called(request);
        times.add(request.index() + ": " + prefillNanos + " " + decodeNanos);
    }

    @Override
    public synchronized void cachedPrompt(RequestId request, long nanos, int cachedTokens) {
        called(request);
        cached.add(request.index() + ": " + cachedTokens);
    }

    @Override
    public void message(long nanos, String sentence) {
        said.add(sentence);
    }

    private void called(RequestId request) {
        threads.add(Thread.currentThread());
        if (ended.containsKey(request.index())) {
            faults.add("request " + request + " was told of after its end");
        }
    }
}
