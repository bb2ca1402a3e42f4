package org.inferometer.measurement.verdict;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.measurement.FailureReasons;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunObservations;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.LoadKind;

/// Judges whether a run is valid: equal observations get equal verdicts.
public final class VerdictRules {
    /// The median needs n ≥ 10 / (1 − 0.5).
    public static final int LEAST_REQUESTS = 20;
    /// Filling and draining the batch, a garbage collection and a change of CPU clock each last some tenths of a second. In a shorter window
    /// one of them changes every rate by several per cent.
    public static final long LEAST_WINDOW_NANOS = 10_000_000_000L;
    /// In simulations of servers that scale linearly, with lengths that vary by two thirds, shown rates are then at least 97 % of the true ones at
    /// 1 to 256 in flight.
    public static final int LEAST_PER_SLOT = 5;
    /// Requests a slot for each unit by which the squared coefficient of variation of latencies is above 1.
    private static final double PER_EXCESS = 8;
    /// Half of the t-interval is 12.7 standard errors with two runs, 4.3 with three.
    public static final int LEAST_RUNS = 3;

    private static final Set<Requirement> BY_CIRCUMSTANCES = EnumSet.of(Requirement.ALL_REQUESTS, Requirement.TELEMETRY,
            Requirement.GENERATOR_CEILING, Requirement.GPU_ALONE, Requirement.NO_THROTTLING);

    private VerdictRules() {}

    /// Why a run is a failure and no result: no measured request succeeded. Empty for a result.
    public static Optional<String> failure(List<RequestOutcome> requests) {
        List<RequestOutcome> measured = requests.stream().filter(request -> !request.warmUp()).toList();
        if (measured.stream().anyMatch(RequestOutcome::ok)) {
            return Optional.empty();
        }
        return Optional.of(measured.isEmpty() ? "No measured request ended."
                : "None of " + measured.size() + " requests succeeded: " + FailureReasons.of(measured).text() + ".");
    }

    /// The verdict of a run.
    public static Verdict judge(RunObservations observations, RunExpectation expectation,
            RunCircumstances circumstances) {
        List<RequestOutcome> measured = observations.requests().stream().filter(request -> !request.warmUp()).toList();
        Optional<RunWindow> window = RunWindow.of(measured);
        List<Condition> conditions = new ArrayList<>();
        RequestConditions requests = new RequestConditions(measured);
        conditions.add(requests.answered());
        conditions.add(requests.failures());
        conditions.add(requests.tokenCounts());
        requests.contradictions(observations.events()).ifPresent(conditions::add);
        requests.separateEvents().ifPresent(conditions::add);
        conditions.add(requests.promptLengths());
        conditions.add(requests.outputLengths(expectation.earlyEnds()));
        conditions.add(requests.done(expectation.requests()));
        PaceConditions pace = new PaceConditions(measured, observations.setup().load());
        conditions.add(pace.lateness());
        conditions.add(pace.stall());
        pace.served().ifPresent(conditions::add);
        conditions.add(pace.steadyThroughput(window));
        conditions.add(
                pace.steadyLatency(Requirement.STEADY_TTFT, Metrics.TTFT.label(), RequestOutcome::firstTokenNanos));
        conditions.add(pace.steadyLatency(Requirement.STEADY_E2E, Metrics.E2E.label(), RequestOutcome::lastTokenNanos));
        conditions.addAll(new MachineConditions(observations, circumstances).all(window));
        if (expectation.shortestNanos() > 0) {
            conditions.add(duration(window, expectation.shortestNanos()));
        }
        conditions.add(enoughRequests(measured));
        enoughPerSlot(measured, observations.setup().load()).ifPresent(conditions::add);
        conditions.add(enoughTime(window));
        return new Verdict(grade(conditions), List.copyOf(conditions));
    }

    /// A verdict by earlier definitions, by those of today. What observations do not tell stays as it was judged.
    ///
    /// @param earlyEnds whether answers may end before their length
    public static Verdict again(Verdict before, RunObservations observations, boolean earlyEnds) {
        Map<Requirement, Condition> judged = new EnumMap<>(Requirement.class);
        before.conditions().forEach(condition -> judged.put(condition.requirement(), condition));
        Verdict today =
                judge(observations, RunExpectation.requests(0).endingEarly(earlyEnds), RunCircumstances.dropped(0));
        List<Condition> conditions = Stream.concat(
                today.conditions().stream()
                        .map(condition -> BY_CIRCUMSTANCES.contains(condition.requirement())
                                ? judged.getOrDefault(condition.requirement(), condition) : condition),
                before.conditions().stream().filter(condition -> condition.requirement() == Requirement.DURATION
                        || condition.requirement() == Requirement.QUIET_MACHINE))
                .toList();
        return new Verdict(grade(conditions), conditions);
    }

    /// INVALID if a condition is broken, else PREVIEW if one has too little data, else VALID. Warnings and unchecked conditions do not count.
    static Grade grade(List<Condition> conditions) {
        if (conditions.stream().anyMatch(condition -> condition.state() == State.BROKEN)) {
            return Grade.INVALID;
        }
        boolean little = conditions.stream().anyMatch(condition -> condition.state() == State.TOO_LITTLE);
        return little ? Grade.PREVIEW : Grade.VALID;
    }

    static Condition condition(Requirement requirement, String name, boolean met, State otherwise, String observed,
            String remedy) {
        return new Condition(requirement, name, met ? State.MET : otherwise, observed, met ? "" : remedy);
    }

    private static Condition duration(Optional<RunWindow> window, long shortestNanos) {
        long seen = window.map(RunWindow::lengthNanos).orElse(0L);
        return condition(Requirement.DURATION, "at least " + QuantityText.latency(shortestNanos) + " measured",
                seen >= shortestNanos, State.BROKEN, QuantityText.latency(seen),
                "The run stopped early. Run it again.");
    }

    private static Condition enoughRequests(List<RequestOutcome> measured) {
        long ok = measured.stream().filter(RequestOutcome::ok).count();
        return condition(Requirement.ENOUGH_REQUESTS, "at least " + LEAST_REQUESTS + " successful requests",
                ok >= LEAST_REQUESTS, State.TOO_LITTLE, Long.toString(ok), "Ask for more requests.");
    }

    /// Only for closed loops: every slot must turn over, else filling and draining are most of the run. Where some latencies are much longer
    /// than others, slots turn over fast at first, until the long ones are in them: by (c² − 1) / 2 requests a slot, c being the coefficient of
    /// variation (renewal theory, Cox 1962). At most 1/16 may be of these.
    private static Optional<Condition> enoughPerSlot(List<RequestOutcome> measured, LoadKind load) {
        if (load.arriving() != LoadKind.Arriving.CLOSED || load.sessions()) {
            return Optional.empty();
        }
        List<Double> nanos = measured.stream().filter(request -> request.sentNanos() != RequestOutcome.ABSENT)
                .map(request -> (double) request.endNanos() - request.sentNanos()).toList();
        Moments moments = Moments.of(nanos.isEmpty() ? List.of(1.0) : nanos);
        double excess = moments.variance() / moments.mean() / moments.mean() - 1;
        int perSlot = Math.max(LEAST_PER_SLOT, (int) Math.ceil(PER_EXCESS * excess));
        return Optional.of(condition(Requirement.REQUESTS_PER_SLOT,
                "at least " + perSlot + " requests per request in flight", measured.size() >= perSlot * load.slots(),
                State.TOO_LITTLE, measured.size() + " for " + load.slots() + " in flight",
                (perSlot > LEAST_PER_SLOT ? "Some take much longer than others. " : "") + "Ask for "
                        + perSlot * load.slots() + " requests or more."));
    }

    private static Condition enoughTime(Optional<RunWindow> window) {
        long seen = window.map(RunWindow::lengthNanos).orElse(0L);
        return condition(Requirement.ENOUGH_TIME, "window of at least 10 s", seen >= LEAST_WINDOW_NANOS,
                State.TOO_LITTLE, QuantityText.latency(seen), "Ask for more or longer requests.");
    }
}
