package org.inferometer.ui.twin;

import java.util.List;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;

/// One chart of each kind.
public final class SampleCharts {
    private SampleCharts() {}

    /// Lines, bins, a stack, bars and boxes.
    public static List<ChartData> all() {
        double[] x = new double[200];
        double[] fast = new double[200];
        double[] slow = new double[200];
        double[] weights = new double[200];
        double[] cache = new double[200];
        for (int i = 0; i < x.length; i++) {
            x[i] = i / 20.0;
            fast[i] = 1040 + 60 * Math.sin(i / 9.0);
            slow[i] = 655 + 40 * Math.sin(i / 7.0 + 1);
            weights[i] = 15;
            cache[i] = 20 + 30 * Math.min(1, x[i] / 3);
        }
        double[] edges = new double[33];
        double[] shares = new double[32];
        double[] others = new double[32];
        for (int i = 0; i < edges.length; i++) {
            edges[i] = Math.pow(10, i / 8.0);
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] = 18 * Math.exp(-Math.pow(i - 13, 2) / 18.0);
            others[i] = 15 * Math.exp(-Math.pow(i - 18, 2) / 26.0);
        }
        return List.of(
                new ChartData("throughput", "Output throughput, tok/s", "2 runs, 1 s window",
                        Axis.fitted("time since measuring began, s"), Axis.fromZero("tok/s"),
                        new Marks.Lines(List.of(
                                new ChartData.Line("tiny-int4 · continuous", new SeriesStyle(0, Dash.DOTTED), x, fast),
                                new ChartData.Line("tiny-fp8 · continuous", new SeriesStyle(0, Dash.LONG), x, slow)),
                                false)),
                new ChartData("ttft", "TTFT distribution", "n = 24 requests a run", Axis.log("TTFT, ms"),
                        Axis.fromZero("share, %"),
                        new Marks.Histogram(edges,
                                List.of(new ChartData.Bins("continuous", SeriesStyle.solid(0), shares, false),
                                        new ChartData.Bins("naive", SeriesStyle.solid(1), others, true)))),
                new ChartData("memory", "Memory by owner, MiB", "10 Hz samples",
                        Axis.fitted("time since measuring began, s"), Axis.fromZero("MiB"),
                        new Marks.Stack(x,
                                List.of(new ChartData.Layer("Weights", 0, weights),
                                        new ChartData.Layer("KV cache", 1, cache)))),
                new ChartData("comparison", "Output throughput by cell, tok/s", "mean over 3 runs, 95 % interval",
                        Axis.fitted(""), Axis.fromZero("tok/s"),
                        new Marks.Bars(List.of("tiny-fp8", "tiny-int4"),
                                List.of(new ChartData.BarSeries("naive", SeriesStyle.solid(1), new double[]{212, 348},
                                        new double[]{9, 12}),
                                        new ChartData.BarSeries("continuous", SeriesStyle.solid(0),
                                                new double[]{655, 1043}, new double[]{14, 22})))),
                new ChartData("boxes", "TTFT by cell, ms", "P5 to P95, dots are maxima", Axis.fitted(""),
                        Axis.log("TTFT, ms"),
                        new Marks.Boxes(List.of(
                                new ChartData.Box("tiny-fp8 · naive", SeriesStyle.solid(1), 40, 90, 190, 300, 420, 610),
                                new ChartData.Box("tiny-int4 · continuous", SeriesStyle.solid(0), 12, 20, 40, 61, 95,
                                        180)))));
    }
}
