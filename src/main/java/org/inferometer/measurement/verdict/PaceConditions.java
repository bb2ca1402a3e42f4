package org.inferometer.measurement.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.inferometer.measurement.Backlog;
import org.inferometer.measurement.LatencyFigures;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.LoadKind;

/// The conditions of a verdict on time: the load generator kept its times, the target kept up, and the run was steady.
///
/// @param measured requests without warm-up
/// @param load how they arrive
public record PaceConditions(List<RequestOutcome> measured, LoadKind load) {
    private static final String SERVED = "served as fast as asked";
    /// The limit of send lateness P99, unless 1 % of the service TTFT is more.
    public static final long LATENESS_NANOS = 1_000_000L;

    private static final String SATURATING = "a load to saturation was asked for";
    private static final double LATENESS_SHARE = 0.01;
    private static final double SMALL_STALL_SHARE = 0.05;
    private static final int LEAST_LOADED = 5;
    private static final long STALL_GAPS = 10;
    private static final long SHORTEST_STALL_NANOS = 10_000_000L;
    private static final long LONGEST_STALL_NANOS = 500_000_000L;
    private static final String GENERATOR_LATE =
            "The load generator was late. Leave it a core or lower the rate; if requests waited for a connection, raise connections.";

    Condition lateness() {
        String name = "send lateness P99 within 1 ms or 1 % of service TTFT" + (load.open() ? " at low load" : "");
        List<RequestOutcome> sent = (load.open() ? measured : afterFirstFill()).stream()
                .filter(request -> request.intendedNanos() != RequestOutcome.ABSENT
                        && request.sentNanos() != RequestOutcome.ABSENT)
                .toList();
        if (load.saturating()) {
            return new Condition(Requirement.PUNCTUAL_SENDS, name, State.NOT_CHECKED, SATURATING, "");
        }
        if (sent.isEmpty()) {
            return new Condition(Requirement.PUNCTUAL_SENDS, name, State.NOT_CHECKED, "no request was sent", "");
        }
        Distribution lateness = LatencyFigures.sendLateness(RequestColumns.of(sent));
        double limit = latenessLimit();
        double p99 = lateness.percentile(99);
        String observed =
                QuantityText.latency(p99) + ", limit " + QuantityText.latency(limit) + ", n = " + lateness.n();
        boolean few = !Distribution.enough(lateness.n(), 99);
        if (few && p99 > limit && lateness.percentile(90) > limit && oneSmallStall(sent, limit)) {
            return new Condition(Requirement.PUNCTUAL_SENDS, name, State.TOO_LITTLE,
                    observed + ": one stall of the load generator delayed "
                            + sent.stream().filter(request -> lateNanos(request) > limit).count() + " requests",
                    "Run it again. If it recurs, leave the load generator a core.");
        }
        return few && lateness.percentile(90) <= limit
                ? VerdictRules.condition(Requirement.PUNCTUAL_SENDS, name, p99 <= limit, State.TOO_LITTLE,
                        observed + ": too few requests for P99",
                        "Ask for 1,000 requests or more, or leave the load generator a core.")
                : VerdictRules.condition(Requirement.PUNCTUAL_SENDS, name, p99 <= limit, State.BROKEN, observed,
                        GENERATOR_LATE);
    }

    private static long lateNanos(RequestOutcome request) {
        return request.sentNanos() - request.intendedNanos();
    }

    /// Whether all late sends were due in one stall, and lateness is at most 5 % of the mean service TTFT (E2E latency of answers that are not
    /// streamed). Answers of a batch end together, so one stall delays all that they make room for.
    private boolean oneSmallStall(List<RequestOutcome> sent, double limit) {
        long stallEnd = RequestOutcome.ABSENT;
        for (RequestOutcome request : sent.stream().filter(each -> lateNanos(each) > limit)
                .sorted(Comparator.comparingLong(RequestOutcome::intendedNanos)).toList()) {
            if (stallEnd != RequestOutcome.ABSENT && request.intendedNanos() > stallEnd) {
                return false;
            }
            stallEnd = Math.max(stallEnd, request.sentNanos());
        }
        long late = sent.stream().mapToLong(PaceConditions::lateNanos).sum();
        long served = sent.stream().filter(RequestOutcome::ok)
                .mapToLong(request -> (request.whole() ? request.lastTokenNanos() : request.firstTokenNanos())
                        - request.sentNanos())
                .sum();
        return late <= SMALL_STALL_SHARE * served;
    }

    /// Without the requests that fill the slots of a closed loop at its start: they are due at one instant and sent in turn, and no answer
    /// has made room for them.
    private List<RequestOutcome> afterFirstFill() {
        long start = measured.stream().mapToLong(RequestOutcome::intendedNanos)
                .filter(nanos -> nanos != RequestOutcome.ABSENT).min().orElse(RequestOutcome.ABSENT);
        List<RequestOutcome> later = measured.stream().filter(request -> request.intendedNanos() != start).toList();
        return later.isEmpty() ? measured : later;
    }

    /// A closed loop has one load, and no overload that could raise its limit: all its requests count.
    private double latenessLimit() {
        Distribution ttft = Distribution
                .of(LatencyFigures.serviceTtftAtLowLoad(measured, load.open() ? LEAST_LOADED : measured.size()));
        return Math.max(LATENESS_NANOS, ttft.isEmpty() ? 0 : LATENESS_SHARE * ttft.percentile(50));
    }

    /// A generator that stands still sends everything late that is due meanwhile. Drawn gaps are no standstill.
    Condition stall() {
        String name = "load generator never stood still";
        if (load.saturating()) {
            return new Condition(Requirement.NO_GENERATOR_STALL, name, State.NOT_CHECKED, SATURATING, "");
        }
        List<RequestOutcome> sent = measured.stream().filter(request -> request.intendedNanos() != RequestOutcome.ABSENT
                && request.sentNanos() != RequestOutcome.ABSENT).toList();
        if (sent.size() < 2) {
            return new Condition(Requirement.NO_GENERATOR_STALL, name, State.NOT_CHECKED,
                    "fewer than 2 requests were sent", "");
        }
        LongSummaryStatistics due = sent.stream().mapToLong(RequestOutcome::intendedNanos).summaryStatistics();
        long gap = (due.getMax() - due.getMin()) / (sent.size() - 1);
        double limit =
                Math.max(latenessLimit(), Math.clamp(STALL_GAPS * gap, SHORTEST_STALL_NANOS, LONGEST_STALL_NANOS));
        long latest = sent.stream().mapToLong(PaceConditions::lateNanos).max().orElse(0);
        return VerdictRules.condition(Requirement.NO_GENERATOR_STALL, name, latest <= limit, State.BROKEN,
                "latest send " + QuantityText.latency(latest) + " late, limit " + QuantityText.latency(limit),
                GENERATOR_LATE);
    }

    /// Only for open loops: in a closed one the target sets the pace.
    Optional<Condition> served() {
        if (!load.open()) {
            return Optional.empty();
        }
        if (load.saturating()) {
            return Optional.of(new Condition(Requirement.SERVED_AS_ASKED, SERVED, State.NOT_CHECKED, SATURATING, ""));
        }
        Optional<Backlog> found = Backlog.of(measured, load.even());
        if (found.isEmpty()) {
            return Optional.of(new Condition(Requirement.SERVED_AS_ASKED, SERVED, State.NOT_CHECKED,
                    "fewer than " + Backlog.LEAST_REQUESTS + " requests, or all due at once", ""));
        }
        Backlog backlog = found.get();
        String offered = "offered " + rate(backlog.offeredPerSecond());
        if (backlog.longEnough() && backlog.grew()) {
            return Optional.of(new Condition(Requirement.SERVED_AS_ASKED, SERVED, State.BROKEN,
                    offered + ", served " + rate(backlog.servedPerSecond())
                            + "; latency grows with the length of the run",
                    "Lower the rate. To measure saturation, ask for arrivals offline or a closed loop."));
        }
        return Optional.of(VerdictRules.condition(Requirement.SERVED_AS_ASKED, SERVED, backlog.longEnough(),
                State.TOO_LITTLE,
                offered + (backlog.longEnough() ? ", and the backlog did not grow"
                        : String.format(Locale.ROOT, " for %.1f latencies: too short to tell", backlog.latencies())),
                "Ask for more requests, or a longer run."));
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%.1f/s", perSecond);
    }

    /// A warning only: a load that changes by design is not steady.
    Condition steadyThroughput(Optional<RunWindow> window) {
        String name = "steady output throughput";
        Optional<SteadyState> state = window.flatMap(within -> SteadyState.of(measured, within));
        if (state.isEmpty()) {
            return new Condition(Requirement.STEADY_THROUGHPUT, name, State.NOT_CHECKED,
                    "too few tokens while requests were sent", "");
        }
        long startUpPercent = Math.round(state.get().startUpShare() * 100);
        String observed = String.format(Locale.ROOT, "moved by %+.1f %%", state.get().drift() * 100)
                + (startUpPercent > 0 ? " after the first " + startUpPercent + " %" : "");
        return VerdictRules.condition(Requirement.STEADY_THROUGHPUT, name, state.get().steady(), State.WARNING,
                observed,
                "Ask for more requests or a longer warm-up. If the load changes by design, compare equal phases.");
    }

    /// Growing latency under an even load breaks the run: its figures depend on its length. Else a warning.
    ///
    /// @param requirement that the latency is steady
    /// @param label of the latency
    /// @param end the instant at which it ends
    Condition steadyLatency(Requirement requirement, String label, ToLongFunction<RequestOutcome> end) {
        String name = "steady " + label;
        if (load.saturating()) {
            return new Condition(requirement, name, State.NOT_CHECKED, SATURATING, "");
        }
        Optional<LatencyTrend> found = LatencyTrend.of(measured, end);
        if (found.isEmpty()) {
            return new Condition(requirement, name, State.NOT_CHECKED,
                    "fewer than " + LatencyTrend.LEAST_REQUESTS + " successful requests", "");
        }
        LatencyTrend trend = found.get();
        String observed = String.format(Locale.ROOT, "%.1f × from start to end", trend.ratio());
        if (trend.grew() && load.even()) {
            return new Condition(requirement, name, State.BROKEN, observed,
                    "The target becomes slower while it runs. Lower the rate, or find what grows in the target.");
        }
        return VerdictRules.condition(requirement, name, !trend.grew() && !trend.fell(), State.WARNING, observed,
                trend.fell() ? "Ask for a longer warm-up or more requests."
                        : "If the load changes by design, compare equal phases.");
    }
}
