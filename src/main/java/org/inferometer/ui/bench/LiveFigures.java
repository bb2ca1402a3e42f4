package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.Phase;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.RunOutlines.RunOutline;

/// The live KPIs. They are estimates; exact values come from the record.
final class LiveFigures {
    private static final long WINDOW_NANOS = 1_000_000_000L;

    private LiveFigures() {}

    /// Output tokens per second over the last second of the phase.
    static OptionalDouble outputTokensPerSecond(LiveSnapshot snapshot) {
        if (snapshot.newest().isEmpty()) {
            return OptionalDouble.empty();
        }
        WorkerFrame.Live now = snapshot.newest().get();
        List<WorkerFrame.Live> frames = snapshot.frames();
        long beforeTokens = 0;
        long beforeNanos = snapshot.phaseStartNanos();
        for (WorkerFrame.Live frame : frames) {
            if (frame.phase() == now.phase() && now.nanos() - frame.nanos() >= WINDOW_NANOS) {
                beforeTokens = frame.outputTokens();
                beforeNanos = frame.nanos();
            }
        }
        double seconds = (now.nanos() - beforeNanos) / 1e9;
        return seconds > 0 ? OptionalDouble.of((now.outputTokens() - beforeTokens) / seconds) : OptionalDouble.empty();
    }

    /// The values of the KPIs by their key; none outside the measured phase.
    static Map<String, OptionalDouble> measured(LiveSnapshot snapshot) {
        return snapshot.newest().filter(live -> live.phase() == Phase.MEASURE && snapshot.phase() == Phase.MEASURE)
                .map(live -> Map.of("kpi.tokens", outputTokensPerSecond(snapshot), "kpi.requests",
                        requestsPerSecond(snapshot), "kpi.ttft", medianNanos(live.ttftBins()), "kpi.itl",
                        medianNanos(live.itlBins()), "kpi.in-system",
                        OptionalDouble.of(live.running() + Math.max(0, live.waiting()))))
                .orElse(Map.of());
    }

    /// Output tokens per second between frames of the measured phase.
    static List<Double> rates(List<WorkerFrame.Live> frames) {
        List<Double> rates = new ArrayList<>();
        WorkerFrame.Live before = null;
        for (WorkerFrame.Live frame : frames) {
            if (frame.phase() == Phase.MEASURE) {
                if (before != null && frame.nanos() > before.nanos()) {
                    rates.add((frame.outputTokens() - before.outputTokens()) * 1e9 / (frame.nanos() - before.nanos()));
                }
                before = frame;
            }
        }
        return rates;
    }

    /// Output tokens per second of the whole measured phase of a finished run.
    static OptionalDouble meanRate(RunOutline run) {
        if (run.frames().isEmpty()) {
            return OptionalDouble.empty();
        }
        WorkerFrame.Live last = run.frames().getLast();
        double seconds = (last.nanos() - run.measureStartNanos()) / 1e9;
        return seconds > 0 ? OptionalDouble.of(last.outputTokens() / seconds) : OptionalDouble.empty();
    }

    /// Completed requests per second since the phase began.
    static OptionalDouble requestsPerSecond(LiveSnapshot snapshot) {
        return snapshot.newest().map(now -> {
            double seconds = (now.nanos() - snapshot.phaseStartNanos()) / 1e9;
            return seconds > 0 && now.phaseDone() > 0 ? OptionalDouble.of(now.phaseDone() / seconds)
                    : OptionalDouble.empty();
        }).orElse(OptionalDouble.empty());
    }

    /// The median of binned latencies in nanoseconds; see [#percentileNanos].
    static OptionalDouble medianNanos(long[] bins) {
        return percentileNanos(bins, 0.5);
    }

    /// A percentile of binned latencies in nanoseconds, interpolated logarithmically in its bin; error below 15 %.
    ///
    /// @param share of the latencies below it, 0 to 1
    static OptionalDouble percentileNanos(long[] bins, double share) {
        long total = Arrays.stream(bins).sum();
        if (total == 0) {
            return OptionalDouble.empty();
        }
        double rank = total * share;
        long below = 0;
        for (int bin = 0; bin < bins.length; bin++) {
            if (below + bins[bin] >= rank && bins[bin] > 0) {
                double inside = (rank - below) / bins[bin];
                double low = LatencyBins.edge(bin);
                return OptionalDouble.of(low * Math.pow(LatencyBins.edge(bin + 1) / low, inside));
            }
            below += bins[bin];
        }
        return OptionalDouble.empty();
    }

    /// Progress of the experiment, 0 to 1; negative when the number of runs is unknown.
    static double fractionDone(LiveSnapshot snapshot) {
        if (snapshot.openEnded()) {
            return -1;
        }
        int runs = snapshot.runs().size();
        if (runs == 0) {
            return 0;
        }
        long ended = snapshot.runs().stream().filter(
                line -> line.state() == LiveSnapshot.RunState.ENDED || line.state() == LiveSnapshot.RunState.FAILED)
                .count();
        double inRun = ended < runs ? runFraction(snapshot) : 0;
        return Math.min(1, (ended + inRun) / runs);
    }

    /// Progress of the current run: the warm-up counts a tenth, the measured requests the rest.
    static double runFraction(LiveSnapshot snapshot) {
        if (snapshot.currentRun().filter(run -> run.state() == LiveSnapshot.RunState.RUNNING).isEmpty()) {
            return 0;
        }
        double ofPhase = snapshot.newest().filter(live -> live.phase() == snapshot.phase())
                .map(WorkerFrame.Live::phaseShare).orElse(0.0);
        return switch (snapshot.phase()) {
            case LOAD -> 0;
            case WARM_UP -> 0.1 * ofPhase;
            case MEASURE -> 0.1 + 0.88 * ofPhase;
            case ANALYSE -> 0.98;
        };
    }

    /// Remaining seconds; empty below 5 % progress.
    static OptionalDouble remainingSeconds(double elapsedSeconds, double fraction) {
        return fraction >= 0.05 && fraction < 1 ? OptionalDouble.of(elapsedSeconds * (1 - fraction) / fraction)
                : OptionalDouble.empty();
    }
}
