package org.inferometer.report;

import static org.inferometer.record.RequestOutcome.ABSENT;
import static org.inferometer.units.QuantityText.latency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.report.SlowRequest.Reason;
import org.inferometer.report.timeline.RunTimelineRequest;
import org.inferometer.scheduling.LaneId;
import org.inferometer.units.LetterCase;
import org.inferometer.workload.RequestId;
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

    /// The rules that say why a request was slow. Each has a threshold (docs/metrics.md), and gives one sentence or none.
    ///
    /// @param run the observations of its run
    /// @param originNanos start of the window
    /// @param events of the listed requests: preemptions, readmissions and KV transfers
    /// @param otherRunsE2e median of the median E2E latencies of the cell's other runs; NaN without others
    record SlowRequestRules(RunObservations run, long originNanos, Map<RequestId, List<RunEvent>> events, Usual usual,
            double otherRunsE2e) {
        /// Lateness of the load generator / E2E from which it is a reason.
        static final double LATE_SHARE = 0.1;
        /// Queue / E2E from which it is a reason.
        static final double QUEUE_SHARE = 0.25;
        /// Multiple of the run's median from which a length or a time is large.
        static final double LARGE = 1.5;
        /// Part of E2E from which the time of a long prompt, a KV transfer or a gap is a reason.
        static final double PART_SHARE = 0.1;
        /// Part of E2E from which a slow first token, or decode, is a reason.
        static final double PHASE_SHARE = 0.25;
        /// Multiple of the request's median gap from which its longest gap is a reason.
        static final double LARGE_GAP = 5;
        /// Part of the decode from which its longest gap explains a slow TPOT.
        static final double GAP_OF_DECODE = 0.5;
        /// Part of a gap that its cause must fill.
        static final double CAUSE_SHARE = 0.25;
        /// Multiple of the run's median E2E below which a request is not slow.
        static final double HARDLY_SLOWER = 1.25;

        /// Medians and maxima over the ok requests of the run.
        record Usual(double prompt, double output, double e2e, double firstToken, double tpot, int mostPrompt,
                int mostOutput) {}

        /// The rules for some requests of a run; reads its events once.
        static SlowRequestRules of(RunObservations run, Set<RequestId> listed, List<RunObservations> otherRuns) {
            Map<RequestId, List<RunEvent>> events = RunTimelineRequest.interruptions(run.events(), listed::contains);
            long origin = RunWindow.of(run.requests()).map(RunWindow::startNanos).orElse(0L);
            List<RequestOutcome> ok = ok(run);
            Usual usual = new Usual(median(ok, RequestOutcome::promptTokens), median(ok, RequestOutcome::outputTokens),
                    median(ok, SlowRequest::e2eNanos), median(ok, SlowRequestRules::untilFirstToken),
                    median(ok, request -> request.tpotNanos().orElse(Double.NaN)),
                    ok.stream().mapToInt(RequestOutcome::promptTokens).max().orElse(0),
                    ok.stream().mapToInt(RequestOutcome::outputTokens).max().orElse(0));
            double others = median(otherRuns, other -> median(ok(other), SlowRequest::e2eNanos));
            return new SlowRequestRules(run, origin, events, usual, others);
        }

        private static List<RequestOutcome> ok(RunObservations run) {
            return run.requests().stream().filter(SlowRequest::hasE2e).toList();
        }

        /// Over the finite values; NaN if there are none.
        private static <T> double median(List<T> of, ToDoubleFunction<T> value) {
            Distribution values = Distribution.of(of.stream().mapToDouble(value).filter(Double::isFinite).toArray());
            return values.isEmpty() ? Double.NaN : values.percentile(50);
        }

        /// Every reason, the largest part of E2E first.
        List<Reason> reasons(RequestOutcome request) {
            return Stream
                    .of(slowRun(), lateness(request), queue(request), preemptions(request), transfers(request),
                            longPrompt(request), slowFirstToken(request), longOutput(request), slowTokens(request),
                            gap(request))
                    .flatMap(Optional::stream).sorted(Comparator.comparingDouble(Reason::shareOfE2e).reversed())
                    .toList();
        }

        /// The sentences of the reasons, or that there are none.
        String why(RequestOutcome request, List<Reason> reasons) {
            if (!reasons.isEmpty()) {
                return String.join(" ", reasons.stream().map(Reason::evidence).toList());
            }
            return unexplained(e2eToMedian(request)) + largestPhase(request) + ".";
        }

        /// Of a request to which no rule applies.
        static String unexplained(double e2eToMedian) {
            return e2eToMedian < HARDLY_SLOWER ? "Not unusual in its run" : "Cannot tell: no rule applies";
        }

        private static String largestPhase(RequestOutcome request) {
            return Stream.of(
                    part(request, request.sentNanos(), request.admittedNanos())
                            .map(part -> Map.entry(part.share(), "; it waited " + part.text() + " in the queue")),
                    firstToken(request).map(part -> Map.entry(part.share(), "; " + firstTokenText(request, part))),
                    part(request, request.firstTokenNanos(), request.lastTokenNanos())
                            .map(part -> Map.entry(part.share(), "; its decode took " + part.text())))
                    .flatMap(Optional::stream).max(Map.Entry.comparingByKey()).map(Map.Entry::getValue).orElse("");
        }

        double e2eToMedian(RequestOutcome request) {
            return usual.e2e() == 0 ? 1 : SlowRequest.e2eNanos(request) / usual.e2e();
        }

        private Optional<Reason> slowRun() {
            return otherRunsE2e > 0 && usual.e2e() >= LARGE * otherRunsE2e ? Optional.of(new Reason("slow run",
                    1 - otherRunsE2e / usual.e2e(),
                    "Its whole run was slow: median E2E " + latency(usual.e2e()) + ", "
                            + FigureText.ratio(usual.e2e() / otherRunsE2e) + " × that of the cell's other runs."))
                    : Optional.empty();
        }

        private Optional<Reason> lateness(RequestOutcome request) {
            return part(request, request.intendedNanos(), request.sentNanos())
                    .filter(part -> part.share() >= LATE_SHARE)
                    .map(part -> part.reason("late send", "The load generator sent it " + part.text() + " late"));
        }

        private Optional<Reason> queue(RequestOutcome request) {
            return part(request, request.sentNanos(), request.admittedNanos())
                    .filter(part -> part.share() >= QUEUE_SHARE)
                    .map(part -> part.reason("queue", "Waited " + part.text() + " in the queue"));
        }

        private Optional<Reason> preemptions(RequestOutcome request) {
            List<RunEvent> own = events.getOrDefault(request.id(), List.of());
            long out = 0;
            int times = 0;
            long lost = 0;
            for (int i = 0; i < own.size(); i++) {
                if (own.get(i) instanceof RunEvent.Preempted(long nanos, RequestId _, int positions)) {
                    times++;
                    lost += positions;
                    long back = own.stream().skip(i).filter(RunEvent.Admitted.class::isInstance)
                            .mapToLong(RunEvent::nanos).findFirst().orElse(request.lastTokenNanos());
                    out += Math.max(0, back - nanos);
                }
            }
            Part waiting = new Part(out, (double) out / SlowRequest.e2eNanos(request));
            return times == 0 ? Optional.empty()
                    : Optional.of(waiting.reason("preempted",
                            "Preempted " + (times == 1 ? "once" : times + " times") + ", lost " + tokens(lost)
                                    + " computed positions, and waited " + waiting.text() + " for readmission"));
        }

        private Optional<Reason> transfers(RequestOutcome request) {
            long nanos = events.getOrDefault(request.id(), List.of()).stream()
                    .mapToLong(event -> event instanceof RunEvent.KvTransferred moved ? moved.durationNanos() : 0)
                    .sum();
            Part part = new Part(nanos, (double) nanos / SlowRequest.e2eNanos(request));
            return nanos > 0 && part.share() >= PART_SHARE
                    ? Optional.of(part.reason("KV transfer", "KV transfers took " + part.text())) : Optional.empty();
        }

        private Optional<Reason> longPrompt(RequestOutcome request) {
            return firstToken(request)
                    .filter(part -> isLong(request.promptTokens(), usual.prompt()) && part.share() >= PART_SHARE)
                    .map(part -> part.reason("long prompt",
                            "Long prompt: " + length(request.promptTokens(), usual.mostPrompt(), usual.prompt()) + "; "
                                    + firstTokenText(request, part)));
        }

        private Optional<Reason> slowFirstToken(RequestOutcome request) {
            String hidden = request.admittedNanos() == ABSENT ? "; what the target did until then is not recorded" : "";
            return firstToken(request)
                    .filter(part -> !isLong(request.promptTokens(), usual.prompt()) && part.share() >= PHASE_SHARE
                            && part.nanos() >= LARGE * usual.firstToken())
                    .map(part -> part.reason("slow first token",
                            firstTokenText(request, part) + ", " + times(part.nanos() / usual.firstToken()) + hidden));
        }

        private static String firstTokenText(RequestOutcome request, Part part) {
            return request.prefillStartNanos() == ABSENT ? "the first token came " + part.text() + " after sending"
                    : "its prefill took " + part.text();
        }

        private Optional<Reason> longOutput(RequestOutcome request) {
            String length = length(request.outputTokens(), usual.mostOutput(), usual.output());
            return decode(request).filter(part -> isLong(request.outputTokens(), usual.output())).map(
                    part -> part.reason("long output", "Long output: " + length + "; its decode took " + part.text()));
        }

        private Optional<Reason> slowTokens(RequestOutcome request) {
            double tpot = request.tpotNanos().orElse(0);
            // The rule of gaps explains a decode that is mostly one gap.
            double gap = gap(request).map(Reason::shareOfE2e).orElse(0.0);
            return decode(request)
                    .filter(part -> tpot > 0 && tpot >= LARGE * usual.tpot() && gap < GAP_OF_DECODE * part.share())
                    .map(part -> part.reason("slow tokens", "Slow decode: TPOT " + latency(tpot) + ", "
                            + times(tpot / usual.tpot()) + prefillBeside(request, part)));
        }

        /// The part of its decode in steps that also computed prompt tokens; empty if it is small.
        private String prefillBeside(RequestOutcome request, Part decode) {
            long from = request.firstTokenNanos();
            long nanos = run.steps().stream()
                    .filter(step -> step.prefillPositions() > 0 && overlap(step, from, request.lastTokenNanos()) > 0
                            && computes(step, request.id()))
                    .mapToLong(step -> overlap(step, from, request.lastTokenNanos())).sum();
            return nanos < CAUSE_SHARE * decode.nanos() ? ""
                    : String.format(Locale.ROOT, "; steps that also computed prefill tokens were %.0f %% of its decode",
                            100 * nanos / decode.nanos());
        }

        private Optional<Reason> gap(RequestOutcome request) {
            int after = SlowRequest.longestGapEvent(request);
            if (after == 0) {
                return Optional.empty();
            }
            long[] at = request.eventNanos();
            long from = at[after - 1];
            long to = at[after];
            double usualGap = Distribution
                    .of(IntStream.range(1, at.length).mapToDouble(i -> at[i] - at[i - 1]).toArray()).percentile(50);
            return part(request, from, to)
                    .filter(part -> part.share() >= PART_SHARE && part.nanos() >= LARGE_GAP * usualGap)
                    .map(part -> part.reason("gap",
                            String.format(Locale.ROOT, "A gap of %s between tokens at %.2f s: %s", part.text(),
                                    (from - originNanos) / 1e9, cause(request, from, to))));
        }

        /// What the record shows at a gap.
        private String cause(RequestOutcome request, long from, long to) {
            if (events.getOrDefault(request.id(), List.of()).stream().anyMatch(
                    event -> event instanceof RunEvent.Preempted && event.nanos() >= from && event.nanos() <= to)) {
                return "it was preempted";
            }
            List<StepReport> steps = run.steps().stream()
                    .filter(each -> overlap(each, from, to) > 0 && !run.setup().isTransfer(each)).toList();
            Set<LaneId> lanes = steps.stream().filter(each -> computes(each, request.id())).map(StepReport::lane)
                    .collect(Collectors.toSet());
            Optional<StepReport> step = steps.stream().filter(each -> lanes.contains(each.lane()))
                    .max(Comparator.comparingLong(each -> overlap(each, from, to)))
                    .filter(each -> overlap(each, from, to) >= CAUSE_SHARE * (to - from));
            double collecting = collectingNanos(from, to);
            String computed =
                    step.map(
                            each -> "step " + each.number() + " took " + latency(each.endNanos() - each.startNanos())
                                    + (each.prefillPositions() > 0
                                            ? " with " + tokens(each.prefillPositions()) + " prefill tokens" : ""))
                            .orElse("");
            String collected = collecting < CAUSE_SHARE * (to - from) ? ""
                    : "garbage collection " + (run.setup().computesHere() ? "" : "in the load generator ") + "took "
                            + latency(collecting) + " around then";
            return computed.isEmpty() && collected.isEmpty() ? "the record shows no cause"
                    : computed + (computed.isEmpty() || collected.isEmpty() ? "" : ", ") + collected;
        }

        private static boolean computes(StepReport step, RequestId request) {
            return IntStream.range(0, step.slices().size()).anyMatch(i -> step.slices().request(i) == request.index());
        }

        private static long overlap(StepReport step, long from, long to) {
            return Math.min(step.endNanos(), to) - Math.max(step.startNanos(), from);
        }

        /// Time in garbage collection between the sample before and the sample after; 0 without both.
        private double collectingNanos(long from, long to) {
            Optional<TelemetrySample> before =
                    run.telemetry().stream().filter(sample -> sample.nanos() <= from).reduce((first, second) -> second);
            Optional<TelemetrySample> behind =
                    run.telemetry().stream().filter(sample -> sample.nanos() >= to).findFirst();
            return before.flatMap(one -> behind.map(other -> (other.gcMillis() - one.gcMillis()) * 1e6)).orElse(0.0);
        }

        /// A part of the E2E latency of a request.
        private record Part(double nanos, double share) {
            String text() {
                return String.format(Locale.ROOT, "%s (%.0f %% of E2E)", latency(nanos), 100 * share);
            }

            Reason reason(String rule, String sentence) {
                return new Reason(rule, share, LetterCase.capitalized(sentence) + ".");
            }
        }

        private static Optional<Part> part(RequestOutcome request, long from, long to) {
            return from == ABSENT || to == ABSENT || to <= from ? Optional.empty()
                    : Optional.of(new Part(to - from, (double) (to - from) / SlowRequest.e2eNanos(request)));
        }

        /// From the start of its prefill, else from sending, to its first token.
        private static Optional<Part> firstToken(RequestOutcome request) {
            return part(request,
                    request.prefillStartNanos() == ABSENT ? request.sentNanos() : request.prefillStartNanos(),
                    request.firstTokenNanos());
        }

        private static double untilFirstToken(RequestOutcome request) {
            return firstToken(request).map(Part::nanos).orElse(Double.NaN);
        }

        private static Optional<Part> decode(RequestOutcome request) {
            return part(request, request.firstTokenNanos(), request.lastTokenNanos())
                    .filter(part -> part.share() >= PHASE_SHARE);
        }

        private static boolean isLong(int tokens, double median) {
            return tokens > 0 && tokens >= LARGE * median;
        }

        private static String length(int tokens, int most, double median) {
            return tokens(tokens) + " tokens" + (tokens == most ? ", the longest of its run" : "") + " (median "
                    + tokens(median) + ")";
        }

        private static String times(double times) {
            return FigureText.ratio(times) + " × the median of its run";
        }

        private static String tokens(double tokens) {
            return FigureText.value(Unit.COUNT, tokens);
        }
    }
}
