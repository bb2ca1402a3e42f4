package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.Phase;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.report.timeline.RunTimelineCounter.MachineCounters;
import org.inferometer.report.timeline.RunTimelineRequest.RunTimelineRequests;
import org.inferometer.scheduling.Lane;
import org.inferometer.units.BinarySearch;

/// A run over time: phases, steps of each lane, states of each request, counters and events.
///
/// All instants are nanoseconds since the run's anchor. Immutable; a million steps take about a second. Keeps its record.
public final class RunTimeline {
    private static final int STEP_KINDS = RunTimelineStep.Kind.values().length;

    private final RunRecord run;
    private final List<StepReport> steps;
    private final List<LaneRow> lanes;
    private final Map<Integer, LaneRow> laneByIndex = new HashMap<>();
    private final RunTimelineTrack phases;
    private final List<String> phaseNames = new ArrayList<>();
    private final List<RunTimelineTrack> requestRows;
    private final List<RunTimelineRequest> requests;
    private final Map<Integer, Integer> itemOfRequest = new HashMap<>();
    private final RequestColumns outcomes; // in order of their numbers
    private final List<RunTimelineCounter> counters;
    private final RunTimelineMemory memory;
    private final RunTimelineEvents events;
    private final long startNanos;
    private final long endNanos;
    private final long originNanos;

    /// Receives the progress, on the calling thread; may throw to cancel.
    @FunctionalInterface
    public interface ProgressListener {
        /// @param share 0 to 1
        void at(double share);
    }

    /// The steps of one lane; the items of its track are steps, its kinds those of [RunTimelineStep.Kind].
    ///
    /// @param index the lane's number
    /// @param label "lane 0", "lane 2, transfer"
    public record LaneRow(int index, String label, RunTimelineTrack track) {}

    /// The timeline of a run.
    public static RunTimeline of(RunRecord run, ProgressListener progress) {
        return new RunTimeline(run, progress);
    }

    private RunTimeline(RunRecord run, ProgressListener progress) {
        this.run = run;
        this.steps = run.observations().steps();
        progress.at(0);
        Map<Integer, int[]> stepsByLane = stepsByLane();
        progress.at(0.2);
        lanes = stepsByLane.entrySet().stream().map(lane -> laneRow(lane.getKey(), lane.getValue())).toList();
        lanes.forEach(lane -> laneByIndex.put(lane.index(), lane));
        progress.at(0.4);
        RunTimelineRequests packed = new RunTimelineRequests(run.observations().requests(), run.events(),
                share -> progress.at(0.4 + 0.3 * share));
        requests = packed.requests();
        requestRows = packed.rows();
        for (int item = 0; item < requests.size(); item++) {
            itemOfRequest.put(requests.get(item).request(), item);
        }
        outcomes = run.observations().requests().byNumber();
        progress.at(0.7);
        counters = counters(stepsByLane);
        // The memory of a client tells nothing about the server.
        memory = new RunTimelineMemory(
                run.observations().setup().computesHere() ? run.observations().telemetry() : List.of());
        progress.at(0.9);
        events = RunTimelineEvents.of(run);
        long[] ends = extent();
        startNanos = ends[0];
        endNanos = ends[1];
        phases = phaseTrack();
        originNanos =
                RunWindow.of(run.observations().requests()).map(RunWindow::startNanos).orElseGet(this::measuringBegan);
        progress.at(1);
    }

    private Map<Integer, int[]> stepsByLane() {
        Map<Integer, IntStream.Builder> collected = new TreeMap<>();
        plannedLanes().forEach(lane -> collected.put(lane.id().index(), IntStream.builder()));
        for (int i = 0; i < steps.size(); i++) {
            collected.computeIfAbsent(steps.get(i).lane().index(), lane -> IntStream.builder()).add(i);
        }
        Map<Integer, int[]> sorted = new TreeMap<>();
        collected.forEach((lane, indices) -> sorted.put(lane, byStart(indices.build().toArray())));
        return sorted;
    }

    private int[] byStart(int[] indices) {
        for (int i = 1; i < indices.length; i++) {
            if (steps.get(indices[i]).startNanos() < steps.get(indices[i - 1]).startNanos()) {
                return Arrays.stream(indices).boxed()
                        .sorted(Comparator.comparingLong(step -> steps.get(step).startNanos()))
                        .mapToInt(Integer::intValue).toArray();
            }
        }
        return indices;
    }

    private LaneRow laneRow(int lane, int[] sorted) {
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(STEP_KINDS);
        for (int index : sorted) {
            StepReport step = steps.get(index);
            track.add(step.startNanos(), step.endNanos(), kind(step).ordinal(), index,
                    RunTimelineStep.paddingShare(step));
        }
        String role = lane(lane).map(known -> switch (known.role()) {
            case ANY -> "";
            case PREFILL, DECODE, TRANSFER -> ", " + known.role().name().toLowerCase(Locale.ROOT);
        }).orElse("");
        return new LaneRow(lane, "lane " + lane + role, track.build());
    }

    private List<Lane> plannedLanes() {
        return switch (run.manifest().plan().subject()) {
            case PlannedEngine engine -> engine.layout().lanes();
            case PlannedTarget target -> List.of();
        };
    }

    private Optional<Lane> lane(int index) {
        List<Lane> known = plannedLanes();
        return index >= 0 && index < known.size() ? Optional.of(known.get(index)) : Optional.empty();
    }

    private RunTimelineStep.Kind kind(StepReport step) {
        boolean copies = step.movedBytes() > 0
                || lane(step.lane().index()).filter(lane -> lane.role() == Lane.Role.TRANSFER).isPresent();
        if (copies) {
            return RunTimelineStep.Kind.TRANSFER;
        }
        if (step.prefillPositions() == 0) {
            return RunTimelineStep.Kind.DECODE;
        }
        return step.decodeRows() == 0 ? RunTimelineStep.Kind.PREFILL : RunTimelineStep.Kind.MIXED;
    }

    private List<RunTimelineCounter> counters(Map<Integer, int[]> stepsByLane) {
        int[] all = byStart(IntStream.range(0, steps.size()).toArray());
        List<RunTimelineCounter> made = new ArrayList<>();
        if (steps.isEmpty()) {
            made.addAll(MachineCounters.gauges(run.events()));
            made.addAll(MachineCounters.of(run.observations()));
            return List.copyOf(made);
        }
        made.add(counter("running", 0, all, StepReport::running));
        made.add(counter("waiting", 0, all, StepReport::waiting));
        Map<Integer, List<Integer>> lanesOfPool = new TreeMap<>();
        stepsByLane.keySet()
                .forEach(lane -> lanesOfPool.computeIfAbsent(pool(lane), pool -> new ArrayList<>()).add(lane));
        lanesOfPool.forEach((pool, members) -> {
            int[] mine = Arrays.stream(all).filter(step -> members.contains(steps.get(step).lane().index())).toArray();
            String name = lanesOfPool.size() == 1 ? "KV blocks" : "KV blocks, pool " + pool;
            made.add(counter(name, poolBlocks(pool).orElse(0), mine, StepReport::kvBlocksHeld));
        });
        made.addAll(MachineCounters.of(run.observations()));
        return List.copyOf(made);
    }

    private RunTimelineCounter counter(String name, int capacity, int[] sorted, ToIntFunction<StepReport> value) {
        long[] instants = Arrays.stream(sorted).mapToLong(step -> steps.get(step).startNanos()).toArray();
        double[] values = Arrays.stream(sorted).mapToDouble(step -> value.applyAsInt(steps.get(step))).toArray();
        long end = Arrays.stream(sorted).mapToLong(step -> steps.get(step).endNanos()).max().orElse(Long.MIN_VALUE);
        return new RunTimelineCounter(RunTimelineCounter.CounterKind.count(name, capacity), instants, values, end);
    }

    private int pool(int lane) {
        return lane(lane).map(known -> known.pool().index()).orElse(0);
    }

    private OptionalInt poolBlocks(int pool) {
        RunManifest.Pools pools = run.manifest().system().pools();
        return pool >= 0 && pool < pools.blocks().size() && pools.blocks().get(pool) > 0
                ? OptionalInt.of(pools.blocks().get(pool)) : OptionalInt.empty();
    }

    private long[] extent() {
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (RunTimelineTrack track : tracks()) {
            if (track.size() > 0) {
                start = Math.min(start, track.start(0));
                end = Math.max(end, track.end(track.size() - 1));
            }
        }
        if (!events.all().isEmpty()) {
            start = Math.min(start, events.all().getFirst().nanos());
            end = Math.max(end, events.all().getLast().nanos());
        }
        return start > end ? new long[]{0, 1} : new long[]{start, Math.max(end, start + 1)};
    }

    private List<RunTimelineTrack> tracks() {
        List<RunTimelineTrack> tracks = new ArrayList<>(requestRows);
        lanes.forEach(lane -> tracks.add(lane.track()));
        return tracks;
    }

    /// The origin if nothing was measured.
    private long measuringBegan() {
        int measure = phaseNames.indexOf(Phase.MEASURE.label());
        return measure < 0 ? startNanos : phases.start(measure);
    }

    private RunTimelineTrack phaseTrack() {
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(1);
        List<RunEvent.PhaseStarted> begun = run.events().stream().filter(RunEvent.PhaseStarted.class::isInstance)
                .map(RunEvent.PhaseStarted.class::cast).sorted(Comparator.comparingLong(RunEvent::nanos)).toList();
        for (int i = 0; i < begun.size(); i++) {
            long end = i + 1 < begun.size() ? begun.get(i + 1).nanos() : endNanos;
            track.add(begun.get(i).nanos(), end, 0, i, 0);
            phaseNames.add(begun.get(i).phase().label());
        }
        return track.build();
    }

    /// The record.
    public RunRecord run() {
        return run;
    }

    /// The earliest instant that is shown.
    public long startNanos() {
        return startNanos;
    }

    /// The latest instant that is shown; after the start.
    public long endNanos() {
        return endNanos;
    }

    /// When measuring began, the zero of displayed times; the start if not recorded.
    public long originNanos() {
        return originNanos;
    }

    /// The phases; an item is an index for [#phaseName].
    public RunTimelineTrack phases() {
        return phases;
    }

    /// The name of a phase: "warm-up".
    public String phaseName(int item) {
        return phaseNames.get(item);
    }

    /// The lanes, by number, with those without steps.
    public List<LaneRow> lanes() {
        return lanes;
    }

    /// The rows of requests; items are requests, kinds those of [RunTimelineRequest.State].
    public List<RunTimelineTrack> requestRows() {
        return requestRows;
    }

    /// How many requests have an item.
    public int requestCount() {
        return requests.size();
    }

    /// A request by its item.
    public RunTimelineRequest request(int item) {
        return requests.get(item);
    }

    /// The item of a request by its number; empty if not recorded.
    public OptionalInt requestItem(int request) {
        Integer item = itemOfRequest.get(request);
        return item == null ? OptionalInt.empty() : OptionalInt.of(item);
    }

    /// A step by its item.
    public RunTimelineStep step(int item) {
        StepReport step = steps.get(item);
        LaneRow lane = laneByIndex.get(step.lane().index());
        return new RunTimelineStep(step, lane == null ? "" : lane.label(), kind(step),
                poolBlocks(pool(step.lane().index())));
    }

    /// Whether a step worked on a request.
    public boolean stepHolds(int item, int request) {
        StepReport step = steps.get(item);
        for (int i = 0; i < step.slices().size(); i++) {
            if (step.slices().request(i) == request) {
                return true;
            }
        }
        return false;
    }

    /// Running, waiting, and the blocks held in each pool; then what is recorded of the device and of the host.
    public List<RunTimelineCounter> counters() {
        return counters;
    }

    /// The memory by owner; empty without samples of the process that computes.
    public RunTimelineMemory memory() {
        return memory;
    }

    /// The events.
    public RunTimelineEvents events() {
        return events;
    }

    /// Output tokens that arrived in a window, ends included.
    public long tokensBetween(long from, long to) {
        long tokens = 0;
        for (RunTimelineRequest request : requests) {
            if (request.endNanos() >= from && request.startNanos() <= to) {
                int found = BinarySearch.first(outcomes.size(), i -> outcomes.number(i) >= request.request());
                tokens += tokensBetween(outcomes.get(found), from, to);
            }
        }
        return tokens;
    }

    private static long tokensBetween(RequestOutcome outcome, long from, long to) {
        int first = notAfter(outcome.eventNanos(), from - 1);
        int after = notAfter(outcome.eventNanos(), to);
        return outcome.oneTokenPerEvent() ? (long) after - first
                : Math.round(IntStream.range(first, Math.max(first, after)).mapToDouble(outcome::tokensOf).sum());
    }

    private static int notAfter(long[] tokens, long nanos) {
        return BinarySearch.first(tokens.length, token -> tokens[token] > nanos);
    }
}
