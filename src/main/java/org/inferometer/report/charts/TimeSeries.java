package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.statistics.RadixSort;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Lane;

/// A quantity over the time of one run, as arrays: x in seconds since measuring began.
///
/// @param x `[points]` seconds, ascending
/// @param y `[points]` NaN where nothing is known
record TimeSeries(double[] x, double[] y) {
    /// Stretches of a line that is thinned.
    static final int STRETCHES = 1 << 15;
    /// The most points of a line of counts.
    static final int MOST_POINTS = 4 * STRETCHES;
    private static final double[] WIDTHS_SECONDS = {1, 0.5, 0.25, 0.1};
    private static final int LEAST_WINDOWS = 20;
    private static final int STEP_WINDOWS = 120;
    private static final TimeSeries EMPTY = new TimeSeries(new double[0], new double[0]);

    /// The width of throughput windows: one second, or less if the shortest run would have fewer than twenty windows.
    static double widthSeconds(List<RunRecord> runs) {
        double shortest = runs.stream().flatMap(run -> RunWindow.of(run.observations().requests()).stream())
                .mapToDouble(RunWindow::seconds).min().orElse(0);
        return Arrays.stream(WIDTHS_SECONDS).filter(width -> shortest >= width * LEAST_WINDOWS).findFirst()
                .orElse(WIDTHS_SECONDS[WIDTHS_SECONDS.length - 1]);
    }

    /// Output tokens a second of each whole window, at its middle; a partial window at the end has no point.
    static TimeSeries outputThroughput(RunRecord run, double widthSeconds) {
        RequestColumns requests = run.observations().requests();
        RunWindow window = RunWindow.of(requests).orElse(null);
        if (window == null) {
            return EMPTY;
        }
        int n = (int) Math.min(1_000_000, Math.floor(window.seconds() / widthSeconds));
        double[] y = new double[n];
        requests.measured().forEachEvent((nanos, tokens) -> {
            double at = (nanos - window.startNanos()) / 1e9 / widthSeconds;
            if (at >= 0 && at < n) {
                y[(int) at] += tokens / widthSeconds;
            }
        });
        return inWindows(y, widthSeconds);
    }

    /// Requests between sending and first scheduling; empty for a target that reports no admission.
    static TimeSeries waiting(RunRecord run) {
        return between(run, RequestColumns::sentNanos, RequestColumns::admittedNanos);
    }

    /// Requests between first scheduling and their end; empty for a target that reports no admission.
    static TimeSeries running(RunRecord run) {
        return between(run, RequestColumns::admittedNanos, RequestColumns::endNanos);
    }

    /// Requests between sending and their end.
    static TimeSeries inFlight(RunRecord run) {
        return between(run, RequestColumns::sentNanos, RequestColumns::endNanos);
    }

    private interface Instant {
        long of(RequestColumns requests, int i);
    }

    private static TimeSeries between(RunRecord run, Instant from, Instant to) {
        RequestColumns all = run.observations().requests();
        long[] begins = new long[all.size()];
        long[] ends = new long[all.size()];
        int n = 0;
        for (int i = 0; i < all.size(); i++) {
            begins[n] = from.of(all, i);
            ends[n] = to.of(all, i);
            n += begins[n] != RequestOutcome.ABSENT && ends[n] >= begins[n] ? 1 : 0;
        }
        if (n == 0) {
            return EMPTY;
        }
        begins = n == begins.length ? begins : Arrays.copyOf(begins, n);
        ends = n == ends.length ? ends : Arrays.copyOf(ends, n);
        RadixSort.ascending(begins);
        RadixSort.ascending(ends);
        double[] nanos = new double[2 * n];
        double[] counts = new double[2 * n];
        int begun = 0;
        int ended = 0;
        for (int i = 0; i < nanos.length; i++) {
            boolean begin = begun < n && begins[begun] <= ends[ended];
            nanos[i] = begin ? begins[begun++] : ends[ended++];
            counts[i] = (double) begun - ended;
        }
        return counts(RunWindow.of(all).map(RunWindow::startNanos).orElse(0L), nanos, counts);
    }

    /// A count that changes at many instants: all points, or of many the first, the least, the greatest and the last of each of
    /// [#STRETCHES] equal stretches of time (docs/decisions/0051).
    ///
    /// @param originNanos at which x is 0
    /// @param nanos `[points]` ascending, at least one
    static TimeSeries counts(long originNanos, double[] nanos, double[] counts) {
        int last = nanos.length - 1;
        int[] kept = nanos.length <= MOST_POINTS ? IntStream.rangeClosed(0, last).toArray()
                : new M4Decimation(nanos, counts).indices(0, nanos.length, nanos[0], nanos[last], false, STRETCHES);
        return new TimeSeries(Arrays.stream(kept).mapToDouble(i -> (nanos[i] - originNanos) / 1e9).toArray(),
                M4Decimation.at(counts, kept));
    }

    /// The share of all KV blocks that is held in per cent, weighted by step time; empty if the size of a pool is not known.
    static TimeSeries kvUse(RunRecord run) {
        Optional<RunWindow> window = RunWindow.of(run.observations().requests());
        double[] held = new double[STEP_WINDOWS];
        double[] time = new double[STEP_WINDOWS];
        for (StepReport step : run.observations().steps()) {
            int blocks = run.observations().setup().poolBlocks(step.lane());
            if (blocks <= 0 || window.isEmpty()) {
                return EMPTY;
            }
            spread(step, window.get(), (at, nanos) -> {
                held[at] += 100 * nanos * step.kvBlocksHeld() / blocks;
                time[at] += nanos;
            });
        }
        Arrays.setAll(held, at -> held[at] / time[at]);
        return window.map(within -> inWindows(held, within.seconds() / STEP_WINDOWS)).orElse(EMPTY);
    }

    /// Busy time of the computing lanes in per cent of their time.
    static TimeSeries laneUse(RunRecord run) {
        Optional<RunWindow> window = RunWindow.of(run.observations().requests());
        var computing = run.observations().setup().lanes().stream().filter(lane -> lane.role() != Lane.Role.TRANSFER)
                .map(Lane::id).collect(Collectors.toSet());
        if (window.isEmpty() || computing.isEmpty()) {
            return EMPTY;
        }
        double laneNanos = (double) window.get().lengthNanos() / STEP_WINDOWS * computing.size();
        double[] busy = new double[STEP_WINDOWS];
        run.observations().steps().stream().filter(step -> computing.contains(step.lane()))
                .forEach(step -> spread(step, window.get(), (at, nanos) -> busy[at] += 100 * nanos / laneNanos));
        return inWindows(busy, window.get().seconds() / STEP_WINDOWS);
    }

    private interface Share {
        void add(int window, double nanos);
    }

    /// Gives each window the part of the step that lies in it.
    private static void spread(StepReport step, RunWindow within, Share share) {
        double width = (double) within.lengthNanos() / STEP_WINDOWS;
        double from = Math.max(step.startNanos(), within.startNanos()) - (double) within.startNanos();
        double to = Math.min(step.endNanos(), within.endNanos()) - (double) within.startNanos();
        for (int at = (int) Math.max(0, from / width); at < STEP_WINDOWS && at * width < to; at++) {
            share.add(at, Math.min(to, (at + 1) * width) - Math.max(from, at * width));
        }
    }

    /// Values at the middles of windows of one width.
    private static TimeSeries inWindows(double[] y, double widthSeconds) {
        double[] x = new double[y.length];
        Arrays.setAll(x, at -> (at + 0.5) * widthSeconds);
        return new TimeSeries(x, y);
    }
}
