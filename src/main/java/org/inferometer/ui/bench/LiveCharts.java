package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Phase;
import org.inferometer.report.charts.ChartData;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.QuantityText;

/// The three live charts. Rates are differences over one second.
final class LiveCharts {
    private static final long WINDOW_NANOS = 1_000_000_000L;
    private static final double GIB = 1L << 30;
    private static final double MIB = 1L << 20;
    private static final int OUTPUT_COLOUR = 0;
    private static final int PROMPT_COLOUR = 4;
    private static final int TTFT_COLOUR = 0;
    private static final int ITL_COLOUR = 1;
    private static final int WARM_UP_COLOUR = 7;

    private LiveCharts() {}

    /// Output and prompt tokens per second; the warm-up as a separate line.
    static Optional<ChartData> throughput(LiveSnapshot snapshot) {
        List<WorkerFrame.Live> frames = snapshot.frames();
        if (frames.size() < 2) {
            return Optional.empty();
        }
        List<ChartData.Line> lines = new ArrayList<>();
        ratesOf(frames, Phase.WARM_UP, true).ifPresent(xy -> lines
                .add(line(text("live.warm-up"), new ChartData.SeriesStyle(WARM_UP_COLOUR, ChartData.Dash.DOTTED), xy)));
        ratesOf(frames, Phase.MEASURE, false).ifPresent(xy -> lines
                .add(line(text("live.prompt"), new ChartData.SeriesStyle(PROMPT_COLOUR, ChartData.Dash.LONG), xy)));
        ratesOf(frames, Phase.MEASURE, true)
                .ifPresent(xy -> lines.add(line(text("live.output"), ChartData.SeriesStyle.solid(OUTPUT_COLOUR), xy)));
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ChartData("live-throughput", text("live.throughput.title"),
                text("live.throughput.footer"), ChartData.Axis.fitted(text("live.time-axis")),
                ChartData.Axis.fromZero(text("live.tokens-axis")),
                new ChartData.Marks.Lines(List.copyOf(lines), false)));
    }

    /// Shares of TTFT and inter-token gaps by logarithmic bin, since the phase began.
    static Optional<ChartData> latency(LiveSnapshot snapshot) {
        return snapshot.newest().flatMap(live -> {
            long ttft = total(live.ttftBins());
            long itl = total(live.itlBins());
            if (ttft + itl == 0) {
                return Optional.empty();
            }
            int low = Math.max(0, firstUsed(live) - 2);
            int high = Math.min(LatencyBins.COUNT, lastUsed(live) + 3);
            double[] edges = new double[high - low + 1];
            for (int i = 0; i < edges.length; i++) {
                edges[i] = LatencyBins.edge(low + i) / 1e6;
            }
            List<ChartData.Bins> series = new ArrayList<>();
            if (itl > 0) {
                series.add(new ChartData.Bins(text("live.itl"), ChartData.SeriesStyle.solid(ITL_COLOUR),
                        shares(live.itlBins(), low, high, itl), false));
            }
            if (ttft > 0) {
                series.add(new ChartData.Bins(text("live.ttft"), ChartData.SeriesStyle.solid(TTFT_COLOUR),
                        shares(live.ttftBins(), low, high, ttft), false));
            }
            String phaseNote = live.phase() == Phase.WARM_UP ? text("live.latency.footer-warm-up", ttft, itl)
                    : text("live.latency.footer", ttft, itl);
            return Optional.of(new ChartData("live-latency", text("live.latency.title"), phaseNote,
                    ChartData.Axis.log(text("live.latency-axis")), ChartData.Axis.fromZero(text("live.share-axis")),
                    new ChartData.Marks.Histogram(edges, List.copyOf(series))));
        });
    }

    /// Memory by owner over the run, unattributed memory included.
    static Optional<ChartData> memory(LiveSnapshot snapshot) {
        List<WorkerFrame.Live> frames = snapshot.frames();
        if (frames.size() < 2) {
            return Optional.empty();
        }
        long peak = frames.stream().mapToLong(WorkerFrame.Live::totalBytes).max().orElse(0);
        double unit = peak >= GIB ? GIB : MIB;
        double[] seconds = frames.stream().mapToDouble(frame -> frame.nanos() / 1e9).toArray();
        List<ChartData.Layer> layers = new ArrayList<>();
        for (MemoryOwner owner : MemoryOwner.values()) {
            double[] heights = frames.stream().mapToDouble(frame -> owned(frame, owner) / unit).toArray();
            if (Arrays.stream(heights).anyMatch(height -> height > 0)) {
                layers.add(new ChartData.Layer(owner.label(), owner.ordinal(), heights));
            }
        }
        if (layers.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ChartData("live-memory", text("live.memory.title-unit", unit == GIB ? "GiB" : "MiB"),
                text(frames.stream().anyMatch(frame -> owned(frame, MemoryOwner.WEIGHTS) > 0) ? "live.memory.footer"
                        : "live.memory.footer-client", QuantityText.bytes(peak)),
                ChartData.Axis.fitted(text("live.time-axis")), ChartData.Axis.fromZero(unit == GIB ? "GiB" : "MiB"),
                new ChartData.Marks.Stack(seconds, List.copyOf(layers))));
    }

    private static long owned(WorkerFrame.Live frame, MemoryOwner owner) {
        return owner.ordinal() < frame.ownerBytes().length ? frame.ownerBytes()[owner.ordinal()] : 0;
    }

    private static ChartData.Line line(String name, ChartData.SeriesStyle style, double[][] xy) {
        return new ChartData.Line(name, style, xy[0], xy[1]);
    }

    /// Tokens per second at each frame of a phase: the difference to the newest frame at least one second older.
    private static Optional<double[][]> ratesOf(List<WorkerFrame.Live> frames, Phase phase, boolean output) {
        List<WorkerFrame.Live> own = frames.stream().filter(frame -> frame.phase() == phase).toList();
        if (own.size() < 2) {
            return Optional.empty();
        }
        double[] x = new double[own.size() - 1];
        double[] y = new double[own.size() - 1];
        int from = 0;
        for (int i = 1; i < own.size(); i++) {
            WorkerFrame.Live now = own.get(i);
            while (from + 1 < i && now.nanos() - own.get(from + 1).nanos() >= WINDOW_NANOS) {
                from++;
            }
            WorkerFrame.Live before = own.get(from);
            double seconds = (now.nanos() - before.nanos()) / 1e9;
            x[i - 1] = now.nanos() / 1e9;
            y[i - 1] = seconds > 0 ? (tokens(now, output) - tokens(before, output)) / seconds : Double.NaN;
        }
        return Optional.of(new double[][]{x, y});
    }

    private static long tokens(WorkerFrame.Live frame, boolean output) {
        return output ? frame.outputTokens() : frame.promptTokens();
    }

    private static double[] shares(long[] bins, int low, int high, long total) {
        double[] shares = new double[high - low];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = low + i < bins.length ? 100.0 * bins[low + i] / total : 0;
        }
        return shares;
    }

    private static int firstUsed(WorkerFrame.Live live) {
        for (int i = 0; i < LatencyBins.COUNT; i++) {
            if (at(live.ttftBins(), i) + at(live.itlBins(), i) > 0) {
                return i;
            }
        }
        return 0;
    }

    private static int lastUsed(WorkerFrame.Live live) {
        for (int i = LatencyBins.COUNT - 1; i >= 0; i--) {
            if (at(live.ttftBins(), i) + at(live.itlBins(), i) > 0) {
                return i;
            }
        }
        return LatencyBins.COUNT - 1;
    }

    private static long at(long[] bins, int bin) {
        return bin < bins.length ? bins[bin] : 0;
    }

    private static long total(long[] bins) {
        return Arrays.stream(bins).sum();
    }
}
