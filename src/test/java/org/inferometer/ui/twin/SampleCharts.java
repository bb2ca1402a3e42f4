package org.inferometer.ui.twin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Tone;

/// One chart of each kind.
public final class SampleCharts {
    private SampleCharts() {}

    /// Every kind of marks; lines also with bands and guides.
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
        return Stream.concat(Stream.of(
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
                        new Marks.Bars(List.of("tiny-fp8", "tiny-int4"), List.of(
                                new ChartData.BarSeries("naive", SeriesStyle.solid(1), new double[]{212, 348},
                                        List.of(new ChartData.Span(212 - 9, 212 + 9),
                                                new ChartData.Span(348 - 12, 348 + 12))),
                                new ChartData.BarSeries("continuous", SeriesStyle.solid(0), new double[]{655, 1043},
                                        List.of(new ChartData.Span(655 - 14, 655 + 14),
                                                new ChartData.Span(1043 - 22, 1043 + 22)))))),
                new ChartData("boxes", "TTFT by cell, ms", "P5 to P95, dots are maxima", Axis.fitted(""),
                        Axis.log("TTFT, ms"),
                        new Marks.Boxes(List.of(
                                new ChartData.Box("tiny-fp8 · naive", SeriesStyle.solid(1), 40, 90, 190, 300, 420, 610),
                                new ChartData.Box("tiny-int4 · continuous", SeriesStyle.solid(0), 12, 20, 40, 61, 95,
                                        180))))),
                Stream.of(points(), ratios(), sweep(), owners(), heatMap())).toList();
    }

    private static ChartData points() {
        String[] schedulers = {"continuous", "naive", "static"};
        Dash[] dashes = {Dash.SOLID, Dash.LONG, Dash.DOTTED};
        String[] precisions = {"BF16", "FP8", "INT4"};
        List<ChartData.PointSeries> series = new ArrayList<>();
        for (int s = 0; s < schedulers.length; s++) {
            for (int p = 0; p < precisions.length; p++) {
                double x = 260 + 90 * p - 60 * s + 40 * (s == 0 ? 1 : 0);
                double y = (s == 0 ? 60 : s == 1 ? 1140 : 420) / (1 + 0.3 * p);
                series.add(new ChartData.PointSeries(schedulers[s] + " · " + precisions[p],
                        new SeriesStyle(s, dashes[p]), false,
                        List.of(new ChartData.Point(schedulers[s] + " · " + precisions[p], x, y,
                                new ChartData.Span(x - 22, x + 22), new ChartData.Span(y / 1.2, y * 1.2),
                                new double[]{x - 18, x + 4, x + 20}, new double[]{y * 0.9, y * 1.15, y}))));
            }
        }
        return new ChartData("plane", "TTFT P95 against output throughput",
                "mark: cell with 95 % interval · dot: run · shaded: within the limit", Axis.fitted("output, tok/s"),
                Axis.log("TTFT P95, ms"), new Marks.Points(series),
                List.of(new ChartData.Guide(false, 500, "limit 500 ms", ChartData.Shaded.BELOW)));
    }

    private static ChartData ratios() {
        return new ChartData("ratios", "INT4 to FP8, ratio by metric", "95 % intervals · a dot a pair of runs",
                Axis.log("ratio to FP8"), Axis.fitted(""),
                new Marks.Ratios(List.of(ratio("Output tok/s", Tone.BETTER, "better", 1.31, 1.27, 1.35),
                        ratio("Requests/s", Tone.NEUTRAL, "not detectable", 1, 0.99, 1.01),
                        ratio("TTFT P50", Tone.NEUTRAL, "not detectable", 0.96, 0.9, 1.02),
                        ratio("TTFT P95", Tone.WORSE, "worse", 1.22, 1.08, 1.4),
                        ratio("ITL P50", Tone.BETTER, "better", 0.7, 0.69, 0.71),
                        ratio("E2E P95", Tone.BETTER, "better", 0.74, 0.7, 0.78),
                        ratio("Weights + KV", Tone.BETTER, "better", 0.55, 0.55, 0.55),
                        new ChartData.Ratio("Energy per token", Tone.NEUTRAL, "not recorded", Double.NaN,
                                ChartData.Span.NONE, new double[0], ""))));
    }

    private static ChartData.Ratio ratio(String name, Tone tone, String outcome, double value, double low,
            double high) {
        String text = tone == Tone.NEUTRAL ? "below 13 %"
                : String.format(Locale.ROOT, "%.2f× [%.2f, %.2f]", value, low, high);
        return new ChartData.Ratio(name, tone, outcome, value, new ChartData.Span(low, high),
                new double[]{low * 0.99, value * 1.005, value, high * 1.01, value * 0.995}, text);
    }

    private static ChartData sweep() {
        double[] rates = {1, 2, 4, 6, 8, 12, 16};
        List<ChartData.Line> lines = new ArrayList<>();
        for (int s = 0; s < 2; s++) {
            for (int p = 0; p < 2; p++) {
                double[] y = new double[rates.length];
                List<ChartData.Span> band = new ArrayList<>();
                for (int i = 0; i < y.length; i++) {
                    y[i] = (s == 0 ? 24 : 80) * (1 + p * 0.6) * Math.exp(rates[i] * (s == 0 ? 0.16 : 0.26));
                    band.add(i == 3 && s == 1 ? ChartData.Span.NONE : new ChartData.Span(y[i] / 1.18, y[i] * 1.2));
                }
                lines.add(new ChartData.Line((s == 0 ? "continuous" : "naive") + (p == 0 ? " · INT4" : " · FP8"),
                        new SeriesStyle(s, p == 0 ? Dash.DOTTED : Dash.LONG), rates, y, band));
            }
        }
        return new ChartData("sweep", "TTFT P95 over the offered rate", "bands: 95 % intervals over 3 runs",
                Axis.log("offered rate, req/s"), Axis.log("TTFT P95, ms"), new Marks.Lines(lines, false),
                List.of(new ChartData.Guide(false, 500, "limit 500 ms", ChartData.Shaded.NONE),
                        new ChartData.Guide(true, 8, "knee 8 req/s", ChartData.Shaded.NONE)));
    }

    private static ChartData owners() {
        return new ChartData("owners", "Memory at its peak by owner, MiB", "first run of each cell", Axis.fitted("MiB"),
                Axis.fitted(""),
                new Marks.OwnerBars(
                        List.of("BF16 · continuous", "FP8 · continuous", "INT4 · continuous", "INT4 · naive"),
                        List.of(new ChartData.Layer("Weights", 0, new double[]{258, 130, 72, 72}),
                                new ChartData.Layer("KV cache", 1, new double[]{96, 96, 96, 24}),
                                new ChartData.Layer("Activations", 2, new double[]{31, 31, 31, 8}),
                                new ChartData.Layer("Workspace", 3, new double[]{18, 18, 22, 6}),
                                new ChartData.Layer("Java runtime", 4, new double[]{58, 56, 57, 51}),
                                new ChartData.Layer("Unattributed", 5, new double[]{40, 38, 44, 33}))));
    }

    private static ChartData heatMap() {
        List<String> rates = List.of("1", "2", "4", "8", "16");
        List<String> schedulers = List.of("continuous · chunk 256", "continuous · chunk 1024", "static", "naive");
        double[][] values = {{24, 25, 27, 31, 58}, {23, 26, 33, 49, 120}, {60, 75, 140, 420, 1900},
                {70, 160, 890, 3100, Double.NaN}};
        List<List<String>> texts = Arrays.stream(values)
                .map(row -> Arrays.stream(row)
                        .mapToObj(value -> Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.0f", value))
                        .toList())
                .toList();
        return new ChartData("heat-map", "TTFT P95, ms", "mean of 3 runs", Axis.fitted("offered rate, req/s"),
                Axis.fitted("scheduler"), new Marks.HeatMap(rates, schedulers, values, texts));
    }
}
