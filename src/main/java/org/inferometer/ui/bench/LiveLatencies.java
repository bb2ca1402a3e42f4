package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.Phase;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.bench.RunOutlines.RunOutline;

/// The live charts of latencies, from binned counts.
final class LiveLatencies {
    private static final long WINDOW_NANOS = 5_000_000_000L;
    /// First tokens in a window from which a percentile is shown: ten above the median would be 20; at least one above P95 are 20.
    private static final int LEAST_FOR_P50 = 5;
    private static final int LEAST_FOR_P95 = 20;

    private static final SeriesStyle QUIET_BINS = SeriesStyle.solid(7);

    private LiveLatencies() {}

    /// P50 and P95 of TTFT over the last five seconds at each frame; a gap where too few requests had their first token.
    static Optional<ChartData> overTime(LiveSnapshot snapshot) {
        List<Line> lines = new ArrayList<>();
        for (RunOutline run : snapshot.outlines()) {
            percentile(run.name(), run.style(), run.frames(), run.measureStartNanos(), 0.5, LEAST_FOR_P50)
                    .ifPresent(lines::add);
        }
        percentile("P95", LiveCharts.quiet(Dash.LONG), snapshot.frames(), snapshot.zeroNanos(), 0.95, LEAST_FOR_P95)
                .ifPresent(lines::add);
        percentile("P50", LiveCharts.current(snapshot), snapshot.frames(), snapshot.zeroNanos(), 0.5, LEAST_FOR_P50)
                .ifPresent(lines::add);
        return lines.isEmpty() ? Optional.empty()
                : Optional.of(new ChartData(LiveChart.TTFT.id(), text("live.ttft.title"),
                        LiveCharts.footer(snapshot, text("live.ttft.footer")),
                        ChartData.Axis.fitted(text("live.time-axis")), ChartData.Axis.log(text("live.latency-axis")),
                        new ChartData.Marks.Lines(List.copyOf(lines), false), LiveCharts.markers(snapshot)));
    }

    private static Optional<Line> percentile(String name, SeriesStyle style, List<WorkerFrame.Live> frames, long zero,
            double share, int least) {
        List<WorkerFrame.Live> own = frames.stream().filter(frame -> frame.phase() == Phase.MEASURE).toList();
        double[] x = new double[own.size()];
        double[] y = new double[own.size()];
        int from = -1;
        for (int i = 0; i < own.size(); i++) {
            WorkerFrame.Live now = own.get(i);
            while (now.nanos() - own.get(from + 1).nanos() >= WINDOW_NANOS) {
                from++;
            }
            long[] window = now.ttftBins().clone();
            for (int bin = 0; from >= 0 && bin < window.length; bin++) {
                window[bin] -= at(own.get(from).ttftBins(), bin);
            }
            x[i] = (now.nanos() - zero) / 1e9;
            y[i] = total(window) < least ? Double.NaN
                    : LiveFigures.percentileNanos(window, share).orElse(Double.NaN) / 1e6;
        }
        return Arrays.stream(y).filter(Double::isFinite).count() < 2 ? Optional.empty()
                : Optional.of(new Line(name, style, x, y));
    }

    /// Shares of TTFT and inter-token gaps by logarithmic bin, since the phase began; of finished runs the TTFT.
    static Optional<ChartData> distribution(LiveSnapshot snapshot) {
        long[] none = new long[LatencyBins.COUNT];
        long[] ttft = snapshot.newest().map(WorkerFrame.Live::ttftBins).orElse(none);
        long[] itl = snapshot.newest().map(WorkerFrame.Live::itlBins).orElse(none);
        List<RunOutline> behind =
                snapshot.outlines().stream().filter(run -> total(run.frames().getLast().ttftBins()) > 0).toList();
        List<long[]> counted = new ArrayList<>(List.of(ttft, itl));
        behind.forEach(run -> counted.add(run.frames().getLast().ttftBins()));
        long[] all = new long[LatencyBins.COUNT];
        counted.forEach(bins -> Arrays.setAll(all, bin -> all[bin] + at(bins, bin)));
        if (total(all) == 0) {
            return Optional.empty();
        }
        int low = Math.max(0, firstUsed(all) - 2);
        int high = Math.min(LatencyBins.COUNT, lastUsed(all) + 3);
        double[] edges = new double[high - low + 1];
        for (int i = 0; i < edges.length; i++) {
            edges[i] = LatencyBins.edge(low + i) / 1e6;
        }
        List<Bins> series = new ArrayList<>();
        behind.forEach(run -> series
                .add(new Bins(run.name(), run.style(), shares(run.frames().getLast().ttftBins(), low, high), true)));
        if (total(itl) > 0) {
            series.add(new Bins(text("live.itl"), QUIET_BINS, shares(itl, low, high), false));
        }
        if (total(ttft) > 0) {
            series.add(new Bins(text("live.ttft"), LiveCharts.current(snapshot), shares(ttft, low, high), false));
        }
        String note = snapshot.newest().isPresent() ? text("live.latency.footer", total(ttft), total(itl)) : "";
        return Optional
                .of(new ChartData(LiveChart.LATENCY.id(), text("live.latency.title"), LiveCharts.footer(snapshot, note),
                        ChartData.Axis.log(text("live.latency-axis")), ChartData.Axis.fromZero(text("live.share-axis")),
                        new ChartData.Marks.Histogram(edges, List.copyOf(series))));
    }

    private static double[] shares(long[] bins, int low, int high) {
        double total = total(bins);
        double[] shares = new double[high - low];
        Arrays.setAll(shares, i -> 100.0 * at(bins, low + i) / total);
        return shares;
    }

    private static int firstUsed(long[] bins) {
        int bin = 0;
        while (bins[bin] == 0) {
            bin++;
        }
        return bin;
    }

    private static int lastUsed(long[] bins) {
        int bin = bins.length - 1;
        while (bins[bin] == 0) {
            bin--;
        }
        return bin;
    }

    private static long at(long[] bins, int bin) {
        return bin < bins.length ? bins[bin] : 0;
    }

    private static long total(long[] bins) {
        return Arrays.stream(bins).sum();
    }
}
