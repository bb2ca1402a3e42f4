package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.ThrottleReasons;
import org.inferometer.record.TokenSource;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.RequestId;

/// Judges whether a run is valid: equal observations get equal verdicts.
public final class VerdictRules {
    /// The median needs n ≥ 10 / (1 − 0.5).
    public static final int LEAST_REQUESTS = 20;
    /// Filling and draining the batch, a garbage collection and a change of CPU clock each last some tenths of a second. In a shorter window
    /// one of them changes every rate by several per cent.
    public static final long LEAST_WINDOW_NANOS = 10_000_000_000L;
    /// Half of the t-interval is 12.7 standard errors with two runs, 4.3 with three.
    public static final int LEAST_RUNS = 3;
    /// The limit of send lateness P99, unless 1 % of TTFT P50 is more.
    public static final long LATENESS_NANOS = 1_000_000L;
    /// The share of its ceiling above which the load generator may limit the result.
    public static final double CEILING_SHARE = 0.5;

    private static final double LATENESS_SHARE = 0.01;

    private VerdictRules() {}

    /// Why a run is a failure and no result: no measured request succeeded. Empty for a result.
    public static Optional<String> failure(List<RequestOutcome> requests) {
        List<RequestOutcome> measured = requests.stream().filter(request -> !request.warmUp()).toList();
        if (measured.stream().anyMatch(RequestOutcome::ok)) {
            return Optional.empty();
        }
        String first = measured.stream().map(RequestOutcome::reason).filter(reason -> !reason.isBlank()).findFirst()
                .orElse("");
        return Optional.of(measured.isEmpty() ? "No measured request ended." : "None of " + measured.size()
                + " requests succeeded" + (first.isEmpty() ? "." : ". First reason: " + first));
    }

    /// The verdict of a run.
    public static Verdict judge(RunObservations observations, RunExpectation expectation,
            RunCircumstances circumstances) {
        List<RequestOutcome> measured = observations.requests().stream().filter(request -> !request.warmUp()).toList();
        Optional<RunWindow> window = RunWindow.of(measured);
        List<Condition> conditions = new ArrayList<>();
        conditions.add(answered(measured));
        conditions.add(lateness(measured));
        conditions.add(failures(measured, expectation.cancellations()));
        conditions.add(tokenCounts(measured));
        contradictions(measured, observations.events()).ifPresent(conditions::add);
        conditions.add(lengths(measured));
        conditions.add(done(measured, expectation.requests()));
        if (expectation.shortestNanos() > 0) {
            conditions.add(duration(window, expectation.shortestNanos()));
        }
        conditions.add(telemetry(observations.telemetry(), circumstances.droppedSamples()));
        conditions.add(ceiling(circumstances));
        conditions.add(otherProcess(circumstances.otherGpuProcess()));
        conditions.add(throttling(observations.telemetry(), window));
        conditions.add(steady(measured, window));
        conditions.add(enoughRequests(measured));
        conditions.add(enoughTime(window));
        return new Verdict(grade(conditions), List.copyOf(conditions));
    }

    /// INVALID if a condition is broken, else PREVIEW if one has too little data, else VALID. Warnings and unchecked conditions do not count.
    static Grade grade(List<Condition> conditions) {
        if (conditions.stream().anyMatch(condition -> condition.state() == State.BROKEN)) {
            return Grade.INVALID;
        }
        boolean little = conditions.stream().anyMatch(condition -> condition.state() == State.TOO_LITTLE);
        return little ? Grade.PREVIEW : Grade.VALID;
    }

    static Condition condition(String name, boolean met, State otherwise, String observed, String remedy) {
        return new Condition(name, met ? State.MET : otherwise, observed, met ? "" : remedy);
    }

    private static Condition answered(List<RequestOutcome> measured) {
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return condition("at least 1 successful request", ok > 0, State.BROKEN, ok + " of " + measured.size(),
                "See the failure reasons of the requests.");
    }

    private static Condition lateness(List<RequestOutcome> measured) {
        String name = "send lateness P99 within 1 ms or 1 % of TTFT P50";
        Distribution lateness = LatencyFigures.sendLateness(measured);
        if (lateness.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "no request was sent", "");
        }
        Distribution ttft = LatencyFigures.timeToFirstToken(measured);
        double limit = Math.max(LATENESS_NANOS, ttft.isEmpty() ? 0 : LATENESS_SHARE * ttft.percentile(50));
        double p99 = lateness.percentile(99);
        String observed =
                QuantityText.latency(p99) + ", limit " + QuantityText.latency(limit) + ", n = " + lateness.n();
        boolean fewLate = !Distribution.enough(lateness.n(), 99) && lateness.percentile(90) <= limit;
        return fewLate
                ? condition(name, p99 <= limit, State.TOO_LITTLE, observed + ": too few requests for P99",
                        "Ask for 1,000 requests or more, or leave the load generator a core.")
                : condition(name, p99 <= limit, State.BROKEN, observed,
                        "The load generator was late. Leave it a core or lower the rate.");
    }

    /// Requests that the workload cancels are part of the load, not failures.
    private static Condition failures(List<RequestOutcome> measured, int cancellations) {
        long cancelled = measured.stream().filter(request -> request.status() == RequestStatus.CANCELLED).count();
        long byWorkload = Math.min(cancelled, cancellations);
        long failed = measured.stream().filter(request -> !request.ok()).count() - byWorkload;
        long judged = measured.size() - byWorkload;
        String besides = cancellations == 0 ? "" : ", " + byWorkload + " cancelled by the workload";
        return condition("no failed requests", failed == 0, State.BROKEN,
                failed + " of " + judged + " failed" + besides,
                "See the failure reasons. Lower the load or the lengths.");
    }

    private static Condition tokenCounts(List<RequestOutcome> measured) {
        String name = "output tokens counted by engine, server or tokenizer";
        long answered = measured.stream().filter(request -> request.tokenNanos().length > 0).count();
        if (answered == 0) {
            return new Condition(name, State.NOT_CHECKED, "no output", "");
        }
        long guessed = measured.stream().filter(
                request -> request.ok() && request.tokenNanos().length > 0 && request.source() == TokenSource.CHUNKS)
                .count();
        return condition(name, guessed == 0, State.BROKEN,
                guessed == 0 ? "all" : guessed + " of " + answered + " responses count chunks as tokens",
                "Let the server send usage, or set the tokenizer of its model.");
    }

    /// Only for runs in which a server counts.
    private static Optional<Condition> contradictions(List<RequestOutcome> measured, List<RunEvent> events) {
        Set<RequestId> counted =
                measured.stream().filter(request -> request.ok() && request.source() == TokenSource.SERVER_USAGE)
                        .map(RequestOutcome::id).collect(Collectors.toSet());
        if (counted.isEmpty()) {
            return Optional.empty();
        }
        long wrong = events.stream().filter(RunEvent.TokenCountsContradicted.class::isInstance)
                .map(event -> ((RunEvent.TokenCountsContradicted) event).request()).filter(counted::contains).distinct()
                .count();
        return Optional.of(condition("server's token counts agree with its events", wrong == 0, State.BROKEN,
                wrong == 0 ? "all"
                        : wrong + " of " + counted.size()
                                + " requests: the server's token counts contradict its events",
                "Update or repair the server; it reports fewer tokens than it sent."));
    }

    /// A warning only: a load that changes by design is not steady.
    private static Condition steady(List<RequestOutcome> measured, Optional<RunWindow> window) {
        String name = "steady output throughput";
        Optional<SteadyState> state = window.flatMap(within -> SteadyState.of(measured, within));
        if (state.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "too few tokens while requests were sent", "");
        }
        long startUpPercent = Math.round(state.get().startUpShare() * 100);
        String observed = String.format(Locale.ROOT, "moved by %+.1f %%", state.get().drift() * 100)
                + (startUpPercent > 0 ? " after the first " + startUpPercent + " %" : "");
        return condition(name, state.get().steady(), State.WARNING, observed,
                "Ask for more requests or a longer warm-up. If the load changes by design, compare equal phases.");
    }

    private static Condition lengths(List<RequestOutcome> measured) {
        long wrong = measured.stream().filter(RequestOutcome::ok)
                .filter(request -> request.outputTokens() != request.askedOutputTokens()).count();
        return condition("output lengths as requested", wrong == 0, State.BROKEN,
                wrong == 0 ? "all" : wrong + " differ",
                "Let the server ignore the end-of-sequence token (ignore_eos).");
    }

    private static Condition done(List<RequestOutcome> measured, int asked) {
        return condition(asked + " requests completed", measured.size() >= asked, State.BROKEN,
                measured.size() + " ended", "The run stopped early. Run it again.");
    }

    private static Condition duration(Optional<RunWindow> window, long shortestNanos) {
        long seen = window.map(RunWindow::lengthNanos).orElse(0L);
        return condition("at least " + QuantityText.latency(shortestNanos) + " measured", seen >= shortestNanos,
                State.BROKEN, QuantityText.latency(seen), "The run stopped early. Run it again.");
    }

    private static Condition telemetry(List<TelemetrySample> samples, long dropped) {
        String name = "no telemetry samples dropped";
        if (samples.isEmpty() && dropped == 0) {
            return new Condition(name, State.NOT_CHECKED, "no samples", "");
        }
        return condition(name, dropped == 0, State.BROKEN, dropped + " dropped, " + samples.size() + " kept",
                "Sample less often or leave a core free.");
    }

    private static Condition ceiling(RunCircumstances circumstances) {
        String name = "load generator below 50 % of its ceiling";
        if (circumstances.shareOfCeiling().isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "ceiling not measured",
                    "Run selfcheck once on this machine.");
        }
        double share = circumstances.shareOfCeiling().getAsDouble();
        return condition(name, share <= CEILING_SHARE, State.BROKEN, String.format(Locale.ROOT, "%.1f %%", share * 100),
                "The load generator may limit the result. Lower the load.");
    }

    private static Condition otherProcess(Optional<Boolean> other) {
        String name = "no other process on the GPU";
        if (other.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "no readings", "");
        }
        return condition(name, !other.get(), State.BROKEN, other.get() ? "one or more" : "none",
                "End the other process and run again.");
    }

    private static Condition throttling(List<TelemetrySample> samples, Optional<RunWindow> window) {
        String name = "no thermal throttling";
        List<Double> reasons =
                samples.stream().filter(sample -> window.isPresent() && window.get().contains(sample.nanos()))
                        .flatMap(sample -> sample.gpuReadings().stream())
                        .map(TelemetrySample.GpuSample::throttleReasons).filter(Double::isFinite).toList();
        if (reasons.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "no readings", "");
        }
        long hot = reasons.stream().filter(ThrottleReasons::thermal).count();
        return condition(name, hot == 0, State.BROKEN, hot + " of " + reasons.size() + " samples throttled",
                "Improve cooling or lower the power limit, then run again.");
    }

    private static Condition enoughRequests(List<RequestOutcome> measured) {
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return condition("at least " + LEAST_REQUESTS + " successful requests", ok >= LEAST_REQUESTS, State.TOO_LITTLE,
                Long.toString(ok), "Ask for more requests.");
    }

    private static Condition enoughTime(Optional<RunWindow> window) {
        long seen = window.map(RunWindow::lengthNanos).orElse(0L);
        return condition("window of at least 10 s", seen >= LEAST_WINDOW_NANOS, State.TOO_LITTLE,
                QuantityText.latency(seen), "Ask for more or longer requests.");
    }
}
