package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;

/// What happened over the time of one run, as arrays: x in seconds since measuring began.
///
/// @param x `[points]` seconds, ascending
/// @param y `[points]`
record TimeSeries(double[] x, double[] y) {
    private static final double[] WIDTHS_SECONDS = {1, 0.5, 0.25, 0.1};
    private static final int ENOUGH_WINDOWS = 20;
    private static final TimeSeries EMPTY = new TimeSeries(new double[0], new double[0]);

    /// The width of windows for throughput: one second, or less where the shortest run would have fewer than twenty windows.
    static double widthSeconds(List<RunRecord> runs) {
        double shortest = runs.stream().flatMap(run -> RunWindow.of(run.observations().requests()).stream())
                .mapToDouble(RunWindow::seconds).min().orElse(0);
        for (double width : WIDTHS_SECONDS) {
            if (shortest >= width * ENOUGH_WINDOWS) {
                return width;
            }
        }
        return WIDTHS_SECONDS[WIDTHS_SECONDS.length - 1];
    }

    /// Output tokens a second of each whole window, at the window's middle; what is left over at the end makes no point.
    static TimeSeries outputThroughput(RunRecord run, double widthSeconds) {
        List<RequestOutcome> requests = run.observations().requests();
        RunWindow window = RunWindow.of(requests).orElse(null);
        if (window == null) {
            return EMPTY;
        }
        int n = (int) Math.min(1_000_000, Math.floor(window.seconds() / widthSeconds));
        double[] x = new double[n];
        double[] y = new double[n];
        Arrays.setAll(x, i -> (i + 0.5) * widthSeconds);
        for (RequestOutcome request : requests) {
            if (!request.warmUp()) {
                // Of a chunk only the request's mean is known; the curve's area is right either way.
                double tokensEach =
                        request.perChunk() ? (double) request.outputTokens() / request.tokenNanos().length : 1;
                for (long token : request.tokenNanos()) {
                    int at = (int) Math.floor((token - window.startNanos()) / 1e9 / widthSeconds);
                    if (at >= 0 && at < n) {
                        y[at] += tokensEach / widthSeconds;
                    }
                }
            }
        }
        return new TimeSeries(x, y);
    }

    /// Requests between sending and first scheduling; empty where the target does not tell.
    static TimeSeries waiting(RunRecord run) {
        return between(run, RequestOutcome::sentNanos, RequestOutcome::admittedNanos);
    }

    /// Requests between first scheduling and their end; empty where the target does not tell.
    static TimeSeries running(RunRecord run) {
        return between(run, RequestOutcome::admittedNanos, RequestOutcome::endNanos);
    }

    /// Requests between sending and their end.
    static TimeSeries inSystem(RunRecord run) {
        return between(run, RequestOutcome::sentNanos, RequestOutcome::endNanos);
    }

    private static TimeSeries between(RunRecord run, ToLongFunction<RequestOutcome> from,
            ToLongFunction<RequestOutcome> to) {
        List<RequestOutcome> requests = run.observations().requests();
        long origin = RunWindow.of(requests).map(RunWindow::startNanos).orElse(0L);
        long[] begins = instants(requests, from, to, true);
        long[] ends = instants(requests, from, to, false);
        double[] x = new double[begins.length * 2];
        double[] y = new double[begins.length * 2];
        int points = 0;
        int begun = 0;
        int ended = 0;
        while (ended < ends.length) {
            boolean begin = begun < begins.length && begins[begun] <= ends[ended];
            long at = begin ? begins[begun++] : ends[ended++];
            x[points] = (at - origin) / 1e9;
            y[points++] = begun - ended;
        }
        return new TimeSeries(Arrays.copyOf(x, points), Arrays.copyOf(y, points));
    }

    private static long[] instants(List<RequestOutcome> requests, ToLongFunction<RequestOutcome> from,
            ToLongFunction<RequestOutcome> to, boolean begin) {
        return requests.stream()
                .filter(request -> from.applyAsLong(request) != RequestOutcome.ABSENT
                        && to.applyAsLong(request) >= from.applyAsLong(request))
                .mapToLong(request -> begin ? from.applyAsLong(request) : to.applyAsLong(request)).sorted().toArray();
    }
}
