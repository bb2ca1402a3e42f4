package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.ThrottleReasons;
import org.inferometer.record.TokenSource;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.QuantityText;

/// Judges whether a run or an experiment may be relied on. Pure: equal observations get equal verdicts.
public final class VerdictRules {
    /// The median is the first figure that stands without a mark, and it needs n ≥ 10 / (1 − 0.5).
    public static final int LEAST_REQUESTS = 20;
    /// Filling and draining the batch, a collection and the CPU's change of clock each last some tenths of a second; below this window
    /// one of them moves every rate by several per cent.
    public static final long LEAST_WINDOW_NANOS = 10_000_000_000L;
    /// With two runs the t-interval is 12.7 standard errors wide on each side and tells nothing; with three it is 4.3.
    public static final int LEAST_RUNS = 3;
    /// What the load generator may be late, unless 1 % of the median TTFT is more.
    public static final long LATENESS_NANOS = 1_000_000L;
    /// The share of its own ceiling above which the generator, not the engine, may be what is measured.
    public static final double CEILING_SHARE = 0.5;

    private static final double LATENESS_SHARE = 0.01;

    private VerdictRules() {}

    /// Why a run is a failure and no result at all: no measured request ended ok. Empty for a result.
    public static Optional<String> failure(List<RequestOutcome> requests) {
        List<RequestOutcome> measured = requests.stream().filter(request -> !request.warmUp()).toList();
        if (measured.stream().anyMatch(RequestOutcome::ok)) {
            return Optional.empty();
        }
        String first = measured.stream().map(RequestOutcome::reason).filter(reason -> !reason.isBlank()).findFirst()
                .orElse("");
        return Optional.of(measured.isEmpty() ? "No measured request ended." : "None of " + measured.size()
                + " requests ended ok" + (first.isEmpty() ? "." : "; the first said: " + first));
    }

    /// The verdict of a run.
    public static Verdict judge(RunObservations observations, RunExpectation expectation,
            RunCircumstances circumstances) {
        List<RequestOutcome> measured = observations.requests().stream().filter(request -> !request.warmUp()).toList();
        Optional<RunWindow> window = RunWindow.of(measured);
        List<Condition> conditions = new ArrayList<>();
        conditions.add(answered(measured));
        conditions.add(lateness(measured));
        conditions.add(failures(measured, expectation.failedLimit(), expectation.cancellations()));
        conditions.add(tokenCounts(measured));
        conditions.add(lengths(measured, expectation.exactLengths()));
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

    /// INVALID when a condition is broken, else PREVIEW when there is too little, else VALID. What was not checked, and what is only a warning, changes nothing.
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
        return condition("some request ended ok", ok > 0, State.BROKEN, ok + " of " + measured.size(),
                "This run is a failure, not a result: read the requests' reasons.");
    }

    private static Condition lateness(List<RequestOutcome> measured) {
        String name = "send lateness P99 within 1 ms, or 1 % of the median TTFT";
        Distribution lateness = LatencyFigures.sendLateness(measured);
        if (lateness.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "no request was sent", "");
        }
        Distribution ttft = LatencyFigures.timeToFirstToken(measured);
        double limit = Math.max(LATENESS_NANOS, ttft.isEmpty() ? 0 : LATENESS_SHARE * ttft.percentile(50));
        double p99 = lateness.percentile(99);
        String observed =
                QuantityText.latency(p99) + " of " + QuantityText.latency(limit) + " allowed, n = " + lateness.n();
        boolean fewStragglers = !Distribution.enough(lateness.n(), 99) && lateness.percentile(90) <= limit;
        return fewStragglers
                ? condition(name, p99 <= limit, State.TOO_LITTLE,
                        observed + ": too few to tell a straggler from the rule",
                        "Ask for 1,000 requests or more, or leave the load generator a core of its own.")
                : condition(name, p99 <= limit, State.BROKEN, observed,
                        "The load generator ran late: leave it a core of its own or ask for less load.");
    }

    /// Requests that their sender gave up as drawn are part of the load, not failures of what is measured.
    private static Condition failures(List<RequestOutcome> measured, int limit, int cancellations) {
        long cancelled = measured.stream().filter(request -> request.status() == RequestStatus.CANCELLED).count();
        long given = Math.min(cancelled, cancellations);
        long failed = measured.stream().filter(request -> !request.ok()).count() - given;
        long judged = measured.size() - given;
        String onPurpose = cancellations == 0 ? "" : ", beside " + given + " cancelled on purpose";
        String remedy = "Read the requests' reasons; lower the load or the lengths, or raise the limit knowingly.";
        if (limit == 0) {
            String observed = failed == 0 ? "all " + judged + " did" : failed + " of " + judged + " did not";
            return condition("every request ends ok", failed == 0, State.BROKEN, observed + onPurpose, remedy);
        }
        String name = "at most " + limit + (limit == 1 ? " request ends" : " requests end") + " otherwise than ok";
        return condition(name, failed <= limit, State.BROKEN, failed + " of " + judged + " did" + onPurpose, remedy);
    }

    private static Condition tokenCounts(List<RequestOutcome> measured) {
        String name = "output tokens counted by the engine, the server or a tokenizer";
        long answered = measured.stream().filter(request -> request.tokenNanos().length > 0).count();
        if (answered == 0) {
            return new Condition(name, State.NOT_CHECKED, "no output arrived", "");
        }
        long guessed = measured.stream().filter(
                request -> request.ok() && request.tokenNanos().length > 0 && request.source() == TokenSource.CHUNKS)
                .count();
        return condition(name, guessed == 0, State.BROKEN,
                guessed == 0 ? "all" : guessed + " of " + answered + " count chunks for tokens",
                "Let the server send its usage, or give the tokenizer of its model.");
    }

    /// A warning: a load that rises and falls on purpose is never steady, and its record is no worse for it.
    private static Condition steady(List<RequestOutcome> measured, Optional<RunWindow> window) {
        String name = "output throughput steady after start-up";
        Optional<SteadyState> state = window.flatMap(within -> SteadyState.of(measured, within));
        if (state.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "too little output while requests were being sent", "");
        }
        long startUpPercent = Math.round(state.get().startUpShare() * 100);
        String observed = String.format(Locale.ROOT, "moved by %+.1f %%", state.get().drift() * 100)
                + (startUpPercent > 0 ? " after the first " + startUpPercent + " %" : "");
        return condition(name, state.get().steady(), State.WARNING,
                state.get().steady() ? observed : "no steady state was reached: it " + observed,
                "Ask for more requests or a longer warm-up; where the load itself changes, compare equal stretches.");
    }

    private static Condition lengths(List<RequestOutcome> measured, boolean exact) {
        long wrong = measured.stream().filter(RequestOutcome::ok)
                .filter(request -> exact ? request.outputTokens() != request.askedOutputTokens()
                        : request.outputTokens() > request.askedOutputTokens())
                .count();
        return condition(exact ? "output lengths exactly as asked" : "output lengths at most as asked", wrong == 0,
                State.BROKEN, wrong == 0 ? "all" : wrong + " answers differ",
                "Make the target ignore the end-of-sequence token and use the whole length.");
    }

    private static Condition done(List<RequestOutcome> measured, int asked) {
        return condition(asked + " requests done", measured.size() >= asked, State.BROKEN, measured.size() + " ended",
                "The run was cut short: run it again.");
    }

    private static Condition duration(Optional<RunWindow> window, long shortestNanos) {
        long seen = window.map(RunWindow::lengthNanos).orElse(0L);
        return condition("at least " + QuantityText.latency(shortestNanos) + " measured", seen >= shortestNanos,
                State.BROKEN, QuantityText.latency(seen), "The run was cut short: run it again.");
    }

    private static Condition telemetry(List<TelemetrySample> samples, long dropped) {
        String name = "no telemetry samples dropped";
        if (samples.isEmpty() && dropped == 0) {
            return new Condition(name, State.NOT_CHECKED, "nothing was sampled", "");
        }
        return condition(name, dropped == 0, State.BROKEN, dropped + " dropped, " + samples.size() + " kept",
                "The sampler did not get its turn: sample less often or leave a core free.");
    }

    private static Condition ceiling(RunCircumstances circumstances) {
        String name = "load generator below half of its ceiling";
        if (circumstances.shareOfCeiling().isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "not checked", "Run selfcheck once on this machine.");
        }
        double share = circumstances.shareOfCeiling().getAsDouble();
        return condition(name, share <= CEILING_SHARE, State.BROKEN,
                String.format(Locale.ROOT, "%.1f %% of it", share * 100),
                "The generator may be what is measured: ask for less load.");
    }

    private static Condition otherProcess(Optional<Boolean> other) {
        String name = "no other process on the GPU";
        if (other.isEmpty()) {
            return new Condition(name, State.NOT_CHECKED, "not checked", "");
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
            return new Condition(name, State.NOT_CHECKED, "not checked", "");
        }
        long hot = reasons.stream().filter(ThrottleReasons::thermal).count();
        return condition(name, hot == 0, State.BROKEN, hot + " of " + reasons.size() + " samples throttled",
                "Improve the cooling or lower the power limit, let it cool down and run again.");
    }

    private static Condition enoughRequests(List<RequestOutcome> measured) {
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return condition("at least " + LEAST_REQUESTS + " ok requests for a verdict", ok >= LEAST_REQUESTS,
                State.TOO_LITTLE, Long.toString(ok), "Ask for more requests.");
    }

    private static Condition enoughTime(Optional<RunWindow> window) {
        long seen = window.map(RunWindow::lengthNanos).orElse(0L);
        return condition("at least 10 s for a verdict", seen >= LEAST_WINDOW_NANOS, State.TOO_LITTLE,
                QuantityText.latency(seen), "Ask for more or longer requests.");
    }
}
