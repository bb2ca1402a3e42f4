package org.inferometer.load;

import java.util.SortedMap;
import java.util.function.Consumer;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.serving.EngineListener;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.TargetListener;
import org.inferometer.workload.RequestId;

/// Passes target events to the recorder of the current phase and engine events to the record.
///
/// The phase changes only while nothing is in flight.
public final class PhaseListeners implements RequestListener, EngineListener, TargetListener {
    private final RecordWriter writer;
    private final Consumer<String> onFailure;
    private volatile ActiveListeners current;

    private record ActiveListeners(RequestRecorder recorder, LiveCounters counters, LoadGenerator generator) {}

    public PhaseListeners(RecordWriter writer, RequestRecorder recorder, LiveCounters counters, LoadGenerator generator,
            Consumer<String> onFailure) {
        this.writer = writer;
        this.onFailure = onFailure;
        this.current = new ActiveListeners(recorder, counters, generator);
    }

    public void enter(RequestRecorder recorder, LiveCounters counters, LoadGenerator generator) {
        current = new ActiveListeners(recorder, counters, generator);
    }

    @Override
    public void departed(RequestId request, long nanos) {
        current.recorder.departed(request, nanos);
    }

    @Override
    public void admitted(RequestId request, long nanos) {
        current.recorder.admitted(request, nanos);
    }

    @Override
    public void prefillStarted(RequestId request, long nanos) {
        current.recorder.prefillStarted(request, nanos);
    }

    @Override
    public void tokens(RequestId request, long nanos, int[] tokens) {
        current.recorder.tokens(request, nanos, tokens);
    }

    @Override
    public void tokens(RequestId request, long nanos, int[] tokens, int answer) {
        current.recorder.tokens(request, nanos, tokens, answer);
    }

    @Override
    public void prompt(RequestId request, String text) {
        current.recorder.prompt(request, text);
    }

    @Override
    public void text(RequestId request, String part) {
        current.recorder.text(request, part);
    }

    @Override
    public void counted(RequestId request, TokenCounts counts) {
        current.recorder.counted(request, counts);
    }

    @Override
    public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
        current.recorder.ended(request, nanos, status, reason);
        current.generator.requestEnded(request, nanos, status);
    }

    @Override
    public void stepEnded(StepReport step) {
        current.counters.queues(step.running(), step.waiting());
        writer.accept(step);
    }

    @Override
    public void admitted(RequestId request, LaneId lane, long nanos, boolean again, int cachedPositions) {
        writer.accept(new RunEvent.Admitted(nanos, request, lane, again, cachedPositions));
    }

    @Override
    public void transferred(RequestId request, PoolId from, PoolId to, int positions, long bytes, long startNanos,
            long endNanos) {
        writer.accept(new RunEvent.KvTransferred(endNanos, request, from, to, positions, bytes, endNanos - startNanos));
    }

    @Override
    public void preempted(RequestId request, long nanos, int lostPositions) {
        writer.accept(new RunEvent.Preempted(nanos, request, lostPositions));
    }

    @Override
    public void gauge(long nanos, String name, double value) {
        writer.accept(new RunEvent.Gauge(nanos, name, value));
    }

    @Override
    public void histogram(long nanos, String name, boolean first, SortedMap<Double, Long> added) {
        writer.accept(new RunEvent.HistogramGrew(nanos, name, first, added));
    }

    @Override
    public void variant(RequestId request, long nanos, String variant) {
        writer.accept(new RunEvent.RequestVariant(nanos, request, variant));
    }

    @Override
    public void memoryPeak(long nanos, boolean ofHost, double bytes) {
        writer.accept(new RunEvent.MemoryPeak(nanos, ofHost, bytes));
    }

    @Override
    public void countsContradicted(RequestId request, long nanos, int countedTokens, int seenTokens) {
        writer.accept(new RunEvent.TokenCountsContradicted(nanos, request, countedTokens, seenTokens));
    }

    @Override
    public void reportedTimes(RequestId request, long nanos, long prefillNanos, long decodeNanos) {
        writer.accept(new RunEvent.ReportedTimes(nanos, request, prefillNanos, decodeNanos));
    }

    @Override
    public void cachedPrompt(RequestId request, long nanos, int cachedTokens) {
        writer.accept(new RunEvent.CachedPrompt(nanos, request, cachedTokens));
    }

    @Override
    public void message(long nanos, String sentence) {
        writer.accept(new RunEvent.TargetMessage(nanos, sentence));
    }

    @Override
    public void unusable(long nanos, String sentence) {
        writer.accept(new RunEvent.TargetMessage(nanos, sentence));
        onFailure.accept(sentence);
    }

    @Override
    public void engineFailed(long nanos, String sentence) {
        writer.accept(new RunEvent.EngineFailed(nanos, sentence));
        onFailure.accept(sentence);
    }
}
