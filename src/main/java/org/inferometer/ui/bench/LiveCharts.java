package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Phase;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.bench.RunOutlines.RunOutline;
import org.inferometer.units.QuantityText;

/// The live charts over time. Time counts from the begin of the measured phase, so that finished runs lie behind the
/// current one. Rates are differences over one second.
final class LiveCharts {
    private static final long WINDOW_NANOS = 1_000_000_000L;
    private static final double GIB = 1L << 30;
    private static final double MIB = 1L << 20;
    private static final int QUIET_SLOT = 7;

    private LiveCharts() {}

    /// The style of the current run: that of its cell in every chart.
    static SeriesStyle current(LiveSnapshot snapshot) {
        return snapshot.currentRun().map(LiveSnapshot.RunLine::style).orElse(SeriesStyle.solid(0));
    }

    /// The style of what belongs to the current run and is not its main line.
    static SeriesStyle quiet(Dash dash) {
        return new SeriesStyle(QUIET_SLOT, dash).faint();
    }

    /// What runs, or else the note, with a word about outlines.
    static String footer(LiveSnapshot snapshot, String note) {
        String step = snapshot.step();
        return !step.isEmpty() ? step : snapshot.outlines().isEmpty() ? note : text("live.outlines", note);
    }

    /// The markers of the current run.
    static List<Guide> markers(LiveSnapshot snapshot) {
        return snapshot.markers().stream().map(marker -> new Guide(true, (marker.nanos() - snapshot.zeroNanos()) / 1e9,
                marker.text(), ChartData.Shaded.NONE)).toList();
    }

    /// Output and prompt tokens per second; the warm-up as a separate line.
    static Optional<ChartData> throughput(LiveSnapshot snapshot) {
        List<Line> lines = new ArrayList<>();
        for (RunOutline run : snapshot.outlines()) {
            ratesOf(run.frames(), Phase.MEASURE, true, run.measureStartNanos())
                    .ifPresent(xy -> lines.add(new Line(run.name(), run.style(), xy[0], xy[1])));
        }
        List<WorkerFrame.Live> frames = snapshot.frames();
        long zero = snapshot.zeroNanos();
        // Beside finished runs a past warm-up would take room from what is compared.
        boolean warmUp = snapshot.phase() == Phase.WARM_UP || snapshot.outlines().isEmpty();
        ratesOf(warmUp ? frames : List.of(), Phase.WARM_UP, true, zero)
                .ifPresent(xy -> lines.add(new Line(text("live.warm-up"), quiet(Dash.DOTTED), xy[0], xy[1])));
        ratesOf(frames, Phase.MEASURE, false, zero)
                .ifPresent(xy -> lines.add(new Line(text("live.prompt"), quiet(Dash.LONG), xy[0], xy[1])));
        ratesOf(frames, Phase.MEASURE, true, zero)
                .ifPresent(xy -> lines.add(new Line(text("live.output"), current(snapshot), xy[0], xy[1])));
        return overTime(LiveChart.THROUGHPUT, snapshot, "live.throughput", text("live.tokens-axis"), lines, false);
    }

    /// Requests in the system, running and waiting, as steps.
    static Optional<ChartData> requests(LiveSnapshot snapshot) {
        List<Line> lines = new ArrayList<>();
        for (RunOutline run : snapshot.outlines()) {
            requests(run.name(), run.style(), run.frames(), run.measureStartNanos(), LiveCharts::inSystem)
                    .ifPresent(lines::add);
        }
        List<WorkerFrame.Live> frames = snapshot.frames();
        long zero = snapshot.zeroNanos();
        boolean reported = snapshot.newest().filter(live -> live.waiting() >= 0).isPresent();
        if (reported) {
            requests(text("live.running"), quiet(Dash.LONG), frames, zero, WorkerFrame.Live::running)
                    .ifPresent(lines::add);
            requests(text("live.waiting"), quiet(Dash.DOTTED), frames, zero, WorkerFrame.Live::waiting)
                    .ifPresent(lines::add);
        }
        requests(text(reported ? "live.in-system" : "live.in-flight"), current(snapshot), frames, zero,
                LiveCharts::inSystem).ifPresent(lines::add);
        return overTime(LiveChart.REQUESTS, snapshot,
                reported || frames.isEmpty() ? "live.requests" : "live.requests-client", text("live.requests-axis"),
                lines, true);
    }

    private static double inSystem(WorkerFrame.Live frame) {
        return frame.running() + Math.max(0, frame.waiting());
    }

    private static Optional<Line> requests(String name, SeriesStyle style, List<WorkerFrame.Live> all, long zero,
            ToDoubleFunction<WorkerFrame.Live> count) {
        Phase phase = all.isEmpty() ? Phase.MEASURE : all.getLast().phase();
        List<WorkerFrame.Live> frames = all.stream().filter(frame -> frame.phase() == phase).toList();
        return frames.size() < 2 ? Optional.empty()
                : Optional.of(new Line(name, style,
                        frames.stream().mapToDouble(frame -> (frame.nanos() - zero) / 1e9).toArray(),
                        frames.stream().mapToDouble(count).toArray()));
    }

    /// A chart over time from zero; empty without lines.
    private static Optional<ChartData> overTime(LiveChart chart, LiveSnapshot snapshot, String key, String axis,
            List<Line> lines, boolean steps) {
        return lines.isEmpty() ? Optional.empty()
                : Optional.of(new ChartData(chart.id(), text(key + ".title"), footer(snapshot, text(key + ".footer")),
                        ChartData.Axis.fitted(text("live.time-axis")), ChartData.Axis.fromZero(axis),
                        new ChartData.Marks.Lines(List.copyOf(lines), steps), markers(snapshot)));
    }

    /// Memory by owner over the run, unattributed memory included.
    static Optional<ChartData> memory(LiveSnapshot snapshot) {
        List<WorkerFrame.Live> frames = snapshot.frames();
        if (frames.size() < 2) {
            return Optional.empty();
        }
        long peak = frames.stream().mapToLong(WorkerFrame.Live::totalBytes).max().orElse(0);
        double unit = peak >= GIB ? GIB : MIB;
        double[] seconds = frames.stream().mapToDouble(frame -> (frame.nanos() - snapshot.zeroNanos()) / 1e9).toArray();
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
        String step = snapshot.step();
        return Optional
                .of(new ChartData(LiveChart.MEMORY.id(), text("live.memory.title-unit", unit == GIB ? "GiB" : "MiB"),
                        !step.isEmpty() ? step
                                : text(frames.stream().anyMatch(frame -> owned(frame, MemoryOwner.WEIGHTS) > 0)
                                        ? "live.memory.footer" : "live.memory.footer-client", QuantityText.bytes(peak)),
                        ChartData.Axis.fitted(text("live.time-axis")),
                        ChartData.Axis.fromZero(unit == GIB ? "GiB" : "MiB"),
                        new ChartData.Marks.Stack(seconds, List.copyOf(layers)), markers(snapshot)));
    }

    private static long owned(WorkerFrame.Live frame, MemoryOwner owner) {
        return owner.ordinal() < frame.ownerBytes().length ? frame.ownerBytes()[owner.ordinal()] : 0;
    }

    /// Tokens per second at each frame of a phase: the difference to the newest frame at least one second older.
    private static Optional<double[][]> ratesOf(List<WorkerFrame.Live> frames, Phase phase, boolean output, long zero) {
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
            x[i - 1] = (now.nanos() - zero) / 1e9;
            y[i - 1] = seconds > 0 ? (tokens(now, output) - tokens(before, output)) / seconds : Double.NaN;
        }
        return Optional.of(new double[][]{x, y});
    }

    private static long tokens(WorkerFrame.Live frame, boolean output) {
        return output ? frame.outputTokens() : frame.promptTokens();
    }
}
