package org.inferometer.serving;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.target.RequestListener;
import org.inferometer.workload.RequestId;

/// Writes down everything an engine tells its listeners, and finds at once what may never be told.
public final class EventJournal implements RequestListener, EngineListener {
    public final List<String> faults = new ArrayList<>();
    public final Map<Integer, List<Integer>> tokens = new TreeMap<>();
    public final Map<Integer, RequestStatus> ends = new TreeMap<>();
    public final Map<Integer, String> reasons = new TreeMap<>();
    public final Map<Integer, Long> endNanos = new LinkedHashMap<>();
    public final Map<Integer, Long> admittedNanos = new LinkedHashMap<>();
    public final List<StepReport> steps = new ArrayList<>();
    public final List<String> preemptions = new ArrayList<>();
    public final List<String> moves = new ArrayList<>();
    public final List<String> admissions = new ArrayList<>();
    public final List<String> failures = new ArrayList<>();

    @Override
    public void admitted(RequestId request, long nanos) {
        mustBeAlive(request, "admitted");
        if (admittedNanos.put(request.index(), nanos) != null) {
            faults.add(request + " admitted twice");
        }
    }

    @Override
    public void prefillStarted(RequestId request, long nanos) {
        mustBeAlive(request, "prefillStarted");
        if (!admittedNanos.containsKey(request.index())
                || tokens.putIfAbsent(request.index(), new ArrayList<>()) != null) {
            faults.add(request + " started its prefill twice or unadmitted");
        }
    }

    @Override
    public void tokens(RequestId request, long nanos, int[] ids) {
        mustBeAlive(request, "tokens");
        List<Integer> known = tokens.get(request.index());
        if (known == null) {
            faults.add(request + " got tokens before its prefill");
            return;
        }
        for (int id : ids) {
            known.add(id);
        }
    }

    @Override
    public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
        mustBeAlive(request, "ended");
        ends.put(request.index(), status);
        endNanos.put(request.index(), nanos);
        reasons.put(request.index(), reason);
    }

    @Override
    public void stepEnded(StepReport step) {
        steps.add(step);
    }

    @Override
    public void admitted(RequestId request, LaneId lane, long nanos, boolean again, int cachedPositions) {
        mustBeAlive(request, "admitted to a lane");
        if (!admittedNanos.containsKey(request.index())) {
            faults.add(request + " was let in before it was told so");
        }
        admissions.add(request + (again ? " again" : "") + " by lane " + lane.index() + " at " + nanos + " with "
                + cachedPositions + " cached");
    }

    @Override
    public void transferred(RequestId request, PoolId from, PoolId to, int positions, long bytes, long startNanos,
            long endNanos) {
        mustBeAlive(request, "moved");
        moves.add(request + " from pool " + from.index() + " to pool " + to.index() + ": " + positions + " positions, "
                + bytes + " bytes, " + startNanos + " to " + endNanos);
    }

    @Override
    public void preempted(RequestId request, long nanos, int lostPositions) {
        mustBeAlive(request, "preempted");
        preemptions.add(request + " lost " + lostPositions);
    }

    @Override
    public void engineFailed(long nanos, String sentence) {
        failures.add(sentence);
    }

    /// The decisions in order, as text: equal logs mean equal runs.
    public List<String> decisionLog() {
        return steps.stream().map(step -> step.number() + " lane " + step.lane().index() + " at " + step.startNanos()
                + ": " + step.reason() + " (" + step.slices() + ", " + step.prefillPositions() + "+" + step.decodeRows()
                + "+" + step.paddingRows() + " positions, " + step.movedBytes() + " bytes, " + step.running()
                + " running, " + step.waiting() + " waiting, " + step.kvBlocksHeld() + " blocks)").toList();
    }

    /// All that was written down, in order.
    public List<Object> everything() {
        return List.of(decisionLog(), List.copyOf(endNanos.entrySet()), reasons, tokens, admissions, preemptions, moves,
                failures);
    }

    private void mustBeAlive(RequestId request, String what) {
        if (ends.containsKey(request.index())) {
            faults.add(request + " " + what + " after its end");
        }
    }
}
