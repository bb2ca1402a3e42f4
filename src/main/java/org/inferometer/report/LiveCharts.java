package org.inferometer.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.report.ChartData.Axis;
import org.inferometer.report.ChartData.Bins;
import org.inferometer.report.ChartData.Layer;
import org.inferometer.report.ChartData.Line;
import org.inferometer.report.ChartData.Look;
import org.inferometer.report.ChartData.Marks;
import org.inferometer.telemetry.MemoryOwner;

/// Charts from plain arrays, for a run that is still going. The arrays are not copied and must not change afterwards.
public final class LiveCharts {
    private static final String TIME = "time since measuring began, s";

    private LiveCharts() {}

    /// Output tokens a second, from 0.
    ///
    /// @param seconds ascending
    /// @param tokensPerSecond NaN where there is a gap
    public static ChartData throughput(double[] seconds, double[] tokensPerSecond, String footer) {
        return new ChartData("throughput", "Output throughput, tok/s", footer, Axis.fitted(TIME), Axis.fromZero("tok/s"),
                new Marks.Lines(List.of(new Line("output", Look.solid(0), seconds, tokensPerSecond)), false));
    }

    /// Requests running and waiting, as steps.
    public static ChartData requestsInSystem(double[] seconds, double[] running, double[] waiting, String footer) {
        return new ChartData("requests-in-system", "Requests in the system", footer, Axis.fitted(TIME), Axis.fromZero("requests"),
                new Marks.Lines(List.of(new Line("running", Look.solid(0), seconds, running), new Line("waiting", Look.solid(1), seconds, waiting)), true));
    }

    /// A latency distribution from counts in bins: the share of each bin, over the bins from the first to the last with a count.
    ///
    /// @param id "ttft", for files
    /// @param label "TTFT"
    /// @param edgesNanos `[bins + 1]` ascending
    /// @param counts `[bins]`
    public static ChartData latencyBins(String id, String label, double[] edgesNanos, long[] counts) {
        long n = Arrays.stream(counts).sum();
        int first = 0;
        int last = counts.length;
        while (first < last - 1 && counts[first] == 0) {
            first++;
        }
        while (last > first + 1 && counts[last - 1] == 0) {
            last--;
        }
        AxisUnit unit = AxisUnit.ofLatency(n == 0 ? 1e6 : edgesNanos[last]);
        double[] edges = Arrays.stream(edgesNanos, first, last + 1).map(edge -> edge / unit.raw()).toArray();
        double[] shares = Arrays.stream(counts, first, last).mapToDouble(count -> n == 0 ? 0 : 100.0 * count / n).toArray();
        return new ChartData(id, label + " distribution, share", "n = " + n + " · live bins, since measuring began",
                Axis.log(label + ", " + unit.word()), Axis.fromZero("share, %"),
                new Marks.Histogram(edges, List.of(new Bins(label, Look.solid(0), shares, false))));
    }

    /// Memory by owner, stacked.
    ///
    /// @param seconds ascending
    /// @param ownerBytes `[samples][owners]` by [MemoryOwner#ordinal()]; a negative remainder is drawn as none
    public static ChartData memory(double[] seconds, long[][] ownerBytes) {
        double largest = 0;
        for (long[] sample : ownerBytes) {
            largest = Math.max(largest, Arrays.stream(sample).mapToDouble(bytes -> Math.max(bytes, 0)).sum());
        }
        AxisUnit unit = AxisUnit.ofMemory(largest);
        List<Layer> layers = new ArrayList<>();
        for (MemoryOwner owner : MemoryOwner.values()) {
            double[] y = Arrays.stream(ownerBytes).mapToDouble(sample -> Math.max(sample[owner.ordinal()], 0) / unit.raw()).toArray();
            layers.add(new Layer(owner.label(), owner.ordinal(), y));
        }
        return new ChartData("memory", "Memory by owner, " + unit.word(), "n = " + seconds.length + " samples", Axis.fitted(TIME),
                Axis.fromZero(unit.word()), new Marks.Stack(seconds, layers));
    }
}
