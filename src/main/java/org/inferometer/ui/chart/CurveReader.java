package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.chart.PlotArea.PlotScale;
import org.inferometer.ui.chart.VisiblePart.Samples;

/// Reads series over a common x: the nearest sample of each, or the value that holds in steps and bins.
final class CurveReader implements ChartReader {
    private static final double WHOLE = 100;
    private final List<Line> curves;
    private final Kind kind;
    private final ValueText x;
    private final ValueText y;
    private final PlotScale scale;

    /// How a value reaches from one sample to the next.
    private enum Kind {
        SAMPLES, STEPS, SHARES, BINS
    }

    private CurveReader(ChartData chart, List<Line> curves, Kind kind) {
        this.curves = curves;
        this.kind = kind;
        this.x = ValueText.of(chart.x().label());
        this.y = ValueText.of(chart.y().label());
        this.scale = new PlotScale(0, 1, 1, 2, chart.x().logarithmic());
    }

    static CurveReader of(ChartData chart, Marks.Lines lines) {
        boolean shares = chart.y().lower() == 0 && chart.y().upper() == WHOLE && chart.y().label().endsWith("%");
        return new CurveReader(chart, lines.lines(), !lines.steps() ? Kind.SAMPLES : shares ? Kind.SHARES : Kind.STEPS);
    }

    static CurveReader of(ChartData chart, Marks.Stack stack) {
        return new CurveReader(chart,
                stack.layers().stream().map(layer -> line(layer.name(), stack.x(), layer.y())).toList(), Kind.STEPS);
    }

    static CurveReader of(ChartData chart, Marks.Histogram histogram) {
        double[] edges = histogram.edges();
        return new CurveReader(chart, histogram.series().stream().map(bins -> {
            double[] heights = Arrays.copyOf(bins.heights(), edges.length);
            Arrays.fill(heights, bins.heights().length, heights.length, Double.NaN);
            return line(bins.name(), edges, heights);
        }).toList(), Kind.BINS);
    }

    private static Line line(String name, double[] x, double[] y) {
        return new Line(name, ChartData.SeriesStyle.solid(0), x, y);
    }

    @Override
    public Optional<Readout> at(PlotArea area, double pixelX, double pixelY) {
        double pointer = area.x().value(pixelX);
        if (kind != Kind.SAMPLES) {
            return curves.isEmpty() ? Optional.empty() : Optional.of(read(pointer));
        }
        double best = Double.NaN;
        for (Line curve : curves) {
            int i = Samples.nearest(curve.x(), pointer, area.x());
            if (i >= 0 && !(distance(area, best, pixelX) <= distance(area, curve.x()[i], pixelX))) {
                best = curve.x()[i];
            }
        }
        return Double.isNaN(best) ? Optional.empty() : Optional.of(read(best));
    }

    private static double distance(PlotArea area, double value, double pixel) {
        return Math.abs(area.x().pixel(value) - pixel);
    }

    private Readout read(double at) {
        List<Readout.Row> rows = new ArrayList<>();
        String head = x.head(at);
        for (Line curve : curves) {
            int i = index(curve, at);
            double outside = outside(curve, at);
            if (!Double.isNaN(outside)) {
                rows.add(new Readout.Row(curve.name(), y.of(outside)));
                continue;
            }
            rows.add(new Readout.Row(curve.name(),
                    i < 0 ? ValueText.NONE : y.of(curve.y()[i], curve.marked() ? curve.band().get(i) : Span.NONE),
                    i < 0 ? Double.NaN : curve.y()[i]));
            if (kind == Kind.BINS && i >= 0 && i + 1 < curve.x().length) {
                head = x.between(curve.x()[i], curve.x()[i + 1]);
            }
        }
        return new Readout(at, Double.NaN, head, rows);
    }

    /// The share of a cumulative distribution outside of its samples: 0 % below the first, 100 % above the last. NaN elsewhere, and where
    /// the curve was cut.
    private double outside(Line curve, double at) {
        double[] places = curve.x();
        if (kind != Kind.SHARES || places.length == 0) {
            return Double.NaN;
        }
        int last = places.length - 1;
        if (at < places[0]) {
            return curve.y()[0] == 0 ? 0 : Double.NaN;
        }
        return at > places[last] && curve.y()[last] == WHOLE ? WHOLE : Double.NaN;
    }

    /// The sample of a series at a value of x, or -1 where the series has none.
    private int index(Line curve, double at) {
        double[] places = curve.x();
        if (kind != Kind.SAMPLES) {
            return places.length == 0 || at > places[places.length - 1] ? -1 : Samples.atOrBefore(places, at);
        }
        int i = Samples.nearest(places, at, scale);
        boolean outside = i >= 0 && (at < places[0] || at > places[places.length - 1]);
        if (!outside) {
            return i;
        }
        int beside = i == 0 ? Math.min(1, places.length - 1) : i - 1;
        double spacing = Math.abs(scale.place(places[i]) - scale.place(places[beside]));
        return Math.abs(scale.place(at) - scale.place(places[i])) <= spacing / 2 ? i : -1;
    }

    @Override
    public Optional<Readout> again(PlotArea area, Readout earlier) {
        return kind == Kind.SAMPLES ? at(area, area.x().pixel(earlier.x()), 0) : curves.isEmpty() ? Optional.empty()
                : Optional.of(read(earlier.x()));
    }

    @Override
    public Optional<Readout> step(Readout from, int steps) {
        double at = from.x();
        for (int s = 0; s < Math.abs(steps); s++) {
            double next = beside(at, steps > 0);
            if (Double.isNaN(next)) {
                break;
            }
            at = next;
        }
        return at == from.x() ? Optional.of(from) : Optional.of(read(at));
    }

    /// The nearest sample of any series at one side, NaN at the end.
    private double beside(double at, boolean right) {
        double best = Double.NaN;
        for (Line curve : curves) {
            int i = Samples.atOrBefore(curve.x(), right ? at : Math.nextDown(at)) + (right ? 1 : 0);
            if (i >= 0 && i < curve.x().length
                    && (Double.isNaN(best) || (right ? curve.x()[i] < best : curve.x()[i] > best))) {
                best = curve.x()[i];
            }
        }
        return best;
    }

    @Override
    public Optional<Readout> end(boolean last) {
        double at = beside(last ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY, !last);
        return Double.isNaN(at) ? Optional.empty() : Optional.of(read(at));
    }

    @Override
    public int rowStride() {
        return 0;
    }
}
