package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.Collectors;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.jspecify.annotations.Nullable;

/// One of the slowest ok requests of a result by E2E latency, and why it was slow. A missing value is absent.
///
/// @param run number of its run in execution order
/// @param atSeconds when it was due, since measuring began; without an intended send time, when it was sent
/// @param queueMillis admitted − sent
/// @param ttftMillis firstToken − intended; without an intended send time, from sent
/// @param longestGapMillis longest time between two events with output
/// @param e2eMillis lastToken − intended; without an intended send time, from sent
/// @param e2eToMedian E2E latency / median E2E latency of its run
/// @param reasons the largest part of E2E latency first; empty if no rule applies
/// @param why the reasons as sentences
public record SlowRequest(int run, int request, double atSeconds, int promptTokens, int outputTokens,
        @Nullable Double queueMillis, @Nullable Double ttftMillis, @Nullable Double tpotMillis,
        @Nullable Double longestGapMillis, double e2eMillis, double e2eToMedian, List<Reason> reasons, String why) {
    /// How many are listed.
    public static final int LISTED = 10;

    /// @param rule its name in the documents: "queue", "long prompt", ...
    /// @param shareOfE2e the time that it explains / E2E latency
    /// @param evidence one sentence with the recorded values
    public record Reason(String rule, double shareOfE2e, String evidence) {}

    private record Candidate(RunRecord run, RequestOutcome request, long e2eNanos) {
        int runNumber() {
            return run.manifest().plan().index().run();
        }
    }

    private static final Comparator<Candidate> SLOWEST_LAST = Comparator.comparingLong(Candidate::e2eNanos)
            .thenComparing(Comparator.comparingInt(Candidate::runNumber).reversed())
            .thenComparing(Comparator.<Candidate>comparingInt(each -> each.request().id().index()).reversed());

    /// The slowest requests of some runs, the slowest first. Keeps ten at a time; looks at steps and events only of their runs.
    ///
    /// @param all runs of the result, whose cells are compared with
    public static List<SlowRequest> of(List<RunRecord> runs, List<RunRecord> all) {
        PriorityQueue<Candidate> slowest = new PriorityQueue<>(SLOWEST_LAST);
        for (RunRecord run : runs) {
            for (RequestOutcome request : run.observations().requests()) {
                if (hasE2e(request)) {
                    slowest.add(new Candidate(run, request, e2eNanos(request)));
                    if (slowest.size() > LISTED) {
                        slowest.remove();
                    }
                }
            }
        }
        List<Candidate> listed = new ArrayList<>(slowest);
        listed.sort(SLOWEST_LAST.reversed());
        Map<RunRecord, List<Candidate>> byRun = new IdentityHashMap<>();
        listed.forEach(each -> byRun.computeIfAbsent(each.run(), run -> new ArrayList<>()).add(each));
        Map<RunRecord, SlowRequestRules> rules = new IdentityHashMap<>();
        byRun.forEach((run, ofRun) -> rules.put(run, rules(run, ofRun, all)));
        return listed.stream().map(each -> of(each, Objects.requireNonNull(rules.get(each.run())))).toList();
    }

    private static SlowRequestRules rules(RunRecord run, List<Candidate> listed, List<RunRecord> all) {
        int cell = run.manifest().plan().index().cell();
        return SlowRequestRules.of(run.observations(),
                listed.stream().map(each -> each.request().id()).collect(Collectors.toSet()),
                all.stream()
                        .filter(other -> other.manifest().plan().index().cell() == cell
                                && other.manifest().plan().index().run() != run.manifest().plan().index().run())
                        .map(RunRecord::observations).toList());
    }

    private static SlowRequest of(Candidate candidate, SlowRequestRules rules) {
        RequestOutcome request = candidate.request();
        List<Reason> reasons = rules.reasons(request);
        double tpot = request.tpotNanos().orElse(Double.NaN);
        return new SlowRequest(candidate.runNumber(), request.id().index(),
                (startNanos(request) - rules.originNanos()) / 1e9, request.promptTokens(), request.outputTokens(),
                millis(request.sentNanos(), request.admittedNanos()),
                millis(startNanos(request), request.firstTokenNanos()), Double.isNaN(tpot) ? null : tpot / 1e6,
                longestGap(request), candidate.e2eNanos() / 1e6, rules.e2eToMedian(request), reasons,
                rules.why(request, reasons));
    }

    private static @Nullable Double longestGap(RequestOutcome request) {
        int event = longestGapEvent(request);
        return event == 0 ? null : millis(request.eventNanos()[event - 1], request.eventNanos()[event]);
    }

    private static @Nullable Double millis(long from, long to) {
        return from == RequestOutcome.ABSENT || to == RequestOutcome.ABSENT ? null : (to - from) / 1e6;
    }

    /// The event after the longest gap; 0 where gaps are not known.
    static int longestGapEvent(RequestOutcome request) {
        long[] events = request.endsOnly() ? new long[0] : request.eventNanos();
        int after = 0;
        for (int i = 1; i < events.length; i++) {
            after = after == 0 || events[i] - events[i - 1] > events[after] - events[after - 1] ? i : after;
        }
        return after;
    }

    static boolean hasE2e(RequestOutcome request) {
        return !request.warmUp() && request.answered() && startNanos(request) != RequestOutcome.ABSENT
                && request.lastTokenNanos() != RequestOutcome.ABSENT;
    }

    /// When it was due, else sent.
    static long startNanos(RequestOutcome request) {
        return request.intendedNanos() != RequestOutcome.ABSENT ? request.intendedNanos() : request.sentNanos();
    }

    static long e2eNanos(RequestOutcome request) {
        return request.lastTokenNanos() - startNanos(request);
    }
}
