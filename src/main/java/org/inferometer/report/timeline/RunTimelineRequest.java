package org.inferometer.report.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.report.timeline.RunTimelineRequest.State;
import org.inferometer.workload.RequestId;

/// One request of the timeline; instants in nanoseconds since the run's anchor, absent if not recorded.
///
/// @param request its number in the run
/// @param row its row
/// @param warmUp whether it is a warm-up request
/// @param startNanos when it was sent, or its first recorded instant
/// @param intendedNanos intended send time
/// @param status "ok", "failed", "cancelled", ...
/// @param reason of the status, or empty
public record RunTimelineRequest(int request, int row, boolean warmUp, int promptTokens, int outputTokens,
        long startNanos, OptionalLong intendedNanos, OptionalLong prefillStartNanos, OptionalLong firstTokenNanos,
        OptionalLong lastTokenNanos, long endNanos, int preemptions, long preemptedNanos, String status,
        String reason) {

    /// Whether it ended ok; otherwise it has no latencies.
    public boolean ok() {
        return status.equals("ok");
    }

    /// Last token − intended send time; absent for a request that did not end ok.
    public OptionalLong endToEndNanos() {
        return ok() && intendedNanos.isPresent() && lastTokenNanos.isPresent()
                ? OptionalLong.of(lastTokenNanos.getAsLong() - intendedNanos.getAsLong()) : OptionalLong.empty();
    }

    /// The state of a request.
    public enum State {
        /// Sent, before its first step.
        QUEUED,
        /// Its prompt is computed, or recomputed after a preemption.
        PREFILL,
        /// Tokens are generated.
        DECODE,
        /// Preempted, before readmission.
        PREEMPTED,
        /// Its KV blocks are copied to another pool.
        MOVING,
        /// Sent, without a token; the target does not report queue and prefill.
        UNSPLIT
    }

    /// The preemptions, readmissions and KV transfers of some requests.
    public static Map<RequestId, List<RunEvent>> interruptions(List<RunEvent> events, Predicate<RequestId> wanted) {
        Map<RequestId, List<RunEvent>> interruptions = new HashMap<>();
        for (RunEvent event : events) {
            RequestId request = switch (event) {
                case RunEvent.Preempted preempted -> preempted.request();
                case RunEvent.Admitted admitted when admitted.again() -> admitted.request();
                case RunEvent.KvTransferred transferred -> transferred.request();
                default -> null;
            };
            if (request != null && wanted.test(request)) {
                interruptions.computeIfAbsent(request, of -> new ArrayList<>()).add(event);
            }
        }
        return interruptions;
    }

    /// Splits each request into states, and packs the requests into rows without overlap: each into the first row that is free.
    static final class RunTimelineRequests {
        private static final int STATES = State.values().length;

        private final Map<RequestId, List<RunEvent>> interruptions;
        private final List<RunTimelineTrack.Builder> rows = new ArrayList<>();
        private final List<RunTimelineRequest> requests = new ArrayList<>();

        private record Stretch(State state, long start, long end) {}

        RunTimelineRequests(RequestColumns outcomes, List<RunEvent> events, RunTimeline.ProgressListener progress) {
            interruptions = interruptions(events, request -> true);
            RequestColumns known = outcomes.where(i -> start(outcomes, i) != RequestOutcome.ABSENT);
            pack(known.ascending(i -> start(known, i)), progress);
        }

        List<RunTimelineRequest> requests() {
            return List.copyOf(requests);
        }

        List<RunTimelineTrack> rows() {
            return rows.stream().map(RunTimelineTrack.Builder::build).toList();
        }

        private void pack(RequestColumns known, RunTimeline.ProgressListener progress) {
            TreeSet<Integer> free = new TreeSet<>();
            PriorityQueue<long[]> busy = new PriorityQueue<>(Comparator.comparingLong((long[] taken) -> taken[0]));
            for (int i = 0; i < known.size(); i++) {
                RequestOutcome request = known.get(i);
                long start = start(known, i);
                long end = end(request, start);
                while (!busy.isEmpty() && busy.peek()[0] <= start) {
                    free.add((int) busy.poll()[1]);
                }
                if (free.isEmpty()) {
                    free.add(rows.size());
                    rows.add(new RunTimelineTrack.Builder(STATES));
                }
                int row = free.pollFirst();
                busy.add(new long[]{end, row});
                add(request, row, start, end);
                if (i % 1024 == 0) {
                    progress.at((double) i / known.size());
                }
            }
        }

        private void add(RequestOutcome outcome, int row, long start, long end) {
            int item = requests.size();
            List<Stretch> life = life(outcome, start, end);
            life.forEach(
                    stretch -> rows.get(row).add(stretch.start(), stretch.end(), stretch.state().ordinal(), item, 0));
            List<Stretch> preempted = life.stream().filter(stretch -> stretch.state() == State.PREEMPTED).toList();
            requests.add(new RunTimelineRequest(outcome.id().index(), row, outcome.warmUp(), outcome.promptTokens(),
                    outcome.outputTokens(), start, known(outcome.intendedNanos()), known(outcome.prefillStartNanos()),
                    known(outcome.firstTokenNanos()), known(outcome.lastTokenNanos()), end, preempted.size(),
                    preempted.stream().mapToLong(stretch -> stretch.end() - stretch.start()).sum(),
                    outcome.status().name().toLowerCase(Locale.ROOT).replace('_', ' '), outcome.reason()));
        }

        /// The states of a request from start to end, without gaps.
        private List<Stretch> life(RequestOutcome outcome, long start, long end) {
            List<Stretch> life = new ArrayList<>();
            boolean split = outcome.prefillStartNanos() != RequestOutcome.ABSENT;
            long first = outcome.firstTokenNanos() == RequestOutcome.ABSENT ? end : outcome.firstTokenNanos();
            long prefill = split ? outcome.prefillStartNanos() : first;
            boolean neverLetIn =
                    !split && outcome.admittedNanos() == RequestOutcome.ABSENT && outcome.outputTokens() == 0;
            put(life, split || neverLetIn ? State.QUEUED : State.UNSPLIT, start, Math.min(prefill, end));
            put(life, State.PREFILL, prefill, Math.min(first, end));
            put(life, State.DECODE, first, end);
            long[] tokens = outcome.eventNanos();
            List<RunEvent> events = interruptions.getOrDefault(outcome.id(), List.of());
            for (int i = 0; i < events.size(); i++) {
                RunEvent event = events.get(i);
                // A readmission ends the preemption before it.
                if (event instanceof RunEvent.Preempted) {
                    long back = readmitted(events, i);
                    put(life, State.PREEMPTED, event.nanos(),
                            Math.min(end, back == Long.MAX_VALUE ? tokenAfter(tokens, event.nanos()) : back));
                    put(life, State.PREFILL, Math.min(end, back), Math.min(end, tokenAfter(tokens, back)));
                } else if (event instanceof RunEvent.KvTransferred transferred) {
                    put(life, State.MOVING, Math.max(start, event.nanos() - transferred.durationNanos()),
                            Math.min(end, event.nanos()));
                }
            }
            return life;
        }

        /// Replaces the states of a stretch.
        private static void put(List<Stretch> life, State state, long start, long end) {
            if (end <= start) {
                return;
            }
            List<Stretch> changed = new ArrayList<>();
            boolean placed = false;
            for (Stretch old : life) {
                if (old.start() < start) {
                    changed.add(new Stretch(old.state(), old.start(), Math.min(old.end(), start)));
                }
                if (!placed && old.end() > start) {
                    changed.add(new Stretch(state, start, end));
                    placed = true;
                }
                if (old.end() > end) {
                    changed.add(new Stretch(old.state(), Math.max(old.start(), end), old.end()));
                }
            }
            if (!placed) {
                changed.add(new Stretch(state, start, end));
            }
            life.clear();
            life.addAll(changed);
        }

        private static long readmitted(List<RunEvent> events, int preempted) {
            for (int i = preempted + 1; i < events.size(); i++) {
                if (events.get(i) instanceof RunEvent.Admitted) {
                    return events.get(i).nanos();
                }
            }
            return Long.MAX_VALUE;
        }

        private static long tokenAfter(long[] tokens, long nanos) {
            int found = Arrays.binarySearch(tokens, nanos);
            int next = found >= 0 ? found + 1 : -found - 1;
            return next < tokens.length ? tokens[next] : Long.MAX_VALUE;
        }

        private static long start(RequestColumns requests, int i) {
            long start = requests.sentNanos(i);
            start = start == RequestOutcome.ABSENT ? requests.admittedNanos(i) : start;
            start = start == RequestOutcome.ABSENT ? requests.prefillStartNanos(i) : start;
            return start == RequestOutcome.ABSENT ? requests.firstTokenNanos(i) : start;
        }

        private static long end(RequestOutcome request, long start) {
            long last = Math.max(start, Math.max(request.endNanos(), request.lastTokenNanos()));
            return Math.max(last, Math.max(request.admittedNanos(), request.prefillStartNanos()));
        }

        private static OptionalLong known(long nanos) {
            return nanos == RequestOutcome.ABSENT ? OptionalLong.empty() : OptionalLong.of(nanos);
        }
    }
}
